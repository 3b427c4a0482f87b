// SemihostingFile on the host's file system, at the places where semihosting surprises.
#include "microparquet/port/semihosting_file.h"

#include "microparquet/port/semihosting.h"

#include "support/check.h"

using microparquet::SemihostingFile;
using microparquet::Span;
using microparquet::Status;

namespace {

constexpr const char* kPath = "semihosting_file_test.bin";

Span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// Deletes the file that a test left on the host, and checks that it was there.
void remove_file() { CHECK_EQ(microparquet::semihosting::remove(kPath), 0); }

void check_content(SemihostingFile& file, std::uint64_t offset, std::string_view expected) {
  std::byte found[16];
  REQUIRE(expected.size() <= sizeof found);
  REQUIRE_EQ(file.read_at(offset, Span<std::byte>(found, expected.size())), Status::kOk);
  CHECK_EQ(std::string_view(reinterpret_cast<const char*>(found), expected.size()), expected);
}

void check_size(SemihostingFile& file, std::uint64_t expected) {
  std::uint64_t bytes = 0;
  REQUIRE_EQ(file.size(bytes), Status::kOk);
  CHECK_EQ(bytes, expected);
}

}  // namespace

TEST("a semihosting file is written and overwritten at any position and read back") {
  SemihostingFile file;
  REQUIRE_EQ(file.create(kPath, microparquet::Existing::kOverwrite), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("0123456789")), Status::kOk);
  CHECK_EQ(file.write_at(3, bytes_of("abc")), Status::kOk);
  check_content(file, 0, "012abc6789");
  CHECK_EQ(file.write_at(10, bytes_of("end")), Status::kOk);
  check_content(file, 8, "89end");
  check_size(file, 13);
  CHECK_EQ(file.barrier(), Status::kOk);
  CHECK_EQ(file.sync(13), Status::kOk);
  CHECK_EQ(file.close(), Status::kOk);
  remove_file();
}

TEST("a semihosting file is extended by a write past its end, with zeros between") {
  SemihostingFile file;
  REQUIRE_EQ(file.create(kPath, microparquet::Existing::kOverwrite), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("ab")), Status::kOk);
  CHECK_EQ(file.reserve(100000), Status::kOk);
  check_size(file, 2);
  CHECK_EQ(file.write_at(4096, bytes_of("z")), Status::kOk);
  check_size(file, 4097);
  check_content(file, 1, std::string_view("b\0\0", 3));
  check_content(file, 4095, std::string_view("\0z", 2));
  CHECK_EQ(file.close(), Status::kOk);
  remove_file();
}

TEST("a semihosting file keeps its bytes when it is opened again, and loses them when it is created again") {
  SemihostingFile file;
  REQUIRE_EQ(file.create(kPath, microparquet::Existing::kOverwrite), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("kept")), Status::kOk);
  REQUIRE_EQ(file.open_for_append(kPath), Status::kOk);
  CHECK_EQ(file.write_at(4, bytes_of("+")), Status::kOk);
  REQUIRE_EQ(file.open_for_reading(kPath), Status::kOk);
  check_content(file, 0, "kept+");
  CHECK_EQ(file.write_at(0, bytes_of("x")), Status::kIoError);
  CHECK_EQ(file.create(kPath), Status::kIoError);  // it holds bytes
  REQUIRE_EQ(file.open_for_reading(kPath), Status::kOk);
  check_content(file, 0, "kept+");
  REQUIRE_EQ(file.create(kPath, microparquet::Existing::kOverwrite), Status::kOk);
  check_size(file, 0);
  CHECK_EQ(file.close(), Status::kOk);
  remove_file();
}

TEST("a semihosting file answers misuse and missing files with a status") {
  SemihostingFile file;
  std::byte byte[1] = {};
  std::uint64_t size = 0;
  CHECK_EQ(file.read_at(0, byte), Status::kWrongState);
  CHECK_EQ(file.write_at(0, bytes_of("x")), Status::kWrongState);
  CHECK_EQ(file.size(size), Status::kWrongState);
  CHECK_EQ(file.reserve(1), Status::kWrongState);
  CHECK_EQ(file.sync(0), Status::kWrongState);
  CHECK_EQ(file.close(), Status::kOk);
  CHECK_EQ(file.open_for_append("no such folder/no such file"), Status::kIoError);
  CHECK_EQ(file.sync(0), Status::kWrongState);

  REQUIRE_EQ(file.create(kPath, microparquet::Existing::kOverwrite), Status::kOk);
  CHECK_EQ(file.read_at(0, byte), Status::kIoError);
  CHECK_EQ(file.write_at(0x7FFFFFFF, bytes_of("x")), Status::kNoSpace);
  CHECK_EQ(file.reserve(0x80000000), Status::kNoSpace);
  CHECK_EQ(file.shrink(0), Status::kUnsupported);
  CHECK(!file.abilities().shrink);
  CHECK_EQ(file.close(), Status::kOk);
  remove_file();
}
