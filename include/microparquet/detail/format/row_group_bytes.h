// Longest row group in a footer, by which schemas are planned; src/format writes it.
#pragma once

#include <cstdint>

#include "microparquet/detail/encoding/plain.h"
#include "microparquet/detail/page_plan.h"
#include "microparquet/encoding_id.h"
#include "microparquet/indexed_layout.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet::format {

// Returns the longest entry of a row group in the footer (parquet.thrift, RowGroup). Counts and sizes have 32
// bits, five bytes as a varint; offsets and sums 64 bits, ten bytes. A ColumnChunk has, beside its name and
// bounds, field headers and constants (32 bytes), five counts, an offset, and two lengths. With transformed
// pages one of the counts has 64 bits, and there may be several encodings. The rows and the stored bytes of a
// row group have only 32 bits: ten of the bytes counted for their sums stay free, and DictionaryProof uses
// them.
constexpr std::uint32_t most_row_group_bytes(Schema schema, const Options& options) {
  constexpr std::uint32_t kRowGroup = 8 + 3 * 10 + 6;  // headers and constants, sums and rows, sorting list
  constexpr std::uint32_t kColumnChunk = 32 + 5 * 5 + 10 + 2 * 5;
  constexpr std::uint32_t kTransformed = 5 + EncodingSet::kEnd;
  constexpr std::uint32_t kDictionaryOffset = 1 + 10;
  constexpr std::uint32_t kIndexPlaces = 2 * (1 + 10 + 1 + 5);
  constexpr std::uint32_t kSortingColumn = 9;
  std::uint32_t bytes =
      kRowGroup + static_cast<std::uint32_t>(options.sorting.columns.size()) * kSortingColumn;
  if (options.layout->extends_index) bytes += static_cast<const ExtendedLayout&>(*options.layout).entry_bytes;
  for (const Field& field : schema) {
    const std::uint32_t width = encoding::plain_width(field.type, field.type_length);
    const std::uint32_t bound =
        width != 0 && width < options.max_bound_bytes ? width : options.max_bound_bytes;
    bytes += kColumnChunk + 2 * bound + static_cast<std::uint32_t>(field.name.size());
    if (detail::transform_of(field) != nullptr) bytes += kTransformed;
    if (field.encoder->dictionary != nullptr) bytes += kDictionaryOffset;
    if (options.layout->indexes_pages) bytes += kIndexPlaces;
  }
  return bytes;
}

}  // namespace microparquet::format
