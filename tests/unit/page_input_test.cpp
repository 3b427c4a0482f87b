// The bytes of a page as a decoder sees them: loaded, taken, passed, taken back, and in streams of their own.
#include "microparquet/page_input.h"

#include <algorithm>
#include <array>

#include "microparquet/port/memory_file.h"
#include "microparquet/reader.h"
#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/names.h"

using microparquet::MemoryFile;
using microparquet::PageInput;
using microparquet::PageStream;
using microparquet::Span;

namespace {

constexpr std::uint32_t kFileBytes = 400;
constexpr std::uint32_t kBegin = 20;  // of the page, in the file

// Byte of the file at a place, which shows where it is.
unsigned byte_at(std::uint32_t place) { return (place * 7 + place / 256) % 256; }

// A file whose reads fail as long as `fails` says so.
class Unsteady final : public support::ForwardingFile {
 public:
  using ForwardingFile::ForwardingFile;
  bool fails = false;
  std::uint32_t reads = 0;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    ++reads;
    return fails ? Status::kIoError : ForwardingFile::read_at(offset, out);
  }
};

// A page of `bytes` bytes in a file, of which a window of `capacity` is loaded.
class Page {
 public:
  Page(std::uint32_t bytes, std::uint32_t capacity) {
    for (std::uint32_t i = 0; i < kFileBytes; ++i) contents_[i] = static_cast<std::byte>(byte_at(i));
    memory_.fill(std::byte{0xEE});
    column.reader = &state;
    column.memory = memory_.data();
    column.memory_bytes = capacity;
    column.window.begin(file, memory_.data(), capacity);
    column.window.restart_at(kBegin, kFileBytes);
    REQUIRE_EQ(column.window.fill(std::min(bytes, capacity)), Status::kOk);
    column.begin_body(bytes);
  }

  microparquet::detail::ReaderState state = {};
  microparquet::detail::ColumnCursor column = {};

 private:
  std::array<std::byte, kFileBytes> contents_;
  std::array<std::byte, 128> memory_;
  MemoryFile medium_{contents_, kFileBytes};

 public:
  Unsteady file{medium_};
  PageInput input{column};
};

// The next bytes are those that the file has at `place`.
template <typename Bytes>
void take_right(Bytes& bytes, std::uint32_t place, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    REQUIRE_EQ(bytes.load(1), Status::kOk);
    REQUIRE(bytes.available() >= 1);
    REQUIRE_EQ(static_cast<unsigned>(*bytes.data()), byte_at(place + i));
    bytes.take(1);
  }
}

}  // namespace

TEST("page input: a page longer than the window passes through it, up to its end and no further") {
  for (const std::uint32_t capacity : {16U, 64U, 100U, 128U}) {
    Page page(100, capacity);
    CHECK_EQ(page.input.left(), 100U);
    CHECK_EQ(page.input.capacity(), capacity);
    take_right(page.input, kBegin, 90);
    REQUIRE_EQ(page.input.load(10), Status::kOk);
    CHECK_EQ(page.input.available(), 10U);
    CHECK_EQ(page.input.load(11), Status::kCorrupt);
    take_right(page.input, kBegin + 90, 10);
    CHECK_EQ(page.input.left(), 0U);
    CHECK_EQ(page.input.load(1), Status::kCorrupt);
    CHECK_EQ(page.input.load(0), Status::kOk);
  }
}

TEST("page input: what does not fit says its length, and what has been shown does not move") {
  Page page(100, 16);
  CHECK_EQ(page.input.load(17), Status::kValueTooLarge);
  CHECK_EQ(page.state.needed_bytes, 17U);
  page.input.take(10);
  page.input.pin();
  CHECK_EQ(page.input.load(6), Status::kOk);
  CHECK_EQ(page.input.load(7), Status::kEnd);
  page.column.pinned = false;
  CHECK_EQ(page.input.load(7), Status::kOk);
  take_right(page.input, kBegin + 10, 7);
}

TEST("page input: bytes are passed in as many calls as the medium needs") {
  Page page(100, 16);
  page.input.take(3);
  page.file.fails = true;
  CHECK_EQ(page.input.pass(60), Status::kIoError);
  CHECK(page.input.passing());
  CHECK_EQ(page.input.pass_on(), Status::kIoError);
  page.file.fails = false;
  CHECK_EQ(page.input.pass_on(), Status::kOk);
  CHECK(!page.input.passing());
  take_right(page.input, kBegin + 63, 37);
}

TEST("page input: bytes taken back are there again, in the window or read once more") {
  for (const std::uint32_t capacity : {16U, 50U, 128U}) {
    for (const std::uint32_t taken : {1U, 15U, 16U, 17U, 60U, 99U, 100U}) {
      for (const std::uint32_t back : {0U, 1U, 7U, 60U, 100U}) {
        if (back > taken) continue;
        Page page(100, capacity);
        take_right(page.input, kBegin, taken);
        page.input.rewind(back);
        CHECK_EQ(page.input.left(), 100 - taken + back);
        take_right(page.input, kBegin + taken - back, 100 - taken + back);
        CHECK_EQ(page.input.load(1), Status::kCorrupt);
      }
    }
  }
}

TEST("page input: bytes taken back from the window are not read again") {
  Page page(100, 128);
  take_right(page.input, kBegin, 80);
  const std::uint32_t reads = page.file.reads;
  page.input.rewind(80);
  take_right(page.input, kBegin, 100);
  CHECK_EQ(page.file.reads, reads);
}

