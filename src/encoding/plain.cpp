// PLAIN (Encodings.md).
//
//   fixed width   values little-endian, one after another
//   boolean       a bit each, least significant first
//   byte array    length in four bytes, little-endian, then the bytes
#include <cstring>
#include <string_view>

#include "base/bits.h"
#include "base/bytes.h"
#include "base/endian.h"
#include "base/try.h"
#include "encoding/padding.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/encoder.h"

namespace microparquet {

namespace {

using encoding::kLengthBytes;

void update_bounds(const PageBody& page, const ValueShape& shape) {
  page.plan->bounds->update(page.bounds_state, page.values, page.cursor, shape);
}

// Returns the number of values in the open page, since they may not fill whole bytes.
std::uint32_t& boolean_count(const PageBody& page) { return *static_cast<std::uint32_t*>(page.state); }

// Puts values eight at a time. Returns how many were taken.
[[maybe_unused]] std::uint32_t put_whole_bytes(PageBody& page, const bool* values, std::uint32_t count) {
  const std::uint32_t bytes = count / 8;
  const auto* const eights = reinterpret_cast<const std::byte*>(values);
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const auto eight = util::load<std::uint64_t>(eights + std::size_t{8} * i);
    page.cursor[i] = static_cast<std::byte>(util::bits_of_bytes(eight));
  }
  page.cursor += bytes;
  boolean_count(page) += 8 * bytes;
  return 8 * bytes;
}

}  // namespace

// Updates the bounds once from the values, which are in their final form.
void detail::finish_plain(EndingPage& page) { update_bounds(page, page.plan->shape); }

std::uint32_t detail::fixed_that_fit(PageBody& page, std::uint32_t free_bytes, std::uint32_t level_bytes) {
  return free_bytes / (page.plan->shape.value_bytes + level_bytes);
}

void detail::put_plain_fixed(PageBody& page, const void* values, std::uint32_t count) {
  const std::size_t bytes = static_cast<std::size_t>(count) * page.plan->shape.value_bytes;
  util::move_bytes(page.cursor, static_cast<const std::byte*>(values), bytes);
  page.cursor += bytes;
}

void detail::begin_plain_booleans(PageBody& page) { boolean_count(page) = 0; }

// Counts a value as a byte if it has a level, as the level does.
std::uint32_t detail::booleans_that_fit(PageBody& page, std::uint32_t free_bytes, std::uint32_t level_bytes) {
  if (level_bytes != 0) return free_bytes / (1 + level_bytes);
  const std::uint32_t used_bits = boolean_count(page) % 8;
  return free_bytes * 8 + (used_bits != 0 ? 8 - used_bits : 0);
}

void detail::put_plain_booleans(PageBody& page, const void* values, std::uint32_t count) {
  const bool* value = static_cast<const bool*>(values);
  for (; count != 0; --count, ++value) {
    const std::uint32_t bit = boolean_count(page) % 8;
    if constexpr (kDesktop) {
      if (bit == 0 && count >= 8) {
        const std::uint32_t taken = put_whole_bytes(page, value, count);
        value += taken;
        count -= taken;
        if (count == 0) return;
      }
    }
    ++boolean_count(page);
    if (bit == 0) *page.cursor++ = std::byte{0};
    if (*value) page.cursor[-1] |= static_cast<std::byte>(1U << bit);
  }
}

void detail::finish_plain_booleans(EndingPage& page) {
  // Bits do not tell their number, so the shape carries it to the bounds.
  ValueShape shape = page.plan->shape;
  shape.value_bytes = boolean_count(page);
  update_bounds(page, shape);
}

// Promises at most sixteen values beside levels: values cannot use the gap kept for the levels.
std::uint32_t detail::byte_arrays_that_fit(PageBody&, std::uint32_t free_bytes, std::uint32_t level_bytes) {
  constexpr std::uint32_t kAnyNumber = 0x7FFFFFFF;
  constexpr std::uint32_t kAtOnce = 16;
  if (level_bytes == 0) return kAnyNumber;
  if (free_bytes >= kAtOnce) return kAtOnce;
  return free_bytes >= kLengthBytes + level_bytes ? 1 : 0;
}

