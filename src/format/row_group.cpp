#include "format/row_group.h"

#include "microparquet/detail/fields.h"
#include "microparquet/sorting.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {
namespace {

using detail::ColumnWriter;
using thrift::CompactType;
using thrift::CompactWriter;

std::string_view text_of(Span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

[[gnu::noinline]] void write_statistics(CompactWriter& out, const ColumnWriter& column) {
  const Bounds bounds = column.plan->statistics->bounds(column.statistics, column.plan->shape);
  out.field_struct(ColumnMetaDataField::kStatistics);
  out.field_i64(StatisticsField::kNullCount, column.nulls);
  // Both or neither: there are readers (arrow-go) that take a missing bound beside a present one for an empty
  // string.
  if (bounds.has_min && bounds.has_max) {
    out.field_string(StatisticsField::kMaxValue, text_of(bounds.max));
    out.field_string(StatisticsField::kMinValue, text_of(bounds.min));
    out.field_bool(StatisticsField::kIsMaxValueExact, bounds.max_exact);
    out.field_bool(StatisticsField::kIsMinValueExact, bounds.min_exact);
  }
  if (bounds.counts_nan) out.field_i64(StatisticsField::kNanCount, bounds.nan_count);
  out.end_struct(ColumnMetaDataField::kStatistics);
}

void write_column_chunk(CompactWriter& out, const ColumnWriter& column, std::uint32_t rows) {
  out.element_struct();
  out.field_i64(ColumnChunkField::kFileOffset, 0);
  out.field_struct(ColumnChunkField::kMetaData);
  out.field_i32(ColumnMetaDataField::kType, static_cast<std::int32_t>(column.plan->type));
  out.field_list(ColumnMetaDataField::kEncodings, CompactType::kI32, 2);
  out.element_i32(static_cast<std::int32_t>(column.plan->encoding->id()));
  out.element_i32(static_cast<std::int32_t>(EncodingId::kRle));
  out.field_list(ColumnMetaDataField::kPathInSchema, CompactType::kBinary, 1);
  out.element_string(column.plan->name);
  out.field_i32(ColumnMetaDataField::kCodec, 0);
  out.field_i64(ColumnMetaDataField::kNumValues, rows);
  out.field_i64(ColumnMetaDataField::kTotalUncompressedSize, column.chunk_bytes);
  out.field_i64(ColumnMetaDataField::kTotalCompressedSize, column.chunk_bytes);
  out.field_i64(ColumnMetaDataField::kDataPageOffset, column.chunk_begin);
  write_statistics(out, column);
  out.end_struct(ColumnChunkField::kMetaData);
  out.end_struct(RowGroupField::kColumns);
}

}  // namespace

void write_row_group(thrift::WindowSink& sink, const detail::WriterState& state) {
  const std::uint32_t rows = detail::rows_in_group(state);
  std::uint64_t bytes = 0;
  CompactWriter out(sink);
  out.field_list(RowGroupField::kColumns, CompactType::kStruct, state.columns_count);
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    write_column_chunk(out, state.columns[i], rows);
    bytes += state.columns[i].chunk_bytes;
  }
  out.field_i64(RowGroupField::kTotalByteSize, bytes);
  out.field_i64(RowGroupField::kNumRows, rows);
  if (state.sort != nullptr && !state.sort->broken) {
    state.options->sorting.checker->write_columns(out, state.options->sorting.columns);
  }
  out.field_i64(RowGroupField::kTotalCompressedSize, bytes);
  out.end_struct(FileMetaDataField::kRowGroups);
}

}  // namespace microparquet::format
