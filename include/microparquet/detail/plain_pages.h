// How values in PLAIN fill a page, as far as that is known before the first of them.
#pragma once

#include <cstdint>

#include "microparquet/compressor.h"
#include "microparquet/detail/math.h"
#include "microparquet/detail/page_header_bytes.h"
#include "microparquet/schema.h"

namespace microparquet::detail {

constexpr bool is_optional(const Field& field) { return field.repetition == Repetition::kOptional; }

// What is done to the column's pages; null: nothing.
constexpr const PageTransform* transform_of(const Field& field) {
  if (field.compressor != nullptr) return &field.compressor->transform();
  return field.encoder->dictionary != nullptr ? field.encoder->dictionary->transform
                                              : field.encoder->transform;
}

// Bytes of a dictionary page with its header at most; 0: the column has none.
constexpr std::uint32_t dictionary_page_bytes(const Encoder& encoder, const Compressor* compressor) {
  if (encoder.dictionary == nullptr) return 0;
  const std::uint32_t bytes = encoder.dictionary->most_bytes;
  return format::kMostDictionaryPageHeader +
         (compressor != nullptr ? compressor->growth().most_bytes(bytes) : bytes);
}

// Of a column whose pages have all as many values, and are as large: bytes of one. 0: that depends on the
// values.
constexpr std::uint32_t plain_width(const Field& field) {
  if (is_optional(field) || field.encoder->id != EncodingId::kPlain || field.compressor != nullptr) return 0;
  return value_bytes(field.type, field.type_length);
}

// Space for the header at the head of a page buffer. PLAIN values of a required fixed-width column fill the
// rest exactly, so that a full page needs no move; very wide ones may leave some. Before a page that is
// compressed there is space for what it may grow by, too, in whole words.
constexpr std::uint32_t header_reserve(const Field& field, std::uint32_t page_bytes) {
  constexpr std::uint32_t kAnyNumber = 0x7FFFFFFF;
  const std::uint32_t width = plain_width(field);
  const bool is_plain = field.encoder->id == EncodingId::kPlain && !is_optional(field);
  const std::uint32_t most_values = !is_plain                        ? kAnyNumber
                                    : field.type == Type::kBoolean   ? 8 * page_bytes
                                    : field.type == Type::kByteArray ? page_bytes / 4
                                                                     : page_bytes / (width != 0 ? width : 1);
  const std::uint32_t least = format::page_header_bytes(page_bytes, most_values);
  if (field.compressor != nullptr) {
    const Growth& growth = field.compressor->growth();
    if (page_bytes <= least + growth.bytes) return page_bytes;
    const std::uint32_t most = page_bytes - least - growth.bytes;  // after compression
    return round_up(page_bytes - most + (growth.share != 0 ? most / (growth.share + 1) + 1 : 0), 8);
  }
  const bool exact = width >= 2 && width < 256 && page_bytes >= least;
  return exact ? page_bytes - (page_bytes - least) / width * width : least;
}

// Rows of a full page; 0: depends on the values.
constexpr std::uint32_t rows_per_page(const Field& field, std::uint32_t page_bytes) {
  const std::uint32_t width = plain_width(field);
  if (width == 0) return 0;
  const std::uint32_t body = page_bytes - header_reserve(field, page_bytes);
  return field.type == Type::kBoolean ? body * 8 : body / width;
}

}  // namespace microparquet::detail