std::size_t detail::most_plain_bytes(const PageBody&, std::size_t value_bytes) {
  return kLengthBytes + value_bytes;
}

void detail::put_plain_byte_arrays(PageBody& page, const void* values, std::uint32_t count) {
  const auto* value = static_cast<const std::string_view*>(values);
  for (; count != 0; --count, ++value) {
    util::store(page.cursor, static_cast<std::uint32_t>(value->size()));
    if (!value->empty()) std::memcpy(page.cursor + kLengthBytes, value->data(), value->size());
    page.cursor += kLengthBytes + value->size();
  }
}

// PLAIN of fixed-width values: one after another, little-endian.

namespace {

using encoding::kPadding;

// Counts the loaded values, up to `count`; loads the next value if there is none.
Status load_values(PageInput page, std::uint32_t count, std::uint32_t& loaded) {
  const std::uint32_t width = page.width();
  MICROPARQUET_TRY(page.load(width));
  const std::uint32_t bytes = page.available();
  // Divide only if necessary: a division takes hundreds of cycles on small cores.
  loaded = bytes / width < count ? bytes / width : count;
  return Status::kOk;
}

}  // namespace

Status PlainFixedDecoder::begin_page(PageInput page, std::uint32_t values) const {
  const std::uint64_t most = std::uint64_t{values} * page.width() + kPadding;
  const std::uint64_t bytes = page.left();
  if (bytes > most) return Status::kCorrupt;
  // Without levels the number of bytes is known: with padding or without.
  const std::uint64_t missing = most - bytes;
  const bool exact = missing == 0 || missing == kPadding;
  return exact || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
}

Status PlainFixedDecoder::next(PageInput page) const {
  const std::uint32_t width = page.width();
  MICROPARQUET_TRY(page.load(width));
  page.show(page.data(), width);
  page.take(width);
  return Status::kOk;
}

Status PlainFixedDecoder::read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const {
  MICROPARQUET_TRY(load_values(page, count, stored));
  const std::size_t bytes = std::size_t{stored} * page.width();
  util::move_bytes(static_cast<std::byte*>(out), page.data(), bytes);
  page.take(static_cast<std::uint32_t>(bytes));
  return Status::kOk;
}

Status PlainFixedDecoder::skip(PageInput page) const { return next(page); }

Status PlainFixedDecoder::view_run(PageInput page, std::uint32_t count, std::uint32_t& viewed) const {
  MICROPARQUET_TRY(load_values(page, count, viewed));
  const std::uint32_t bytes = viewed * page.width();
  page.show(page.data(), bytes);
  page.take(bytes);
  return Status::kOk;
}

// PLAIN of boolean: one bit a value, least significant first.

namespace {

struct LoadedBits {
  std::uint8_t unread;  // bits of the byte before the cursor, the next one lowest
  std::uint8_t left;    // number of these bits
  std::byte value;      // shown to the caller
};
static_assert(sizeof(LoadedBits) == PlainBooleanDecoder::kStateBytes);

Status load_bits(PageInput page, LoadedBits& bits) {
  if (bits.left != 0) return Status::kOk;
  MICROPARQUET_TRY(page.load(1));
  bits.unread = static_cast<std::uint8_t>(*page.data());
  bits.left = 8;
  page.take(1);
  return Status::kOk;
}

bool take_bit(LoadedBits& bits) {
  const bool bit = (bits.unread & 1) != 0;
  bits.unread = static_cast<std::uint8_t>(bits.unread >> 1);
  --bits.left;
  return bit;
}

// Expands the loaded bytes, eight values each. Returns how many values were stored.
[[maybe_unused]] std::uint32_t read_whole_bytes(PageInput page, bool* values, std::uint32_t count) {
  const std::uint32_t there = page.available();
  const std::uint32_t bytes = count / 8 < there ? count / 8 : there;
  const std::byte* const from = page.data();
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const std::uint64_t eight = util::bytes_of_bits(std::to_integer<std::uint32_t>(from[i]));
    std::memcpy(values + std::size_t{8} * i, &eight, sizeof eight);
  }
  page.take(bytes);
  return 8 * bytes;
}

}  // namespace

