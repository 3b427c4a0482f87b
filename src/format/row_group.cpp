#include "format/row_group.h"

#include "format/fields.h"
#include "microparquet/sorting.h"

namespace microparquet::format {
namespace {

using detail::ColumnWriter;
using thrift::CompactType;
using thrift::CompactWriter;

void write_statistics(CompactWriter& out, const ColumnWriter& column) {
  const Bounds bounds = column.field->statistics->bounds(column.statistics, column.shape);
  out.field_struct(ColumnMetaDataField::kStatistics);
  out.field_count(StatisticsField::kNullCount, column.nulls);
  // Both or neither: there are readers (arrow-go) that take a missing bound beside a present one for an empty string.
  if (bounds.has_min && bounds.has_max) {
    out.field_binary(StatisticsField::kMaxValue, bounds.max.data(), bounds.max.size());
    out.field_binary(StatisticsField::kMinValue, bounds.min.data(), bounds.min.size());
    out.field_bool(StatisticsField::kIsMaxValueExact, bounds.max_exact);
    out.field_bool(StatisticsField::kIsMinValueExact, bounds.min_exact);
  }
  if (bounds.counts_nan) out.field_count(StatisticsField::kNanCount, bounds.nan_count);
  out.end_struct();
}

void write_column_chunk(CompactWriter& out, const ColumnWriter& column, std::uint32_t rows) {
  out.element_struct();
  out.field_count(ColumnChunkField::kFileOffset, 0);
  out.field_struct(ColumnChunkField::kMetaData);
  out.field_i32(ColumnMetaDataField::kType, static_cast<std::int32_t>(column.field->type));
  out.field_list(ColumnMetaDataField::kEncodings, CompactType::kI32, 2);
  out.element_i32(static_cast<std::int32_t>(column.field->encoding->id()));
  out.element_i32(static_cast<std::int32_t>(EncodingId::kRle));
  out.field_list(ColumnMetaDataField::kPathInSchema, CompactType::kBinary, 1);
  out.element_string(column.field->name);
  out.field_i32(ColumnMetaDataField::kCodec, 0);
  out.field_count(ColumnMetaDataField::kNumValues, rows);
  out.field_count(ColumnMetaDataField::kTotalUncompressedSize, column.raw_bytes);
  out.field_count(ColumnMetaDataField::kTotalCompressedSize, column.chunk_bytes);
  out.field_i64(ColumnMetaDataField::kDataPageOffset, static_cast<std::int64_t>(column.chunk_begin));
  write_statistics(out, column);
  out.end_struct();
  out.end_struct();
}

}  // namespace

void write_row_group(CompactWriter& out, const detail::WriterState& state) {
  const std::uint32_t rows = detail::rows_in_group(state);
  std::uint64_t raw_bytes = 0;
  std::uint64_t stored_bytes = 0;
  out.element_struct();
  out.field_list(RowGroupField::kColumns, CompactType::kStruct, state.columns_count);
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    write_column_chunk(out, state.columns[i], rows);
    raw_bytes += state.columns[i].raw_bytes;
    stored_bytes += state.columns[i].chunk_bytes;
  }
  out.field_i64(RowGroupField::kTotalByteSize, static_cast<std::int64_t>(raw_bytes));
  out.field_count(RowGroupField::kNumRows, rows);
  if (state.sort != nullptr && !state.sort->broken) state.options->sorting.checker->write_columns(out, state.options->sorting.columns);
  out.field_i64(RowGroupField::kTotalCompressedSize, static_cast<std::int64_t>(stored_bytes));
  out.end_struct();
}

}  // namespace microparquet::format
