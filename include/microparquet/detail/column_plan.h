// Properties of a column that its field and the options determine before its first value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/math.h"
#include "microparquet/detail/page_plan.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"

namespace microparquet::detail {

// Plan of a column. A StaticWriter has it in flash, where its Fields need not be.
struct ColumnPlan {
  const std::byte* path;  // path_in_schema, a list of one name: a part of the footer's head
  const Encoder* encoder;
  const BoundsTracker* bounds;
  const Levels* levels;  // null: the column is required
  ValueShape shape;
  std::uint32_t page_bytes;
  std::uint32_t rows_per_page;  // rows in a full page; 0: it depends on the values
  std::uint16_t path_bytes;
  std::uint16_t header_bytes;  // space for the page header at the buffer's head
};

constexpr std::uint32_t page_bytes_of(const Field& field, const Options& options) {
  return field.page_bytes != 0 ? field.page_bytes : options.page_bytes;
}

// Returns the length of the state of a column's bounds.
constexpr std::uint32_t bounds_state_bytes(const Field& field, const Options& options) {
  constexpr std::uint32_t kNumber = 24;  // covers float16, a number whose type is fixed_len_byte_array
  if (field.type != Type::kByteArray && field.type != Type::kFixedLenByteArray) return kNumber;
  const std::uint32_t bytes = round_up(8 + 3 * static_cast<std::uint32_t>(options.max_bound_bytes), 8);
  return bytes < kNumber ? kNumber : bytes;
}

constexpr Truncation truncation_of(const Field& field) {
  if (field.type != Type::kByteArray) return Truncation::kNone;
  if (field.logical.kind == LogicalKind::kNone) return Truncation::kBytes;
  return field.logical.kind == LogicalKind::kString ? Truncation::kUtf8 : Truncation::kNone;
}

// Makes the plan. Requires: the field is sound with these options; see check.h.
constexpr ColumnPlan plan_column(const Field& field, const Options& options, Span<const std::byte> path) {
  const std::uint32_t page_bytes = page_bytes_of(field, options);
  const ValueShape shape{value_bytes(field.type, field.type_length), options.max_bound_bytes,
                         truncation_of(field), field.type,
                         static_cast<std::uint8_t>(bounds_state_bytes(field, options))};
  // A byte array that fits in one page must fit in every page, whatever tail the last page leaves.
  const std::uint32_t head = field.type == Type::kByteArray && has_tails(field, options) ? kSectorBytes : 0;
  return {path.data(),
          field.encoder,
          field.bounds,
          field.levels,
          shape,
          page_bytes,
          options.layout->checkpoints != CheckpointKind::kKeepPages ? rows_per_page(field, page_bytes) : 0,
          static_cast<std::uint16_t>(path.size()),
          static_cast<std::uint16_t>(header_reserve(field, page_bytes) + head)};
}

}  // namespace microparquet::detail
