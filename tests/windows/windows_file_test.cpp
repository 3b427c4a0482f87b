// Files of Windows: the contract of all ports, names that mean something else there, sharing, and a log.
#include "microparquet/port/windows_file.h"

#include <windows.h>

#include <cstring>
#include <string>

#include "contract_test.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "microparquet/typed.h"
#include "support/check.h"

namespace mpq = microparquet;

namespace {

using mpq::Existing;
using mpq::File;
using mpq::Status;
using mpq::WindowsFile;

constexpr char kPath[] = "contract.bin";

class WindowsPort final : public port_contract::TestedPort {
 public:
  WindowsPort() : TestedPort("WindowsFile") {}
  WindowsPort(const WindowsPort&) = delete;
  WindowsPort& operator=(const WindowsPort&) = delete;
  ~WindowsPort() {
    static_cast<void>(file_.close());
    DeleteFileA(kPath);
  }
  File* create() override {
    return file_.create(kPath, Existing::kOverwrite) == Status::kOk ? &file_ : nullptr;
  }
  File* open_again() override {
    const bool good = file_.close() == Status::kOk && file_.open_for_append(kPath) == Status::kOk;
    return good ? &file_ : nullptr;
  }

 private:
  WindowsFile file_;
};

struct Sample {
  std::int64_t time;
  float x;
};
constexpr auto kSchema =
    mpq::schema(mpq::timestamp_us_column("time", &Sample::time), mpq::column("x", &Sample::x));

mpq::StaticWriter<kSchema> writer;
mpq::StaticReader<kSchema> reader;

void log(WindowsFile& file, int first, int end) {
  for (int i = first; i < end; ++i)
    REQUIRE_EQ(writer.append({1'700'000'000'000'000 + i, static_cast<float>(i)}), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  REQUIRE_EQ(file.close(), Status::kOk);
}

bool is_there(const wchar_t* path) { return GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES; }

}  // namespace

TEST("a file of Windows holds the contract") {
  WindowsPort port;
  port_contract::check_all(port, 18);
}

TEST("a log is written, continued and read") {
  WindowsFile file;
  REQUIRE_EQ(file.create("log.parquet", Existing::kOverwrite), Status::kOk);
  REQUIRE_EQ(writer.open(file), Status::kOk);
  log(file, 0, 3000);
  REQUIRE_EQ(file.open_for_append("log.parquet"), Status::kOk);
  REQUIRE_EQ(writer.resume(file), Status::kOk);
  CHECK_EQ(writer.rows(), 3000U);
  log(file, 3000, 5000);

  REQUIRE_EQ(file.open_for_reading("log.parquet"), Status::kOk);
  REQUIRE_EQ(reader.open(file), Status::kOk);
  Sample row = {};
  std::int64_t rows = 0;
  for (; reader.next(row) == Status::kOk; ++rows) {
    if (row.time != 1'700'000'000'000'000 + rows) break;
  }
  CHECK_EQ(rows, 5000);
}

TEST("names that Windows takes for something else are refused, and make no file") {
  WindowsFile file;
  for (const char* name : {"aux.parquet", "CON", "nul.txt", "folder/Com1.parquet", "lpt9", "a:b.parquet",
                           "log:b.parquet", "dot.parquet.", "space.parquet ", "", "folder/", "conin$"}) {
    CHECK_EQ(file.create(name), Status::kIoError);
    CHECK_EQ(file.native_error(), ERROR_INVALID_NAME);
    CHECK_EQ(file.open_for_reading(name), Status::kIoError);
    CHECK(!file.is_open());
  }
  CHECK(!is_there(L"a") && !is_there(L"log") && !is_there(L"dot.parquet") && !is_there(L"space.parquet"));
  for (const char* name : {"auxiliary.parquet", "com.parquet", "com10.parquet", ".hidden"}) {
    CHECK_EQ(file.create(name, Existing::kOverwrite), Status::kOk);
    CHECK_EQ(file.close(), Status::kOk);
    CHECK(DeleteFileA(name) != FALSE);
  }
}

TEST("a name in UTF-8, and a path of 300 characters") {
  WindowsFile file;
  REQUIRE_EQ(file.create("l\xC3\xA4ufe \xE6\xB8\xA9\xE5\xBA\xA6.bin", Existing::kOverwrite), Status::kOk);
  CHECK(is_there(L"l\u00E4ufe \u6E29\u5EA6.bin"));
  REQUIRE_EQ(file.create("\xFF.bin"), Status::kIoError);
  CHECK_EQ(file.native_error(), ERROR_NO_UNICODE_TRANSLATION);

  std::string folder;
  for (int i = 0; i < 6; ++i) {
    folder += std::string(i == 0 ? "" : "/") + std::string(50, static_cast<char>('a' + i));
    std::wstring made(folder.begin(), folder.end());
    wchar_t full[1000];
    for (wchar_t& c : made) c = c == L'/' ? L'\\' : c;
    REQUIRE(GetFullPathNameW(made.c_str(), 1000, full, nullptr) != 0);
    CreateDirectoryW((L"\\\\?\\" + std::wstring(full)).c_str(), nullptr);
  }
  const std::string path = folder + "/log.bin";
  CHECK(path.size() > 300);
  REQUIRE_EQ(file.create(path.c_str(), Existing::kOverwrite), Status::kOk);
  CHECK(file.has_name());
  CHECK_EQ(file.close(), Status::kOk);
  CHECK_EQ(file.open_for_reading(path.c_str()), Status::kOk);
}

TEST("one writes, others read, and a second writer is refused") {
  WindowsFile file;
  WindowsFile second;
  REQUIRE_EQ(file.create("shared.bin", Existing::kOverwrite), Status::kOk);
  const std::byte bytes[3] = {std::byte{1}, std::byte{2}, std::byte{3}};
  REQUIRE_EQ(file.write_at(0, bytes), Status::kOk);
  REQUIRE_EQ(file.sync(3), Status::kOk);
  CHECK_EQ(second.open_for_append("shared.bin"), Status::kIoError);
  CHECK_EQ(second.native_error(), ERROR_LOCK_VIOLATION);
  CHECK_EQ(second.create("shared.bin", Existing::kOverwrite), Status::kIoError);
  REQUIRE_EQ(second.open_for_reading("shared.bin"), Status::kOk);
  std::byte read[3] = {};
  CHECK_EQ(second.read_at(0, read), Status::kOk);
  CHECK(std::memcmp(read, bytes, sizeof read) == 0);
  CHECK_EQ(second.write_at(0, bytes), Status::kWrongState);
  CHECK_EQ(second.close(), Status::kOk);
  CHECK_EQ(file.close(), Status::kOk);
  CHECK_EQ(second.create("shared.bin"), Status::kIoError);
  CHECK_EQ(second.native_error(), ERROR_FILE_EXISTS);
  CHECK_EQ(second.open_for_append("shared.bin"), Status::kOk);
}

TEST("a file that is renamed meanwhile has lost its name") {
  WindowsFile file;
  DeleteFileA("away.bin");
  REQUIRE_EQ(file.create("here.bin", Existing::kOverwrite), Status::kOk);
  CHECK(file.has_name());
  REQUIRE(MoveFileA("here.bin", "away.bin") != FALSE);
  CHECK(!file.has_name());
  WindowsFile other;
  REQUIRE_EQ(other.create("here.bin", Existing::kOverwrite), Status::kOk);
  CHECK(!file.has_name());
  CHECK(other.has_name());
}

TEST("space that was reserved and not used is released") {
  WindowsFile file;
  REQUIRE_EQ(file.create("reserved.bin", Existing::kOverwrite), Status::kOk);
  REQUIRE_EQ(file.reserve(1 << 20), Status::kOk);
  const std::byte bytes[5] = {};
  REQUIRE_EQ(file.write_at(0, bytes), Status::kOk);
  std::uint64_t size = 0;
  REQUIRE_EQ(file.sync(5), Status::kOk);
  REQUIRE_EQ(file.close(), Status::kOk);
  REQUIRE_EQ(file.open_for_reading("reserved.bin"), Status::kOk);
  REQUIRE_EQ(file.size(size), Status::kOk);
  CHECK_EQ(size, 5U);
  CHECK_EQ(file.open_for_reading("nowhere.bin"), Status::kIoError);
  CHECK_EQ(file.native_error(), ERROR_FILE_NOT_FOUND);
}
