#include "microparquet/port/stdout_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "support/check.h"

using microparquet::Span;
using microparquet::Status;
using microparquet::StdoutFile;

namespace {

Span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace

TEST("a forward file writes in order and nowhere else") {
  std::array<int, 2> ends = {};
  REQUIRE_EQ(pipe(ends.data()), 0);
  StdoutFile file(ends[1]);
  CHECK_EQ(file.write_at(0, bytes_of("abc")), Status::kOk);
  CHECK_EQ(file.write_at(2, bytes_of("x")), Status::kInvalidArgument);
  CHECK_EQ(file.write_at(4, bytes_of("x")), Status::kInvalidArgument);
  CHECK_EQ(file.write_at(3, bytes_of("de")), Status::kOk);
  CHECK_EQ(file.sync(5), Status::kOk);
  std::uint64_t size = 0;
  CHECK_EQ(file.size(size), Status::kOk);
  CHECK_EQ(size, 5);
  std::array<std::byte, 1> out = {};
  CHECK_EQ(file.read_at(0, out), Status::kUnsupported);
  CHECK(!file.abilities().seek && !file.abilities().read_back && !file.abilities().shrink);

  std::array<char, 8> seen = {};
  CHECK_EQ(read(ends[0], seen.data(), seen.size()), 5);
  CHECK_EQ(std::string_view(seen.data()), "abcde");
  close(ends[0]);
  close(ends[1]);
}

TEST("a forward file without a reader is kIoError") {
  std::array<int, 2> ends = {};
  REQUIRE_EQ(pipe(ends.data()), 0);
  close(ends[0]);
  std::signal(SIGPIPE, SIG_IGN);
  StdoutFile file(ends[1]);
  CHECK_EQ(file.write_at(0, bytes_of("abc")), Status::kIoError);
  CHECK_EQ(file.native_error(), EPIPE);
  std::signal(SIGPIPE, SIG_DFL);
  close(ends[1]);
}

TEST("a forward file on a full disk is kNoSpace") {
  const int full = open("/dev/full", O_WRONLY);
  REQUIRE(full >= 0);
  StdoutFile file(full);
  CHECK_EQ(file.write_at(0, bytes_of("abc")), Status::kNoSpace);
  CHECK_EQ(file.native_error(), ENOSPC);
  close(full);
}

TEST("a write that failed half-way is repeated without sending anything twice") {
  char path[] = "/tmp/stdout_file_test.XXXXXX";
  const int descriptor = mkstemp(path);
  REQUIRE(descriptor >= 0);
  unlink(path);
  rlimit before = {};
  REQUIRE_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit limit = before;
  limit.rlim_cur = 4;
  std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  StdoutFile file(descriptor);
  CHECK_EQ(file.write_at(0, bytes_of("abcdef")), Status::kNoSpace);
  REQUIRE_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, SIG_DFL);
  CHECK_EQ(file.write_at(0, bytes_of("abcdef")), Status::kOk);
  CHECK_EQ(file.sync(0), Status::kOk);

  std::array<char, 16> seen = {};
  CHECK_EQ(pread(descriptor, seen.data(), seen.size(), 0), 6);
  CHECK_EQ(std::string_view(seen.data()), "abcdef");
  close(descriptor);
}
