#include "microparquet/port/posix_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <string>

#include "support/check.h"
#include "support/temporary_path.h"

using microparquet::PosixFile;
using microparquet::Span;
using microparquet::Status;
using support::TemporaryPath;

namespace {

Span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// The file as another process sees it.
struct Seen {
  std::int64_t size = -1;
  std::int64_t allocated = -1;
};
Seen seen(const char* path) {
  struct stat information = {};
  if (stat(path, &information) != 0) {
    return {};
  }
  return {information.st_size, information.st_blocks * 512};
}

std::string read_text(PosixFile& file, std::uint64_t offset, std::size_t bytes) {
  std::string text(bytes, '?');
  const Status status = file.read_at(offset, {reinterpret_cast<std::byte*>(text.data()), bytes});
  return status == Status::kOk ? text : std::string("status ") + microparquet::to_string(status);
}

bool folder_can_allocate(const TemporaryPath& path) {
  const std::string probe = path.folder() + "/probe";
  const int descriptor = open(probe.c_str(), O_RDWR | O_CREAT, 0600);
  const bool can = fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, 4096) == 0;
  close(descriptor);
  unlink(probe.c_str());
  return can;
}

}  // namespace

TEST("a posix file is published at each write until it is reserved") {
  const TemporaryPath path;
  PosixFile file;
  REQUIRE_EQ(file.create(path.c_str()), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("abc")), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 3);
  CHECK_EQ(file.write_at(1, bytes_of("BCD")), Status::kOk);
  CHECK_EQ(read_text(file, 0, 4), "aBCD");
  CHECK_EQ(read_text(file, 0, 5), "status I/O error");
  CHECK_EQ(file.close(), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("x")), Status::kWrongState);
}

