// BIT_PACKED levels. A group of eight takes as many bytes as in the hybrid, in the reverse order of bits. The
// decoder turns them into one run of the hybrid, in memory beside the page.
#include "microparquet/bit_packed_levels.h"

#include <cstddef>

#include "base/try.h"

namespace microparquet {
namespace {

constexpr std::uint32_t kLevelsOfGroup = 8;
constexpr std::uint32_t kMostHeaderBytes = 5;  // a varint of 32 bits

std::byte* put_header(std::byte* out, std::uint32_t groups) {
  std::uint64_t header = std::uint64_t{groups} << 1 | 1;
  for (; header >= 0x80; header >>= 7) *out++ = static_cast<std::byte>(header | 0x80);
  *out++ = static_cast<std::byte>(header);
  return out;
}

// Reverses the order of the levels in a group; a group is a number of `width` bytes.
std::uint32_t turn(std::uint32_t group, unsigned width) {
  const std::uint32_t mask = (1U << width) - 1;
  std::uint32_t turned = 0;
  for (unsigned i = 0; i < kLevelsOfGroup; ++i, group >>= width) turned = turned << width | (group & mask);
  return turned;
}

// Converts `bytes` bytes; the last group may lack its last bytes.
std::byte* put_groups(std::byte* out, const std::byte* in, std::uint32_t bytes, unsigned width) {
  for (std::uint32_t at = 0; at < bytes;) {
    std::uint32_t group = 0;
    for (unsigned i = 0; i < width; ++i, ++at)
      group = group << 8 | (at < bytes ? std::to_integer<std::uint32_t>(in[at]) : 0);
    group = turn(group, width);
    for (unsigned i = 0; i < width; ++i, group >>= 8) *out++ = static_cast<std::byte>(group);
  }
  return out;
}

}  // namespace

Status read_bit_packed_levels(PageInput page, detail::LevelDecoder& levels, std::uint32_t count) {
  // The levels of the page before lie in memory that is taken again.
  levels.bytes.view_memory(nullptr, 0);
  const unsigned width = levels.bit_width;
  const std::uint64_t bytes = (std::uint64_t{count} * width + 7) / 8;
  if (bytes > page.left()) return Status::kCorrupt;
  MICROPARQUET_TRY(page.load_all());
  const std::uint32_t groups = count / kLevelsOfGroup + (count % kLevelsOfGroup != 0 ? 1 : 0);
  const std::uint32_t most = kMostHeaderBytes + groups * width;
  Span<std::byte> room;
  MICROPARQUET_TRY(page.make_room(most, most, room));
  std::byte* const begin = room.data();
  const std::byte* const end =
      put_groups(put_header(begin, groups), page.data(), static_cast<std::uint32_t>(bytes), width);
  page.take(static_cast<std::uint32_t>(bytes));
  levels.bytes.view_memory(begin, static_cast<std::uint32_t>(end - begin));
  return Status::kOk;
}

}  // namespace microparquet