Status PlainBooleanDecoder::begin_page(PageInput page, std::uint32_t values) const {
  page.state<LoadedBits>().left = 0;
  const std::uint64_t most = (std::uint64_t{values} + 7) / 8 + encoding::kPadding;
  if (page.left() > most) return Status::kCorrupt;
  const std::uint64_t missing = most - page.left();
  const bool exact = missing == 0 || missing == encoding::kPadding;
  return exact || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
}

Status PlainBooleanDecoder::next(PageInput page) const {
  LoadedBits& bits = page.state<LoadedBits>();
  MICROPARQUET_TRY(load_bits(page, bits));
  bits.value = take_bit(bits) ? std::byte{1} : std::byte{0};
  page.show(&bits.value, 1);
  return Status::kOk;
}

Status PlainBooleanDecoder::read(PageInput page, void* out, std::uint32_t count,
                                 std::uint32_t& stored) const {
  LoadedBits& bits = page.state<LoadedBits>();
  bool* const values = static_cast<bool*>(out);
  MICROPARQUET_TRY(load_bits(page, bits));
  stored = 0;
  do {
    while (bits.left != 0 && stored < count) values[stored++] = take_bit(bits);
    if constexpr (detail::kDesktop) stored += read_whole_bytes(page, values + stored, count - stored);
    // After a failure the next call returns the status, with no values.
  } while (stored < count && load_bits(page, bits) == Status::kOk);
  return Status::kOk;
}

Status PlainBooleanDecoder::skip(PageInput page) const { return next(page); }

// PLAIN of byte_array: a length of four bytes, little-endian, before each value.

namespace {

// Loads the length of the next value without passing it.
Status peek_length(PageInput page, std::uint32_t& length) {
  MICROPARQUET_TRY(page.load(kLengthBytes));
  length = util::load<std::uint32_t>(page.data());
  return length <= page.left() - kLengthBytes ? Status::kOk : Status::kCorrupt;
}

}  // namespace

Status PlainByteArrayDecoder::begin_page(PageInput page, std::uint32_t values) const {
  const bool too_short = !page.may_have_nulls() && page.left() < std::uint64_t{values} * kLengthBytes;
  return too_short ? Status::kCorrupt : Status::kOk;
}

Status PlainByteArrayDecoder::next(PageInput page) const {
  if (page.passing()) return Status::kValueTooLarge;
  std::uint32_t length = 0;
  MICROPARQUET_TRY(peek_length(page, length));
  const Status status = page.load(kLengthBytes + length);
  if (status == Status::kValueTooLarge) return page.too_large(length);
  if (status != Status::kOk) return status;
  page.show(page.data() + kLengthBytes, length);
  page.take(kLengthBytes + length);
  return Status::kOk;
}

Status PlainByteArrayDecoder::read(PageInput page, void* out, std::uint32_t count,
                                   std::uint32_t& stored) const {
  auto* const values = static_cast<std::string_view*>(out);
  for (stored = 0; stored < count; ++stored) {
    const Status status = next(page);
    // The next call returns this status, with no values.
    if (status != Status::kOk) return stored != 0 ? Status::kOk : status;
    values[stored] = {reinterpret_cast<const char*>(page.shown()), page.shown_bytes()};
    page.pin();
  }
  return Status::kOk;
}

Status PlainByteArrayDecoder::skip(PageInput page) const {
  if (page.passing()) return page.pass_on();
  std::uint32_t length = 0;
  MICROPARQUET_TRY(peek_length(page, length));
  static_cast<void>(page.too_large(length));  // stored for next(), if that is called before this is done
  return page.pass(kLengthBytes + length);
}

}  // namespace microparquet