TEST("a reserved posix file is published at sync, in one piece") {
  const TemporaryPath path;
  PosixFile file;
  REQUIRE_EQ(file.create(path.c_str()), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("PAR1")), Status::kOk);
  CHECK_EQ(file.reserve(100'000), Status::kOk);
  CHECK_EQ(file.write_at(90'004, bytes_of("tail")), Status::kOk);
  CHECK_EQ(file.write_at(90'000, bytes_of("foot")), Status::kOk);
  CHECK_EQ(file.write_at(2, bytes_of("R2")), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 4);
  std::uint64_t size = 0;
  CHECK_EQ(file.size(size), Status::kOk);
  CHECK_EQ(size, 90'008);
  CHECK_EQ(read_text(file, 89'998, 10), std::string_view("\0\0foottail", 10));
  CHECK_EQ(read_text(file, 0, 6), std::string_view("PAR2\0\0", 6));
  CHECK_EQ(read_text(file, 90'000, 9), "status I/O error");

  CHECK_EQ(file.barrier(), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 4);
  CHECK_EQ(file.sync(90'008), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 90'008);
  CHECK_EQ(file.write_at(50'000, bytes_of("page")), Status::kOk);  // now inside the file: goes out at once

  PosixFile reader;
  REQUIRE_EQ(reader.open_for_reading(path.c_str()), Status::kOk);
  CHECK_EQ(read_text(reader, 90'000, 8), "foottail");
  CHECK_EQ(read_text(reader, 50'000, 4), "page");
  CHECK_EQ(reader.write_at(0, bytes_of("x")), Status::kWrongState);
}

TEST(
    "a posix file that does not allocate ahead publishes in the same way, and takes no disk space before it "
    "is written") {
  const TemporaryPath path;
  PosixFile file;
  file.allocate_ahead(false);
  REQUIRE_EQ(file.create(path.c_str()), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("0123")), Status::kOk);
  CHECK_EQ(file.reserve(8 << 20), Status::kOk);
  CHECK(seen(path.c_str()).allocated < 1 << 20);
  CHECK_EQ(file.write_at(4096, bytes_of("foot")), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 4);
  CHECK_EQ(file.sync(4100), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 4100);
  CHECK_EQ(read_text(file, 4096, 4), "foot");
}

TEST("a write across the end of a reserved posix file publishes its first part only") {
  const TemporaryPath path;
  PosixFile file;
  REQUIRE_EQ(file.create(path.c_str()), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("0123")), Status::kOk);
  CHECK_EQ(file.reserve(4096), Status::kOk);
  CHECK_EQ(file.write_at(2, bytes_of("abcd")), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 4);
  CHECK_EQ(read_text(file, 0, 6), "01abcd");
  CHECK_EQ(file.sync(6), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 6);
}

TEST("each sync of a reserved posix file publishes one footer, and what is written inside goes out at once") {
  const TemporaryPath path;
  PosixFile file;
  REQUIRE_EQ(file.create(path.c_str()), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("PAR1")), Status::kOk);
  for (std::uint64_t end = 512; end <= 2048; end += 512) {
    CHECK_EQ(file.reserve(end), Status::kOk);
    CHECK_EQ(file.write_at(end - 8, bytes_of("foot")), Status::kOk);
    CHECK_EQ(file.write_at(end - 4, bytes_of("PAR1")), Status::kOk);
    CHECK_EQ(seen(path.c_str()).size, end == 512 ? 4 : static_cast<std::int64_t>(end) - 512);
    CHECK_EQ(file.sync(end), Status::kOk);
    CHECK_EQ(seen(path.c_str()).size, static_cast<std::int64_t>(end));
    CHECK_EQ(file.write_at(end - 100, bytes_of("page")), Status::kOk);
    PosixFile reader;
    REQUIRE_EQ(reader.open_for_reading(path.c_str()), Status::kOk);
    CHECK_EQ(read_text(reader, end - 100, 4), "page");
  }
}

TEST("what is kept back of a posix file is one piece, and sync cuts it at the size") {
  const TemporaryPath path;
  PosixFile file;
  REQUIRE_EQ(file.create(path.c_str()), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("0123")), Status::kOk);
  CHECK_EQ(file.reserve(1 << 20), Status::kOk);
  CHECK_EQ(file.write_at(4, bytes_of("given up")), Status::kOk);
  CHECK_EQ(file.write_at(1000, bytes_of("taken, and more")), Status::kOk);
  CHECK_EQ(file.sync(1005), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 1005);
  CHECK_EQ(read_text(file, 2, 10), std::string_view("23\0\0\0\0\0\0\0\0", 10));
  CHECK_EQ(read_text(file, 998, 7), std::string_view("\0\0taken", 7));

  CHECK_EQ(file.write_at(2000, bytes_of("given up")), Status::kOk);
  CHECK_EQ(file.write_at(1005, bytes_of("end")), Status::kOk);
  CHECK_EQ(file.sync(1008), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 1008);
}

TEST("a posix file that is kept continues where it ends") {
  const TemporaryPath path;
  PosixFile file;
  REQUIRE_EQ(file.open_for_append(path.c_str()), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 0);
  CHECK_EQ(file.write_at(0, bytes_of("0123")), Status::kOk);
  CHECK_EQ(file.close(), Status::kOk);

  REQUIRE_EQ(file.open_for_append(path.c_str()), Status::kOk);
  std::uint64_t size = 0;
  CHECK_EQ(file.size(size), Status::kOk);
  CHECK_EQ(size, 4);
  CHECK_EQ(read_text(file, 0, 4), "0123");
  PosixFile other;
  CHECK_EQ(other.open_for_append(path.c_str()), Status::kIoError);
  CHECK_EQ(other.native_error(), EWOULDBLOCK);
  CHECK_EQ(file.reserve(4096), Status::kOk);
  CHECK_EQ(file.write_at(4, bytes_of("4567")), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 4);
  CHECK_EQ(file.sync(8), Status::kOk);
  CHECK_EQ(file.close(), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 8);
}

TEST("a posix file shrinks to a size inside the file, or inside what is kept back") {
  const TemporaryPath path;
  PosixFile file;
  REQUIRE_EQ(file.create(path.c_str()), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("0123")), Status::kOk);
  CHECK_EQ(file.reserve(4096), Status::kOk);
  CHECK_EQ(file.write_at(10, bytes_of("abcd")), Status::kOk);
  CHECK_EQ(file.shrink(15), Status::kInvalidArgument);
  CHECK_EQ(file.shrink(12), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 12);
  CHECK_EQ(read_text(file, 8, 4), std::string_view("\0\0ab", 4));
  CHECK_EQ(file.write_at(20, bytes_of("xy")), Status::kOk);
  CHECK_EQ(file.shrink(3), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 3);
  CHECK_EQ(read_text(file, 0, 3), "012");
}

TEST("a posix file allocates what is reserved, and gives it back when it is closed") {
  const TemporaryPath path;
  if (!folder_can_allocate(path)) {
    CHECK(true);  // this file system allocates nothing ahead
    return;
  }
  PosixFile file;
  REQUIRE_EQ(file.create(path.c_str()), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("PAR1")), Status::kOk);
  CHECK_EQ(file.reserve(1 << 20), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 4);
  CHECK(seen(path.c_str()).allocated >= 1 << 20);
  CHECK_EQ(file.close(), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 4);
  CHECK(seen(path.c_str()).allocated < 1 << 20);
}

TEST("a limit on the size of files is kNoSpace, before anything is written") {
  const TemporaryPath path;
  rlimit before = {};
  REQUIRE_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit limit = before;
  limit.rlim_cur = 10'000;
  std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);

  PosixFile file;
  CHECK_EQ(file.create(path.c_str()), Status::kOk);
  CHECK_EQ(file.reserve(10'001), Status::kNoSpace);
  CHECK_EQ(file.native_error(), EFBIG);
  CHECK_EQ(file.reserve(10'000), Status::kOk);
  const std::string longer(11'000, 'x');
  CHECK_EQ(file.write_at(0, bytes_of(longer)), Status::kOk);
  CHECK_EQ(file.sync(longer.size()), Status::kNoSpace);
  CHECK_EQ(seen(path.c_str()).size, 0);  // what went out of it is taken back
  CHECK_EQ(file.shrink(9'000), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 9'000);

  CHECK_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, SIG_DFL);
}

TEST("create refuses a file with content, and one that is being written") {
  const TemporaryPath path;
  PosixFile file;
  REQUIRE_EQ(file.create(path.c_str()), Status::kOk);
  CHECK_EQ(file.write_at(0, bytes_of("abc")), Status::kOk);
  PosixFile other;
  CHECK_EQ(other.create(path.c_str(), microparquet::Existing::kOverwrite), Status::kIoError);
  CHECK_EQ(other.native_error(), EWOULDBLOCK);
  CHECK_EQ(file.close(), Status::kOk);

  CHECK_EQ(other.create(path.c_str()), Status::kIoError);
  CHECK_EQ(other.native_error(), EEXIST);
  CHECK_EQ(seen(path.c_str()).size, 3);
  CHECK_EQ(other.create(path.c_str(), microparquet::Existing::kOverwrite), Status::kOk);
  CHECK_EQ(seen(path.c_str()).size, 0);
  CHECK_EQ(other.close(), Status::kOk);
  CHECK_EQ(other.create(path.c_str()), Status::kOk);  // empty: nothing to lose
}

TEST("a posix file says why it cannot be opened") {
  const TemporaryPath path;
  PosixFile file;
  CHECK_EQ(file.open_for_reading(path.c_str()), Status::kIoError);
  CHECK_EQ(file.native_error(), ENOENT);
  CHECK_EQ(file.open_for_reading(path.folder().c_str()), Status::kIoError);
  CHECK_EQ(file.native_error(), EISDIR);
  CHECK_EQ(file.open_for_reading("/dev/null"), Status::kIoError);
  CHECK_EQ(file.native_error(), ESPIPE);
  CHECK(!file.is_open());
  std::uint64_t size = 0;
  CHECK_EQ(file.size(size), Status::kWrongState);
}

TEST("a posix file knows whether its name still leads to it") {
  const TemporaryPath path;
  const std::string other = path.folder() + "/other";
  PosixFile file;
  REQUIRE_EQ(file.create(path.c_str()), Status::kOk);
  CHECK(file.has_name());
  REQUIRE_EQ(rename(path.c_str(), other.c_str()), 0);
  CHECK(!file.has_name());
  PosixFile next;
  REQUIRE_EQ(next.create(path.c_str()), Status::kOk);
  CHECK(next.has_name());
  CHECK(!file.has_name());  // the name is another file's now
  REQUIRE_EQ(rename(other.c_str(), path.c_str()), 0);
  CHECK(file.has_name());
  CHECK(!next.has_name());
  REQUIRE_EQ(unlink(path.c_str()), 0);
  CHECK(!file.has_name());
}

TEST("a posix file takes offsets beyond 4 GiB") {
  const TemporaryPath path;
  PosixFile file;
  REQUIRE_EQ(file.create(path.c_str()), Status::kOk);
  const std::uint64_t far = (std::uint64_t{5} << 30) + 1;
  CHECK_EQ(file.write_at(far, bytes_of("end")), Status::kOk);
  CHECK_EQ(static_cast<std::uint64_t>(seen(path.c_str()).size), far + 3);
  CHECK_EQ(read_text(file, far, 3), "end");
}
