// SortingColumn (parquet.thrift), which states the order in which rows came.
#pragma once

#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/options.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {

// Returns the first byte of RowGroup.total_compressed_size after the field `id`.
constexpr unsigned total_compressed_size_after(int id) {
  return thrift::field_byte(RowGroupField::kTotalCompressedSize, thrift::CompactType::kI64, id);
}
inline constexpr unsigned kHeaderWithoutSortingColumns = total_compressed_size_after(RowGroupField::kNumRows);

// Writes RowGroup.sorting_columns after num_rows. Returns the first byte of total_compressed_size, which
// follows; without sorting columns it is the constant above.
static inline unsigned write_sorting_columns(thrift::WindowSink& sink, Span<const SortingColumn> columns) {
  thrift::CompactWriter out(sink, RowGroupField::kNumRows);
  out.field_list(RowGroupField::kSortingColumns, thrift::CompactType::kStruct,
                 static_cast<std::uint32_t>(columns.size()));
  for (const SortingColumn& column : columns) {
    out.element_struct();
    out.field_i32(SortingColumnField::kColumnIdx, static_cast<std::int32_t>(column.column));
    out.field_bool(SortingColumnField::kDescending, column.descending);
    out.field_bool(SortingColumnField::kNullsFirst, column.nulls_first);
    out.end_struct(RowGroupField::kSortingColumns);
  }
  return total_compressed_size_after(RowGroupField::kSortingColumns);
}

}  // namespace microparquet::format
