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
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/encoder.h"

namespace microparquet {
namespace {

using detail::ColumnWriter;
using encoding::kLengthBytes;

// Returns the page's column: the library's own encoders know that every page belongs to one.
const ColumnWriter& column_of(const PageBody& page) { return static_cast<const ColumnWriter&>(page); }

void update_bounds(const PageBody& page, const ValueShape& shape) {
  const ColumnWriter& column = column_of(page);
  column.plan->bounds->update(column.bounds_state, page.values, page.cursor, shape);
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
void detail::finish_plain(EndingPage& page) { update_bounds(page, column_of(page).plan->shape); }

std::uint32_t detail::fixed_that_fit(PageBody& page, std::uint32_t free_bytes, std::uint32_t level_bytes) {
  return free_bytes / (column_of(page).plan->shape.value_bytes + level_bytes);
}

void detail::put_plain_fixed(PageBody& page, const void* values, std::uint32_t count) {
  const std::size_t bytes = static_cast<std::size_t>(count) * column_of(page).plan->shape.value_bytes;
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
  ValueShape shape = column_of(page).plan->shape;
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

}  // namespace microparquet
