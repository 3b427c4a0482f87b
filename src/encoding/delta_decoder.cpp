// DELTA_BINARY_PACKED (Encodings.md).
//
//   header     varints: values of a block, miniblocks of a block, values of the page; zigzag varint: first value
//   blocks     zigzag varint: least difference; a byte each: bit widths of the miniblocks; miniblocks
//   miniblock  differences less the least one, packed, least significant bits first
//
// Numbers wrap, so that those of 32 bits are computed in 64.
#include "microparquet/delta_decoder.h"

#include "base/endian.h"
#include "base/try.h"
#include "encoding/packed_values.h"
#include "microparquet/detail/math.h"

namespace microparquet {
namespace {

constexpr std::uint32_t kLongestVarint = 10;
constexpr std::uint32_t kLongestHeader = 4 * kLongestVarint;
constexpr std::uint32_t kMiniblockUnit = 32;  // miniblocks hold a multiple of as many values

struct Deltas {
  std::uint64_t value;         // the last one; before the first one, that
  std::uint64_t least;         // difference of the block
  std::uint32_t left;          // values of the page
  std::uint32_t in_miniblock;  // values that are left of it
  std::uint32_t per_miniblock;
  std::uint8_t miniblocks;  // of a block
  std::uint8_t miniblock;   // that comes next
  std::uint8_t bit;         // of the byte at the cursor that comes next
  std::uint8_t width;       // of the miniblock's differences
  bool first;               // no value has been taken
  std::uint8_t widths[DeltaDecoder::kMostMiniblocks];
};
static_assert(sizeof(Deltas) <= DeltaDecoder::kStateBytes);

// Numbers at the beginning of bytes that are loaded.
class Varints {
 public:
  Varints(const std::byte* at, std::uint32_t bytes) : begin_(at), at_(at), end_(at + bytes) {}

  std::uint64_t next() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 7 * kLongestVarint; shift += 7) {
      if (at_ == end_) break;
      const auto byte = std::to_integer<std::uint64_t>(*at_++);
      value |= (byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    sound_ = false;
    return 0;
  }
  std::uint64_t next_zigzag() { return detail::unzigzag(next()); }
  bool sound() const { return sound_; }
  const std::byte* at() const { return at_; }
  std::uint32_t bytes() const { return static_cast<std::uint32_t>(at_ - begin_); }

 private:
  const std::byte* begin_;
  const std::byte* at_;
  const std::byte* end_;
  bool sound_ = true;
};

// Loads `bytes` bytes, or the rest of the page if that is less.
Status load_most(PageInput page, std::uint32_t bytes) {
  return page.load(page.left() < bytes ? static_cast<std::uint32_t>(page.left()) : bytes);
}

// Nothing is taken before all of it is known: a file that fails is asked again.
Status begin_block(PageInput page, Deltas& state) {
  MICROPARQUET_TRY(load_most(page, kLongestVarint + state.miniblocks));
  Varints head(page.data(), page.available());
  const std::uint64_t least = head.next_zigzag();
  if (!head.sound() || page.available() - head.bytes() < state.miniblocks) return Status::kCorrupt;
  state.least = least;
  for (unsigned i = 0; i < state.miniblocks; ++i)
    state.widths[i] = std::to_integer<std::uint8_t>(head.at()[i]);
  page.take(head.bytes() + state.miniblocks);
  state.miniblock = 0;
  return Status::kOk;
}

// Sees to it that the next value has a miniblock.
Status find_miniblock(PageInput page, Deltas& state) {
  if (state.in_miniblock != 0) return Status::kOk;
  if (state.miniblock == state.miniblocks) MICROPARQUET_TRY(begin_block(page, state));
  const std::uint8_t width = state.widths[state.miniblock];
  if (width > page.width() * 8) return Status::kCorrupt;
  ++state.miniblock;
  state.in_miniblock = state.per_miniblock;
  state.width = width;
  state.bit = 0;
  return Status::kOk;
}

std::uint32_t packed_bytes(const Deltas& state, std::uint32_t values) {
  return static_cast<std::uint32_t>((std::uint64_t{values} * state.width + state.bit + 7) / 8);
}

// The `width` bits after the first `bit` ones of those at `at`. Requires: 0 < width.
std::uint64_t bits_at(const std::byte* at, unsigned bit, unsigned width) {
  const unsigned bytes = (bit + width + 7) / 8;
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < bytes && i < 8; ++i) bits |= std::to_integer<std::uint64_t>(at[i]) << 8 * i;
  bits >>= bit;
  if (bytes > 8) bits |= std::to_integer<std::uint64_t>(at[8]) << (64 - bit);
  return bits & ~std::uint64_t{0} >> (64 - width);
}

// Unpacks differences and adds them up. All their bytes are there, and are taken.
template <typename T>
void unpack(PageInput page, Deltas& state, T* out, std::uint32_t count) {
  constexpr unsigned kWordBytes = 8;
  constexpr unsigned kMostInWord = 57;
  std::uint64_t value = state.value;
  std::uint32_t i = 0;
  unsigned bit = state.bit;
  const unsigned width = state.width;
  const std::uint64_t least = state.least;
  const std::byte* at = page.data();
  const auto pass = [&] {
    bit += width;
    at += bit / 8;
    bit %= 8;
  };
  if (width == 0) {
    for (; i < count; ++i) out[i] = static_cast<T>(value += least);
  } else if (width <= kMostInWord && page.available() >= kWordBytes) {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
    for (const std::byte* const last = at + page.available() - kWordBytes; i < count && at <= last; ++i) {
      value += least + (util::load<std::uint64_t>(at) >> bit & mask);
      out[i] = static_cast<T>(value);
      pass();
    }
  }
  for (; i < count; ++i) {
    value += least + bits_at(at, bit, width);
    out[i] = static_cast<T>(value);
    pass();
  }
  state.value = value;
  state.bit = static_cast<std::uint8_t>(bit);
  page.take(static_cast<std::uint32_t>(at - page.data()));
}

// The last byte of a miniblock is taken whole.
void count_taken(PageInput page, Deltas& state, std::uint32_t count) {
  state.left -= count;
  state.in_miniblock -= count;
  if (state.in_miniblock != 0 || state.bit == 0) return;
  page.take(1);
  state.bit = 0;
}

// Stores what one miniblock has of up to `count` values, as far as their bytes are there.
template <typename T>
Status read_run(PageInput page, Deltas& state, T* out, std::uint32_t count, std::uint32_t& stored) {
  if (count > state.left) count = state.left;
  if (count == 0) return Status::kCorrupt;
  stored = 1;
  if (state.first) {
    state.first = false;
    --state.left;
    *out = static_cast<T>(state.value);
    return Status::kOk;
  }
  MICROPARQUET_TRY(find_miniblock(page, state));
  if (count > state.in_miniblock) count = state.in_miniblock;
  MICROPARQUET_TRY(page.load(packed_bytes(state, 1)));
  if (packed_bytes(state, count) > page.available())
    count = encoding::packed_values(page.available(), state.bit, state.width);
  unpack(page, state, out, count);
  count_taken(page, state, count);
  stored = count;
  return Status::kOk;
}

// The next call reports a failure, which has no values to give.
template <typename T>
Status read_all(PageInput page, T* out, std::uint32_t count, std::uint32_t& stored) {
  Deltas& state = page.state<Deltas>();
  MICROPARQUET_TRY(read_run(page, state, out, count, stored));
  std::uint32_t more = 0;
  while (stored < count && state.left != 0 &&
         read_run(page, state, out + stored, count - stored, more) == Status::kOk)
    stored += more;
  return Status::kOk;
}

}  // namespace

