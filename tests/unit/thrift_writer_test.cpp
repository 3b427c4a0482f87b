// Bytes by hand from the text of Thrift's compact protocol.
#include "io/window_sink.h"
#include "microparquet/crc32.h"
#include "microparquet/port/memory_file.h"
#include "support/check.h"
#include "thrift/compact_writer.h"

using microparquet::MemoryFile;
using microparquet::Span;
using microparquet::Status;
using microparquet::thrift::CompactType;
using microparquet::thrift::CompactWriter;
using microparquet::thrift::WindowSink;

namespace {

// Compares the bytes that `write` puts with `text`, through windows of several sizes, which must not matter.
template <typename Write>
void check_bytes(const char* text, std::size_t bytes, Write write) {
  for (const std::size_t window_bytes : {1U, 2U, 3U, 7U, 64U}) {
    std::byte memory[256];
    std::byte window[64];
    MemoryFile file(memory);
    WindowSink sink(file, 0, Span<std::byte>(window, window_bytes), &microparquet::crc32_portable);
    CompactWriter out(sink);
    write(out);
    REQUIRE_EQ(sink.flush(), Status::kOk);
    CHECK_EQ(sink.bytes_from(0), bytes);
    const Span<const std::byte> contents = file.contents();
    CHECK_EQ(std::string_view(reinterpret_cast<const char*>(contents.data()), contents.size()),
             std::string_view(text, bytes));
  }
}
template <std::size_t N, typename Write>
void check_bytes(const char (&text)[N], Write write) {
  check_bytes(text, N - 1, write);
}

}  // namespace

TEST("Thrift: booleans live in the field's header") {
  check_bytes("\x11\x12\x00", [](CompactWriter& out) {
    out.field_bool(1, true);
    out.field_bool(2, false);
    out.end_struct(0);
  });
}

TEST("Thrift: integers are zigzag varints, a byte is itself") {
  check_bytes(
      "\x13\x80\x15\x00\x15\x01\x15\x02\x15\x7E\x15\x80\x01\x15\xFF\xFF\xFF\xFF\x0F\x15\xFE\xFF\xFF\xFF\x0F",
      [](CompactWriter& out) {
        out.field_byte(1, 0x80);
        out.field_i32(2, 0);
        out.field_i32(3, -1);
        out.field_i32(4, 1);
        out.field_i32(5, 63);
        out.field_i32(6, 64);
        out.field_i32(7, -2147483647 - 1);
        out.field_i32(8, 2147483647);
      });
  check_bytes("\x16\x00\x16\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\x16\x80\x80\x01", [](CompactWriter& out) {
    out.field_i64(1, 0);
    out.field_i64(2, 9223372036854775807ULL);
    out.field_i64(3, 8192);
  });
}

TEST("Thrift: strings, lists short and long") {
  check_bytes(
      "\x18\x00\x18\x03"
      "abc"
      "\x19\xE5\x19\xF8\x0F\x19\xFC\xC8\x01",
      [](CompactWriter& out) {
        out.field_string(1, "");
        out.field_string(2, "abc");
        out.field_list(3, CompactType::kI32, 14);
        out.field_list(4, CompactType::kBinary, 15);
        out.field_list(5, CompactType::kStruct, 200);
      });
  check_bytes("\x06\x03\x02hi", [](CompactWriter& out) {
    out.element_i32(3);
    out.element_i32(-2);
    out.element_string("hi");
  });
}

TEST("Thrift: ids begin again inside a struct and continue after it") {
  check_bytes("\x1C\x2C\x15\x00\x00\x15\x02\x00\x2C\x00\x15\x02\x00", [](CompactWriter& out) {
    out.field_struct(1);
    out.field_struct(2);
    out.field_i32(1, 0);
    out.end_struct(2);
    out.field_i32(3, 1);
    out.end_struct(1);
    out.field_struct(3);
    out.end_struct(3);
    out.field_i32(4, 1);
    out.end_struct(0);
  });
}

TEST("Thrift: a struct continues after any field") {
  std::byte memory[8];
  std::byte window[8];
  MemoryFile file(memory);
  WindowSink sink(file, 0, window, &microparquet::crc32_portable);
  CompactWriter out(sink, 4);
  out.field_i32(6, 1);
  REQUIRE_EQ(sink.flush(), Status::kOk);
  CHECK_EQ(std::string_view(reinterpret_cast<const char*>(memory), 2), "\x25\x02");
}

TEST("a window sums up what passes through it") {
  std::byte memory[16];
  std::byte window[4];
  MemoryFile file(memory);
  WindowSink sink(file, 0, window, &microparquet::crc32_portable);
  std::uint32_t crc = 0;
  sink.sum_into(&crc);
  sink.put("12345", 5);
  CHECK_EQ(sink.crc(), microparquet::crc32_portable(0, "12345", 5));
  sink.put("6789", 4);
  CHECK_EQ(sink.crc(), 0xCBF43926U);
  CHECK_EQ(sink.bytes_from(0), 9U);
  CHECK_EQ(sink.flush(), Status::kOk);
}

TEST("a window copies from a file, and keeps the first error") {
  std::byte memory[40];
  MemoryFile file(memory);
  std::byte text[9];
  std::memcpy(text, "123456789", 9);
  REQUIRE_EQ(file.write_at(0, text), Status::kOk);
  std::byte window[4];
  WindowSink sink(file, 9, window, &microparquet::crc32_portable);
  std::uint32_t first = 0;
  std::uint32_t copied = 0;
  sink.sum_into(&first);
  sink.put_byte('>');
  sink.sum_into(&copied);
  sink.copy(0, 9);
  sink.sum_into(nullptr);
  CHECK_EQ(first, microparquet::crc32_portable(0, ">", 1));
  CHECK_EQ(copied, 0xCBF43926U);
  CHECK_EQ(sink.flush(), Status::kOk);
  CHECK_EQ(std::string_view(reinterpret_cast<const char*>(memory), 19), "123456789>123456789");
  sink.copy(100, 9);
  sink.put("more", 4);
  CHECK_EQ(sink.flush(), Status::kIoError);
  CHECK_EQ(file.contents().size(), 19U);
}
