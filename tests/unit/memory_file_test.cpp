#include "microparquet/port/memory_file.h"

#include <array>
#include <cstring>

#include "support/check.h"

using microparquet::MemoryFile;
using microparquet::Span;
using microparquet::Status;

namespace {

Span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::string_view text_of(Span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST("a memory file reads back what was written, in any order") {
  std::array<std::byte, 16> memory;
  memory.fill(std::byte{'x'});
  MemoryFile file(memory);
  CHECK_EQ(file.write_at(0, bytes_of("ab")), Status::kOk);
  CHECK_EQ(file.write_at(4, bytes_of("ef")), Status::kOk);
  CHECK_EQ(text_of(file.contents()), std::string_view("ab\0\0ef", 6));
  CHECK_EQ(file.write_at(1, bytes_of("BCD")), Status::kOk);

  std::array<std::byte, 5> out = {};
  CHECK_EQ(file.read_at(1, out), Status::kOk);
  CHECK_EQ(text_of(out), "BCDef");
  std::uint64_t size = 0;
  CHECK_EQ(file.size(size), Status::kOk);
  CHECK_EQ(size, 6);
}

TEST("a memory file refuses what lies past its end, and past its memory") {
  std::array<std::byte, 8> memory = {};
  MemoryFile file(memory);
  REQUIRE_EQ(file.write_at(0, bytes_of("12345678")), Status::kOk);
  CHECK_EQ(file.write_at(8, bytes_of("9")), Status::kNoSpace);
  CHECK_EQ(file.write_at(7, bytes_of("89")), Status::kNoSpace);
  CHECK_EQ(file.write_at(~std::uint64_t{0}, bytes_of("9")), Status::kNoSpace);
  CHECK_EQ(file.reserve(8), Status::kOk);
  CHECK_EQ(file.reserve(9), Status::kNoSpace);
  CHECK_EQ(text_of(file.contents()), "12345678");

  std::array<std::byte, 2> out = {};
  CHECK_EQ(file.read_at(6, out), Status::kOk);
  CHECK_EQ(file.read_at(7, out), Status::kIoError);
  CHECK_EQ(file.read_at(~std::uint64_t{0}, out), Status::kIoError);
}

TEST("a memory file shrinks, and does not grow by it") {
  std::array<std::byte, 8> memory = {};
  std::memcpy(memory.data(), "abcdef", 6);
  MemoryFile file(memory, 6);
  CHECK_EQ(file.shrink(7), Status::kInvalidArgument);
  CHECK_EQ(file.shrink(3), Status::kOk);
  CHECK_EQ(text_of(file.contents()), "abc");
  CHECK(file.abilities().seek && file.abilities().read_back && file.abilities().shrink);
}