Status DeltaDecoder::begin_page(PageInput page, std::uint32_t values) const {
  Deltas& state = page.state<Deltas>();
  state = {};
  page.end_in_padding();
  // A page without a value may have no header.
  if (page.left() == 0) return values == 0 || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
  MICROPARQUET_TRY(load_most(page, kLongestHeader));
  Varints head(page.data(), page.available());
  const std::uint64_t block = head.next();
  const std::uint64_t miniblocks = head.next();
  const std::uint64_t count = head.next();
  state.value = head.next_zigzag();
  if (!head.sound() || count > values || (count < values && !page.may_have_nulls())) return Status::kCorrupt;
  if (miniblocks == 0 || miniblocks > block || block > 0xFFFFFFFF) return Status::kCorrupt;
  if (miniblocks > kMostMiniblocks) return Status::kUnsupported;
  const auto block_values = static_cast<std::uint32_t>(block);
  const auto parts = static_cast<std::uint32_t>(miniblocks);
  if (block_values % (parts * kMiniblockUnit) != 0) return Status::kCorrupt;
  page.take(head.bytes());
  state.miniblocks = state.miniblock = static_cast<std::uint8_t>(miniblocks);
  state.per_miniblock = block_values / parts;
  state.left = static_cast<std::uint32_t>(count);
  state.first = true;
  return Status::kOk;
}

Status DeltaDecoder::next(PageInput page) const {
  MICROPARQUET_TRY(skip(page));
  page.show(reinterpret_cast<const std::byte*>(&page.state<Deltas>().value), page.width());
  return Status::kOk;
}

Status DeltaDecoder::read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const {
  if (page.type() == Type::kInt32) return read_all(page, static_cast<std::int32_t*>(out), count, stored);
  return read_all(page, static_cast<std::int64_t*>(out), count, stored);
}

// A value is a part of all that follow.
Status DeltaDecoder::skip(PageInput page) const {
  std::int64_t value = 0;
  std::uint32_t stored = 0;
  return read_run(page, page.state<Deltas>(), &value, 1, stored);
}

}  // namespace microparquet
