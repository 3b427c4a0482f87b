// Checks of a schema and options: at compile time for a StaticWriter, otherwise when the file is opened.
#pragma once

#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/encoding/plain.h"
#include "microparquet/detail/writer_state.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet::detail {

// Returns the digits that a decimal of `bytes` bytes in two's complement holds: the number of bits times
// log10(2).
constexpr std::uint32_t decimal_digits(std::uint32_t bytes) { return (8 * bytes - 1) * 1233 >> 12; }

constexpr bool decimal_fits(const Field& field) {
  const LogicalType& logical = field.logical;
  if (logical.precision == 0 || logical.scale > logical.precision) return false;
  if (field.type == Type::kByteArray) return true;
  const bool number =
      field.type == Type::kInt32 || field.type == Type::kInt64 || field.type == Type::kFixedLenByteArray;
  return number && logical.precision <= decimal_digits(value_bytes(field.type, field.type_length));
}

// Returns whether the physical type may carry the logical type (LogicalTypes.md).
constexpr bool types_agree(const Field& field) {
  const LogicalType& logical = field.logical;
  const bool fixed = field.type == Type::kFixedLenByteArray;
  switch (logical.kind) {
    case LogicalKind::kNone: return true;
    case LogicalKind::kString:
    case LogicalKind::kEnum:
    case LogicalKind::kJson:
    case LogicalKind::kBson: return field.type == Type::kByteArray;
    case LogicalKind::kUuid: return fixed && field.type_length == 16;
    case LogicalKind::kInterval: return fixed && field.type_length == 12;
    case LogicalKind::kFloat16: return fixed && field.type_length == 2;
    case LogicalKind::kDecimal: return decimal_fits(field);
    case LogicalKind::kDate: return field.type == Type::kInt32;
    case LogicalKind::kTime:
      return field.type == (logical.unit == TimeUnit::kMillis ? Type::kInt32 : Type::kInt64);
    case LogicalKind::kTimestamp: return field.type == Type::kInt64;
    case LogicalKind::kInteger:
      if (logical.bits == 64) return field.type == Type::kInt64;
      return field.type == Type::kInt32 && (logical.bits == 8 || logical.bits == 16 || logical.bits == 32);
    default: break;  // is_read_only()
  }
  return false;
}

// Checks a field by itself. Requires: it names an encoder and bounds.
constexpr bool field_is_sound(const Field& field) {
  if (field.name.empty() || field.name.size() > kMaxNameBytes || field.repetition == Repetition::kRepeated)
    return false;
  if (field.type == Type::kFixedLenByteArray && field.type_length == 0) return false;
  if (!field.encoder->supports(field.type) || field.encoder->state_bytes % 8 != 0) return false;
  if (!field.bounds->supports(field.type)) return false;
  return types_agree(field);
}

constexpr bool fields_are_sound(Schema schema) {
  if (schema.empty() || schema.size() > kMaxColumns) return false;
  for (const Field& field : schema) {
    if (!field_is_sound(field)) return false;
  }
  return true;
}

// Compares each name with each other one, which takes no memory.
constexpr bool names_differ(Schema schema) {
  for (std::size_t i = 0; i < schema.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (schema[i].name == schema[j].name) return false;
    }
  }
  return true;
}

constexpr bool schema_is_sound(Schema schema) { return fields_are_sound(schema) && names_differ(schema); }

constexpr bool page_is_sound(const Field& field, const Options& options) {
  constexpr std::uint32_t kMin = 128;
  constexpr std::uint32_t kMax = 1 << 28;
  std::uint32_t page = page_bytes_of(field, options);
  if (page < kMin || page > kMax || page % 8 != 0) return false;
  if (options.whole_sectors && options.layout->in_place && bytes_to_sector(page) != 0) return false;
  // A page must hold header, levels and one value; a byte array of a useful size.
  constexpr std::uint32_t kLevels = encoding::kLengthBytes + 3 * kMaxLevelBytes;
  const std::uint32_t width = encoding::plain_width(field.type, field.type_length);
  if (field.compressor != nullptr) {
    const std::uint32_t reserve = header_reserve(field, page);
    const std::uint32_t tail = has_tails(field, options) ? kSectorBytes : 0;
    if (reserve + tail > 0xFFFF || reserve + tail >= page) return false;
    page -= reserve + tail;
  }
  return width <= page && format::kMostPageHeader + (is_optional(field) ? kLevels + 1 : 0) + width <= page;
}

// Checks the options. Requires: the schema is sound.
constexpr bool options_are_sound(Schema schema, const Options& options) {
  constexpr std::uint8_t kMaxBoundBytes = 64;
  const std::uint32_t most_block = options.layout->in_place ? 4096 : 32 << 10;
  for (const Field& field : schema) {
    if (!page_is_sound(field, options)) return false;
  }
  const std::uint32_t block = options.block_bytes;
  if (block < kSectorBytes || block > most_block || (block & (block - 1)) != 0) return false;
  const std::uint32_t align = options.transfer_align;
  if (align < 8 || align > kMaxTransferAlign || (align & (align - 1)) != 0) return false;
  if (options.max_bound_bytes == 0 || options.max_bound_bytes > kMaxBoundBytes) return false;
  if (options.row_group_bytes > kMaxRowGroupBytes) return false;
  if (options.layout->indexes_pages &&
      indexed_layout(options).index_bytes() < page_index_bytes(schema, options, 0))
    return false;
  for (const SortingColumn& column : options.sorting.columns) {
    if (column.column >= schema.size()) return false;
  }
  return true;
}

}  // namespace microparquet::detail
