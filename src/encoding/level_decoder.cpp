#include <cstring>

#include "base/bits.h"
#include "base/endian.h"
#include "base/try.h"
#include "microparquet/detail/column_cursor.h"

namespace microparquet::detail {

namespace {

constexpr std::uint32_t kGroupLevels = 8;
constexpr std::uint32_t kLongestHeader = 5;  // a varint of 32 bits

// Reads a varint from the bytes in the window, which may be too few. The cursor stays.
bool peek_varint(const Window& bytes, std::uint32_t& value, std::uint32_t& length) {
  const auto there = static_cast<std::uint32_t>(bytes.available());
  value = 0;
  for (length = 0; length < there && length < kLongestHeader;) {
    const auto byte = static_cast<std::uint32_t>(bytes.cursor[length]);
    const std::uint32_t shift = 7 * length;
    if (shift == 28 && byte > 15) return false;
    value |= (byte & 0x7F) << shift;
    ++length;
    if (byte < 0x80) return true;
  }
  return false;
}

}  // namespace

// Begins a run. It passes nothing before the whole run has been checked, so that the call can be repeated
// after a failure of the file.
Status LevelDecoder::begin_run() {
  const std::uint64_t left = bytes.left();
  MICROPARQUET_TRY(
      bytes.fill(left < kLongestHeader + 1 ? static_cast<std::uint32_t>(left) : kLongestHeader + 1));
  std::uint32_t header = 0;
  std::uint32_t length = 0;
  if (!peek_varint(bytes, header, length)) return Status::kCorrupt;
  std::uint32_t count = header >> 1;
  packed = (header & 1) != 0;
  if (packed) {
    // Writers fill up the last groups with levels that do not count, DuckDB up to 32 groups. All of them must
    // be there.
    if (std::uint64_t{count} * bit_width + length > left) return Status::kCorrupt;
    count = count > unread / kGroupLevels ? unread : count * kGroupLevels;
  } else {
    // The last run of some writers extends beyond the rows.
    if (count > unread) count = unread;
    if (length == bytes.available()) return Status::kCorrupt;
    level = static_cast<std::uint8_t>(bytes.cursor[length]);
    if (level > maximum) return Status::kCorrupt;
    ++length;
  }
  bytes.cursor += length;
  group_left = 0;
  run_left = count;
  unread -= count;
  return Status::kOk;
}

Status LevelDecoder::load_group() {
  MICROPARQUET_TRY(bytes.fill(bit_width));
  group = 0;
  for (unsigned i = 0; i < bit_width; ++i) group |= static_cast<std::uint32_t>(*bytes.cursor++) << (8 * i);
  group_left = kGroupLevels;
  return Status::kOk;
}

Status LevelDecoder::peek(std::uint8_t& next, std::uint32_t& count) {
  while (run_left == 0) {
    if (unread == 0) return Status::kCorrupt;
    MICROPARQUET_TRY(begin_run());
  }
  if (!packed) {
    next = level;
    count = run_left;
    return Status::kOk;
  }
  if (group_left == 0) MICROPARQUET_TRY(load_group());
  const std::uint32_t mask = (1U << bit_width) - 1;
  const std::uint32_t first = group & mask;
  if (first > maximum) return Status::kCorrupt;
  std::uint32_t equal = 1;
  const std::uint32_t most = run_left < group_left ? run_left : group_left;
  for (std::uint32_t rest = group >> bit_width; equal < most && (rest & mask) == first; rest >>= bit_width)
    ++equal;
  next = static_cast<std::uint8_t>(first);
  count = equal;
  return Status::kOk;
}

void LevelDecoder::take(std::uint32_t count) {
  run_left -= count;
  if (!packed) return;
  group_left = static_cast<std::uint8_t>(group_left - count);
  if (group_left != 0) group >>= bit_width * count;
}

namespace {

// Expands a group to eight levels of a byte each, and counts in `present` those equal to the maximum. Returns
// false if one is above it.
bool expand_group(std::uint32_t group, unsigned width, std::uint8_t maximum, std::uint64_t& levels,
                  std::uint32_t& present) {
  if (width == 1) {
    levels = util::bytes_of_bits(group);
    present = util::count_bytes(levels);
    return true;
  }
  levels = util::bytes_of_numbers(group, width);
  present = kGroupLevels - util::count_bytes(util::bytes_set(levels ^ maximum * util::kEachByte));
  const std::uint64_t high_bit_if_larger = levels + (0x7FU - maximum) * util::kEachByte;
  return (high_bit_if_larger & 0x80 * util::kEachByte) == 0;
}

}  // namespace

// Reads eight levels at a time; peek() has loaded the first ones. It leaves levels above the maximum to
// peek().
[[gnu::always_inline]] inline std::uint32_t LevelDecoder::read_groups(std::uint8_t* out, std::uint32_t wanted,
                                                                      std::uint32_t& present) {
  std::uint32_t count = 0;
  std::uint32_t all_highest = 0;
  while (group_left == kGroupLevels && run_left >= kGroupLevels && wanted - count >= kGroupLevels) {
    std::uint64_t levels = 0;
    std::uint32_t highest = 0;
    if (!expand_group(group, bit_width, maximum, levels, highest)) break;
    util::store(reinterpret_cast<std::byte*>(out + count), levels);
    all_highest += highest;
    count += kGroupLevels;
    run_left -= kGroupLevels;
    group_left = 0;
    if (run_left == 0 || load_group() != Status::kOk) break;
  }
  present += all_highest;
  return count;
}

// Reads levels. After a failure it returns those read before; the next call returns the status.
Status LevelDecoder::read(std::uint8_t* out, std::uint32_t& count, std::uint32_t& present) {
  const std::uint32_t wanted = count;
  count = 0;
  present = 0;
  while (count < wanted) {
    std::uint8_t next = 0;
    std::uint32_t alike = 0;
    if (const Status status = peek(next, alike); status != Status::kOk)
      return count != 0 ? Status::kOk : status;
    const std::uint32_t in_groups = packed ? read_groups(out + count, wanted - count, present) : 0;
    count += in_groups;
    if (in_groups != 0) continue;
    if (alike > wanted - count) alike = wanted - count;
    std::memset(out + count, next, alike);
    present += next == maximum ? alike : 0;
    count += alike;
    take(alike);
  }
  return Status::kOk;
}

}  // namespace microparquet::detail
