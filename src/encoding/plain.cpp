// PLAIN (Encodings.md).
//
//   fixed width   values little-endian, one behind another
//   boolean       a bit each, least significant first
//   byte array    length in four bytes, little-endian, then the bytes
#include <cstring>
#include <string_view>

#include "base/bytes.h"
#include "base/endian.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/encoding.h"

namespace microparquet {
namespace {

constexpr std::uint32_t kUnknown = 0x7FFFFFFF;  // as many as you like: asked value by value

}  // namespace

// What is in the page is in its final form: the statistics take it in one pass.
void detail::finish_plain(ColumnWriter& column) {
  column.plan->statistics->update(column.statistics, column.values, column.cursor, column.plan->shape);
}

std::uint32_t detail::fixed_that_fit(const ColumnWriter& column) {
  return column.free_bytes() / column.plan->shape.value_bytes;
}

void detail::put_plain_fixed(ColumnWriter& column, const void* values, std::uint32_t count) {
  const std::size_t bytes = static_cast<std::size_t>(count) * column.plan->shape.value_bytes;
  util::move_bytes(column.cursor, static_cast<const std::byte*>(values), bytes);
  column.cursor += bytes;
}

std::uint32_t detail::booleans_that_fit(const ColumnWriter& column) {
  const std::uint32_t used_bits = column.booleans % 8;
  return column.free_bytes() * 8 + (used_bits != 0 ? 8 - used_bits : 0);
}

void detail::put_plain_booleans(ColumnWriter& column, const void* values, std::uint32_t count) {
  const bool* value = static_cast<const bool*>(values);
  for (; count != 0; --count, ++value) {
    const std::uint32_t bit = column.booleans++ % 8;
    if (bit == 0) *column.cursor++ = std::byte{0};
    if (*value) column.cursor[-1] |= static_cast<std::byte>(1U << bit);
  }
}

void detail::finish_plain_booleans(ColumnWriter& column) {
  // Bits are no bytes to walk: the state is told how many there are by the shape.
  ValueShape shape = column.plan->shape;
  shape.value_bytes = column.booleans;
  column.plan->statistics->update(column.statistics, column.values, column.cursor, shape);
}

std::uint32_t detail::byte_arrays_that_fit(const ColumnWriter&) { return kUnknown; }

void detail::put_plain_byte_arrays(ColumnWriter& column, const void* values, std::uint32_t count) {
  const auto* value = static_cast<const std::string_view*>(values);
  for (; count != 0; --count, ++value) {
    util::store(column.cursor, static_cast<std::uint32_t>(value->size()));
    if (!value->empty()) std::memcpy(column.cursor + 4, value->data(), value->size());
    column.cursor += 4 + value->size();
  }
}

}  // namespace microparquet
