// A file of which nothing is given but its bytes.
#include "microparquet/mapped_file.h"

#include <array>
#include <string_view>

#include "microparquet/port/memory_image.h"
#include "support/check.h"

using microparquet::MappedFile;
using microparquet::MemoryImage;
using microparquet::Span;
using microparquet::Status;

namespace {

constexpr std::byte kBytes[] = {std::byte{'a'}, std::byte{'b'}, std::byte{'c'}, std::byte{'d'}};

// Shows the bytes when it is asked to.
class Shown final : public MappedFile {
 public:
  bool shown = true;
  Span<const std::byte> view() override {
    return shown ? Span<const std::byte>(kBytes) : Span<const std::byte>();
  }
};

std::string_view text_of(Span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST("mapped file: its bytes are all that it is made of") {
  MemoryImage image{Span<const std::byte>(kBytes)};
  MappedFile& file = image;
  const microparquet::FileAbilities abilities = file.abilities();
  CHECK(abilities.seek);
  CHECK(abilities.read_back);
  CHECK(!abilities.shrink);
  CHECK_EQ(abilities.block_bytes, 512U);
  std::uint64_t size = 0;
  CHECK_EQ(file.size(size), Status::kOk);
  CHECK_EQ(size, 4U);
  std::array<std::byte, 3> out = {};
  CHECK_EQ(file.read_at(0, out), Status::kOk);
  CHECK_EQ(text_of(out), "abc");
  CHECK_EQ(file.read_at(1, out), Status::kOk);
  CHECK_EQ(text_of(out), "bcd");
}

TEST("mapped file: nothing is read past its end, and nothing written") {
  Shown file;
  std::array<std::byte, 3> out = {std::byte{'x'}, std::byte{'y'}, std::byte{'z'}};
  CHECK_EQ(file.read_at(2, out), Status::kIoError);
  CHECK_EQ(file.read_at(5, Span<std::byte>(out.data(), 0)), Status::kIoError);
  CHECK_EQ(file.read_at(~std::uint64_t{0}, out), Status::kIoError);
  CHECK_EQ(file.read_at(~std::uint64_t{0} - 1, out), Status::kIoError);
  CHECK_EQ(text_of(out), "xyz");
  CHECK_EQ(file.read_at(4, Span<std::byte>(out.data(), 0)), Status::kOk);
  CHECK_EQ(file.write_at(0, out), Status::kUnsupported);
  CHECK_EQ(file.reserve(512), Status::kOk);
  CHECK_EQ(file.sync(4), Status::kUnsupported);
  CHECK_EQ(file.shrink(2), Status::kUnsupported);
}

TEST("mapped file: one that is not shown is empty") {
  Shown file;
  file.shown = false;
  std::uint64_t size = 9;
  CHECK_EQ(file.size(size), Status::kOk);
  CHECK_EQ(size, 0U);
  std::byte out = {};
  CHECK_EQ(file.read_at(0, Span<std::byte>(&out, 1)), Status::kIoError);
  CHECK_EQ(file.read_at(0, Span<std::byte>()), Status::kOk);
}
