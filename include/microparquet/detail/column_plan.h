// What is known of a column before its first value: by its field and the options.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/math.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"

namespace microparquet::detail {

// A StaticWriter has the plans of its columns in flash, and its Fields need not be there.
struct ColumnPlan {
  const std::byte* path;  // path_in_schema, a list of one name: a part of the footer's head
  const Encoding* encoding;
  const Statistics* statistics;
  const Levels* levels;  // null: the column is required
  ValueShape shape;
  std::uint32_t page_bytes;
  std::uint32_t rows_per_page;  // in a full page; 0: depends on the values
  std::uint16_t path_bytes;
  std::uint16_t header_bytes;  // space for the page header at the buffer's head
};

constexpr bool is_optional(const Field& field) { return field.repetition == Repetition::kOptional; }

constexpr std::uint32_t page_bytes_of(const Field& field, const Options& options) {
  return field.page_bytes != 0 ? field.page_bytes : options.page_bytes;
}

// Bytes of a data page header without padding (parquet.thrift, PageHeader): fifteen bytes of field headers
// and constants, five of CRC, and varints, zigzag, of the body's size, twice, and of the number of values.
constexpr std::uint32_t page_header_bytes(std::uint32_t body, std::uint32_t values) {
  return 20 + 2 * varint_bytes(body * 2) + varint_bytes(values * 2);
}

// Space for the header at the head of a page buffer. The values of a required fixed-width column fill the
// rest exactly, so that a full page needs no move; very wide ones may leave some.
constexpr std::uint16_t header_reserve(const Field& field, const Options& options) {
  const std::uint32_t page = page_bytes_of(field, options);
  const std::uint32_t width = value_bytes(field.type, field.type_length);
  const std::uint32_t most_values = is_optional(field)               ? 0x7FFFFFFF
                                    : field.type == Type::kBoolean   ? 8 * page
                                    : field.type == Type::kByteArray ? page / 4
                                                                     : page / (width != 0 ? width : 1);
  const std::uint32_t least = page_header_bytes(page, most_values);
  const bool exact = !is_optional(field) && width >= 2 && width < 256 && page >= least;
  return static_cast<std::uint16_t>(exact ? page - (page - least) / width * width : least);
}

// Bytes of the state after a column's statistics.
constexpr std::uint32_t statistics_state_bytes(const Field& field, const Options& options) {
  constexpr std::uint32_t kNumber = 24;  // float16 is a number too, whose type is fixed_len_byte_array
  if (field.type != Type::kByteArray && field.type != Type::kFixedLenByteArray) return kNumber;
  const std::uint32_t bytes = round_up(8 + 3 * static_cast<std::uint32_t>(options.max_bound_bytes), 8);
  return bytes < kNumber ? kNumber : bytes;
}

constexpr Truncation truncation_of(const Field& field) {
  if (field.type != Type::kByteArray) return Truncation::kNone;
  if (field.logical.kind == LogicalKind::kNone) return Truncation::kBytes;
  return field.logical.kind == LogicalKind::kString ? Truncation::kUtf8 : Truncation::kNone;
}

constexpr std::uint32_t rows_per_page(const Field& field, const Options& options) {
  const std::uint32_t body = page_bytes_of(field, options) - header_reserve(field, options);
  const std::uint32_t width = value_bytes(field.type, field.type_length);
  if (is_optional(field) || width == 0) return 0;
  return field.type == Type::kBoolean ? body * 8 : body / width;
}

// Requires: the field is sound with these options; see check.h.
constexpr ColumnPlan plan_column(const Field& field, const Options& options, Span<const std::byte> path) {
  const ValueShape shape{value_bytes(field.type, field.type_length), options.max_bound_bytes,
                         truncation_of(field), field.type,
                         static_cast<std::uint8_t>(statistics_state_bytes(field, options))};
  return {path.data(),
          field.encoding,
          field.statistics,
          field.levels,
          shape,
          page_bytes_of(field, options),
          rows_per_page(field, options),
          static_cast<std::uint16_t>(path.size()),
          header_reserve(field, options)};
}

}  // namespace microparquet::detail
