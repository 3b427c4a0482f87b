#include "microparquet/port/mapped_posix_file.h"

#include <cerrno>
#include <vector>

#include "microparquet/port/posix_file.h"
#include "microparquet/reader.h"
#include "microparquet/static_writer.h"
#include "support/check.h"
#include "support/temporary_path.h"

using microparquet::MappedPosixFile;
using microparquet::PosixFile;
using microparquet::Span;
using microparquet::Status;
using support::TemporaryPath;

namespace {

struct Row {
  std::int32_t number;
};

inline constexpr auto kSchema = microparquet::schema(microparquet::column("number", &Row::number));
constexpr std::int32_t kRows = 5000;

void write_rows(const char* path) {
  static microparquet::StaticWriter<kSchema> writer;
  PosixFile file;
  REQUIRE_EQ(file.create(path), Status::kOk);
  REQUIRE_EQ(writer.open(file), Status::kOk);
  for (std::int32_t i = 0; i < kRows; ++i) CHECK_EQ(writer.append({i}), Status::kOk);
  CHECK_EQ(writer.close(), Status::kOk);
}

}  // namespace

TEST("a mapped posix file is read where it lies") {
  const TemporaryPath path;
  write_rows(path.c_str());
  MappedPosixFile file;
  REQUIRE_EQ(file.open_for_reading(path.c_str()), Status::kOk);
  std::uint64_t size = 0;
  CHECK_EQ(file.size(size), Status::kOk);
  CHECK_EQ(file.view().size(), size);
  microparquet::ReaderOptions options;
  microparquet::Reader reader;
  std::vector<std::uint64_t> arena(microparquet::Reader::required_bytes(1, 1, options) / 8 + 1);
  const Span<std::byte> memory(reinterpret_cast<std::byte*>(arena.data()), arena.size() * 8);
  REQUIRE_EQ(reader.open(file, options, memory), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  std::int32_t row = 0;
  while (reader.next_row_group() == Status::kOk) {
    microparquet::ColumnRun run;
    while (reader.next_run(0, run) == Status::kOk) {
      CHECK(run.data >= file.view().data() && run.data < file.view().data() + file.view().size());
      for (std::uint32_t i = 0; i < run.rows; ++i) CHECK_EQ(run.value<std::int32_t>(i), row++);
    }
  }
  CHECK_EQ(row, kRows);
}

TEST("a mapped posix file answers as any file that is read") {
  const TemporaryPath path;
  MappedPosixFile file;
  std::byte bytes[4] = {};
  std::uint64_t size = 9;
  CHECK_EQ(file.open_for_reading(path.c_str()), Status::kIoError);
  CHECK_EQ(file.native_error(), ENOENT);
  CHECK_EQ(file.open_for_reading(path.folder().c_str()), Status::kIoError);
  CHECK_EQ(file.native_error(), EISDIR);
  CHECK(!file.is_open());
  CHECK_EQ(file.read_at(0, bytes), Status::kWrongState);
  {
    PosixFile made;
    REQUIRE_EQ(made.create(path.c_str()), Status::kOk);
    REQUIRE_EQ(file.open_for_reading(path.c_str()), Status::kOk);
    CHECK(file.view().empty());
    CHECK_EQ(file.size(size), Status::kOk);
    CHECK_EQ(size, 0U);
    CHECK_EQ(made.write_at(0, Span<const std::byte>(bytes, 3)), Status::kOk);
  }
  REQUIRE_EQ(file.open_for_reading(path.c_str()), Status::kOk);
  CHECK_EQ(file.view().size(), 3U);
  CHECK_EQ(file.read_at(0, Span<std::byte>(bytes, 3)), Status::kOk);
  CHECK_EQ(file.read_at(1, Span<std::byte>(bytes, 3)), Status::kIoError);
  CHECK_EQ(file.read_at(~std::uint64_t{0}, Span<std::byte>(bytes, 3)), Status::kIoError);
  CHECK_EQ(file.write_at(0, bytes), Status::kUnsupported);
  CHECK_EQ(file.sync(3), Status::kUnsupported);
  file.map_at_once(true);
  REQUIRE_EQ(file.open_for_reading(path.c_str()), Status::kOk);
  CHECK_EQ(file.view().size(), 3U);
  CHECK_EQ(file.read_at(0, Span<std::byte>(bytes, 3)), Status::kOk);
  file.close();
  CHECK(file.view().empty());
  CHECK_EQ(file.size(size), Status::kWrongState);
}
