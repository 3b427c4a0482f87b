// Definition and repetition levels: written, and read in each of their encodings.
#include <cstddef>
#include <cstring>

#include "base/bits.h"
#include "base/bytes.h"
#include "base/endian.h"
#include "base/try.h"
#include "base/varint.h"
#include "microparquet/decoders.h"
#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/levels.h"

namespace microparquet {

// Levels and values in one page buffer:
//
//   | header's space | 4 | levels -> | gap | values ->  |
//
// The final size of the levels is known only when the page is sealed. Each budget sets the gap to the most
// that the levels of its rows can need. Sealing moves the levels up to the values, and then both to their
// final place.

namespace {

using detail::ColumnWriter;
using encoding::kLengthBytes;

constexpr std::uint32_t kLevelBytes = 1;  // largest size of a level
constexpr std::uint32_t kAlignment = 8;   // alignment of fixed-width values

// Moves the values, to give the levels `bytes` bytes to grow into.
void set_gap(ColumnWriter& column, std::uint32_t bytes) {
  const auto levels = static_cast<std::uint32_t>(column.levels->cursor - column.page);
  const bool fixed = column.plan->shape.value_bytes != 0;
  std::byte* const to = column.page + detail::round_up(levels + bytes, fixed ? kAlignment : 1);
  const auto size = static_cast<std::size_t>(column.cursor - column.values);
  if (to != column.values) util::move_bytes(to, column.values, size);
  column.values = to;
  column.cursor = to + size;
}

// Returns whether no rows have been promised in this page: then the values have not been moved, with the
// bytes that begin the page.
bool is_fresh(const ColumnWriter& column) { return column.values == column.page + column.plan->header_bytes; }

// Returns whether the column has large pages of PLAIN: a budget counts a byte of level a row, so one page
// would get several budgets, each of which moves all values.
[[maybe_unused]] bool is_large(const ColumnWriter& column) {
  constexpr std::uint32_t kLarge = 4096;
  return column.plan->encoder == &kPlainFixed && column.plan->page_bytes >= kLarge;
}

// Levels of one bit take at worst two bytes for eight rows: a run or a group with its header.
constexpr std::uint32_t kRowsPerByte = 4;

// Returns how many rows fit without moving levels or values.
[[maybe_unused]] std::uint32_t rows_in_place(const ColumnWriter& column) {
  constexpr std::uint32_t kReserve = detail::kMaxLevelBytes + 1;
  const auto gap = static_cast<std::uint32_t>(column.values - column.levels->cursor);
  const auto free = static_cast<std::uint32_t>(column.end - column.cursor);
  const std::uint32_t width = column.plan->shape.value_bytes;
  const std::uint32_t of_values = width != 0 ? free / width : 0;
  const std::uint32_t of_levels = gap > kReserve ? (gap - kReserve) * kRowsPerByte : 0;
  return of_levels < of_values ? of_levels : of_values;
}

// Prepares a large page. Null rows leave space for more rows than were promised when the page began, and so
// does the gap for their levels: values are moved only if that gains much more.
[[maybe_unused]] std::uint32_t prepare_large(ColumnWriter& column, std::uint32_t free, std::uint32_t most) {
  constexpr std::uint32_t kMuchMore = 4;
  const std::uint32_t four_rows = kRowsPerByte * column.plan->shape.value_bytes + kLevelBytes;
  std::uint32_t rows = free / four_rows * kRowsPerByte;
  if (rows > most) rows = most;
  const std::uint32_t in_place = is_fresh(column) ? 0 : rows_in_place(column);
  if (in_place != 0 && in_place >= rows / kMuchMore) return in_place < most ? in_place : most;
  if (rows != 0) set_gap(column, rows / kRowsPerByte + 1 + detail::kMaxLevelBytes);
  return rows;
}

void begin_levels(ColumnWriter& column) {
  column.levels->bit_width = 1;
  column.levels->begin_page(column.values + kLengthBytes);
}

}  // namespace

std::uint32_t detail::prepare_hybrid_levels(ColumnWriter& column, std::uint32_t most) {
  if (is_fresh(column)) begin_levels(column);
  const auto used = static_cast<std::uint32_t>(column.levels->cursor - column.page) +
                    static_cast<std::uint32_t>(column.cursor - column.values) + kMaxLevelBytes;
  const auto page_bytes = static_cast<std::uint32_t>(column.end - column.page);
  if (used >= page_bytes) return 0;
  std::uint32_t free = page_bytes - used;
  if (column.plan->shape.value_bytes != 0) free -= free < kAlignment ? free : kAlignment - 1;
  if constexpr (kDesktop) {
    // The last rows are promised one by one, which fills the page.
    const std::uint32_t promised = is_large(column) ? prepare_large(column, free, most) : 0;
    if (promised != 0) return promised;
  }
  std::uint32_t rows = column.plan->encoder->values_that_fit(column, free, kLevelBytes);
  if (rows > most) rows = most;
  if (rows != 0) set_gap(column, rows + kMaxLevelBytes);
  return rows;
}

void detail::put_hybrid_levels(ColumnWriter& column, std::uint8_t level, std::uint32_t rows) {
  column.levels->put(level, rows);
}

void detail::finish_hybrid_levels(ColumnWriter& column) {
  detail::LevelEncoder& levels = *column.levels;
  levels.finish();
  column.nulls += levels.nulls;
  const auto length = static_cast<std::uint32_t>(levels.cursor - levels.begin);
  std::byte* const to = column.values - length;
  util::move_bytes(to, levels.begin, length);
  column.values = to - kLengthBytes;
  util::store(column.values, length);
}

}  // namespace microparquet