TEST("page input: bytes taken back from memory that is no window") {
  Page page(100, 16);
  std::array<std::byte, 30> body;
  for (std::uint32_t i = 0; i < 30; ++i) body[i] = static_cast<std::byte>(byte_at(200 + i));
  page.column.cursor = body.data();
  page.column.body_end = body.data() + body.size();
  page.column.body_beyond = 0;
  take_right(page.input, 200, 30);
  page.input.rewind(30);
  CHECK_EQ(page.input.left(), 30U);
  take_right(page.input, 200, 30);
}

TEST("page input: reading on after a rewind may fail and be repeated") {
  Page page(100, 16);
  take_right(page.input, kBegin, 60);
  page.input.rewind(50);
  page.file.fails = true;
  CHECK_EQ(page.input.load(1), Status::kIoError);
  page.file.fails = false;
  take_right(page.input, kBegin + 10, 90);
}

TEST("page stream: streams and the page advance side by side, each at its own pace") {
  for (const std::uint32_t capacity : {32U, 64U, 100U, 128U}) {
    Page page(100, capacity);
    PageStream first;
    PageStream second;
    page.input.take(5);
    REQUIRE_EQ(page.input.open_stream(25, 8, first), Status::kOk);
    REQUIRE_EQ(page.input.open_stream(30, 8, second), Status::kOk);
    CHECK_EQ(page.input.capacity(), capacity < 100 ? capacity - 16 : capacity);
    CHECK_EQ(first.left(), 25U);
    CHECK_EQ(second.left(), 30U);
    CHECK_EQ(page.input.left(), 40U);
    std::uint32_t taken[3] = {};
    for (std::uint32_t step = 0; step < 40; ++step) {
      if (step < 25 && step % 3 != 1) take_right(first, kBegin + 5 + taken[0]++, 1);
      if (step < 30) take_right(second, kBegin + 30 + taken[1]++, 1);
      take_right(page.input, kBegin + 60 + taken[2]++, 1);
    }
    take_right(first, kBegin + 5 + taken[0], 25 - taken[0]);
    CHECK_EQ(first.left(), 0U);
    CHECK_EQ(first.load(1), Status::kCorrupt);
    CHECK_EQ(second.load(1), Status::kCorrupt);
    CHECK_EQ(page.input.load(1), Status::kCorrupt);
  }
}

TEST("page stream: loads within its share and its bytes alone") {
  Page page(100, 32);
  PageStream stream;
  REQUIRE_EQ(page.input.open_stream(40, 8, stream), Status::kOk);
  CHECK_EQ(stream.load(8), Status::kOk);
  CHECK_EQ(stream.available(), 8U);
  CHECK_EQ(stream.load(9), Status::kOutOfMemory);
  stream.take(5);
  CHECK_EQ(stream.load(8), Status::kOk);
  CHECK_EQ(static_cast<unsigned>(*stream.data()), byte_at(kBegin + 5));
  take_right(stream, kBegin + 5, 32);
  CHECK_EQ(stream.left(), 3U);
  CHECK_EQ(stream.load(3), Status::kOk);
  CHECK_EQ(stream.load(4), Status::kCorrupt);
  take_right(page.input, kBegin + 40, 60);
}

TEST("page stream: a stream longer than the page, or a share of more than half") {
  for (const std::uint32_t capacity : {32U, 128U}) {
    Page page(100, capacity);
    PageStream stream;
    CHECK_EQ(page.input.open_stream(101, 8, stream), Status::kCorrupt);
    CHECK_EQ(page.input.open_stream(10, capacity / 2 + 1, stream), Status::kOutOfMemory);
    REQUIRE_EQ(page.input.open_stream(100, capacity / 2, stream), Status::kOk);
    CHECK_EQ(page.input.left(), 0U);
    take_right(stream, kBegin, 100);
  }
}

TEST("page stream: one that lies in memory whole takes no share and reads nothing") {
  Page page(100, 128);
  const std::uint32_t reads = page.file.reads;
  PageStream stream;
  REQUIRE_EQ(page.input.open_stream(60, 64, stream), Status::kOk);
  CHECK_EQ(page.input.capacity(), 128U);
  CHECK_EQ(stream.available(), 60U);
  take_right(stream, kBegin, 60);
  take_right(page.input, kBegin + 60, 40);
  CHECK_EQ(page.file.reads, reads);
}

TEST("page stream: one without bytes is at its end") {
  for (const std::uint32_t capacity : {32U, 128U}) {
    Page page(100, capacity);
    PageStream stream;
    REQUIRE_EQ(page.input.open_stream(0, 8, stream), Status::kOk);
    CHECK_EQ(stream.left(), 0U);
    CHECK_EQ(stream.load(0), Status::kOk);
    CHECK_EQ(stream.load(1), Status::kCorrupt);
    take_right(page.input, kBegin, 100);
  }
}

TEST("page stream: a load that failed by the medium is repeated") {
  Page page(100, 32);
  PageStream stream;
  REQUIRE_EQ(page.input.open_stream(40, 8, stream), Status::kOk);
  take_right(stream, kBegin, 6);
  REQUIRE_EQ(stream.load(2), Status::kOk);
  page.file.fails = true;
  CHECK_EQ(stream.load(5), Status::kIoError);
  CHECK_EQ(page.input.load(1), Status::kIoError);
  page.file.fails = false;
  take_right(stream, kBegin + 6, 34);
  take_right(page.input, kBegin + 40, 60);
}