namespace microparquet::detail {

namespace {

constexpr std::uint32_t kGroup = 8;
constexpr unsigned kMaxGroups = 63;  // keeps a packed run's header at one byte

void end_repeated_run(LevelEncoder& encoder) {
  encoder.cursor = util::put_varint(encoder.cursor, encoder.repeated << 1);
  *encoder.cursor++ = static_cast<std::byte>(encoder.last);
}

[[gnu::always_inline]] inline void count_group(LevelEncoder& encoder) {
  if (encoder.packed_header == nullptr || *encoder.packed_header == std::byte{kMaxGroups << 1 | 1}) {
    encoder.packed_header = encoder.cursor++;
    *encoder.packed_header = std::byte{1};
  }
  *encoder.packed_header = static_cast<std::byte>(static_cast<unsigned>(*encoder.packed_header) + 2);
}

void pack_group(LevelEncoder& encoder) {
  count_group(encoder);
  const unsigned width = encoder.bit_width;
  std::byte* at = encoder.cursor;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const std::uint8_t level : encoder.group) {
    bits |= std::uint32_t{level} << count;
    count += width;
    if (count < 8) continue;
    *at++ = static_cast<std::byte>(bits & 0xFF);
    bits >>= 8;
    count -= 8;
  }
  encoder.cursor = at;
  encoder.buffered = 0;
  encoder.repeated = 0;
}

}  // namespace

void LevelEncoder::begin_page(std::byte* at) {
  begin = at;
  cursor = at;
  packed_header = nullptr;
  nulls = 0;
  repeated = 0;
  buffered = 0;
}

// Between groups there is no run, or one of at least eight levels.
void LevelEncoder::put(std::uint8_t level, std::uint32_t times) {
  if (level == 0) nulls += times;
  while (times != 0) {
    if (buffered == 0) {
      if (repeated != 0 && level == last) {
        repeated += times;
        return;
      }
      if (repeated != 0) end_repeated_run(*this);
      repeated = 0;
      if (times >= kGroup) {  // eight equal levels begin a run instead of a group
        packed_header = nullptr;
        last = level;
        repeated = times;
        return;
      }
    }
    std::uint32_t count = kGroup - buffered;
    if (count > times) count = times;
    times -= count;
    repeated = level == last ? repeated + count : count;
    last = level;
    std::uint8_t* at = group + buffered;
    buffered = static_cast<std::uint8_t>(buffered + count);
    for (; count != 0; --count) {
      *at++ = level;
      asm("" : "+r"(at));  // hides the loop from the compiler, which would call memset
    }
    if (buffered < kGroup) return;
    if (repeated < kGroup) {
      pack_group(*this);
    } else {
      buffered = 0;
      packed_header = nullptr;
    }
  }
}

// Puts a byte a row, on desktops eight at a time. Between groups there is no run, or one of at least eight levels.
std::uint32_t LevelEncoder::put_valid(const std::uint8_t* valid, std::uint32_t count) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(valid);
  const std::uint32_t nulls_before = nulls;
  for (std::uint32_t i = 0; i < count;) {
    if (!kDesktop || buffered != 0 || count - i < kGroup) {
      put(valid[i++] != 0 ? 1 : 0, 1);
      continue;
    }
    const std::uint64_t levels = util::bytes_set(util::load<std::uint64_t>(bytes + i));
    const std::uint64_t going_on = last != 0 ? util::kEachByte : 0;
    if (repeated != 0 && levels != going_on) {
      const auto more = static_cast<std::uint32_t>(__builtin_ctzll(levels ^ going_on)) / 8;
      repeated += more;
      nulls += last != 0 ? 0 : more;
      end_repeated_run(*this);
      repeated = 0;
      i += more;
      continue;
    }
    nulls += kGroup - util::count_bytes(levels);
    i += kGroup;
    if (levels == 0 || levels == util::kEachByte) {
      last = levels != 0 ? 1 : 0;
      repeated += kGroup;
      packed_header = nullptr;
    } else {
      count_group(*this);
      *cursor++ = static_cast<std::byte>(util::bits_of_bytes(levels));
    }
  }
  return count - (nulls - nulls_before);
}

void LevelEncoder::finish() {
  if (repeated >= kGroup && buffered == 0) {
    end_repeated_run(*this);
  } else if (buffered != 0) {
    while (buffered < kGroup) group[buffered++] = 0;
    pack_group(*this);
  }
  repeated = 0;
  packed_header = nullptr;
}

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

namespace microparquet {

// BIT_PACKED levels. A group of eight takes as many bytes as in the hybrid, in the reverse order of bits. The
// decoder turns them into one run of the hybrid, in memory beside the page.

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
