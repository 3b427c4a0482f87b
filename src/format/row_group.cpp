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
  const Statistics& statistics = *column.plan->statistics;
  const Bounds bounds = statistics.bounds(column.statistics, column.plan->shape);
  out.field_struct(ColumnMetaDataField::kStatistics);
  out.field_i64(StatisticsField::kNullCount, column.nulls);
  if (bounds.known) {
    out.field_string(StatisticsField::kMaxValue, text_of(bounds.max));
    out.field_string(StatisticsField::kMinValue, text_of(bounds.min));
    out.field_bool(StatisticsField::kIsMaxValueExact, !bounds.max_shortened);
    out.field_bool(StatisticsField::kIsMinValueExact, !bounds.min_shortened);
  }
  if (statistics.counts_nan()) out.field_i64(StatisticsField::kNanCount, bounds.nan_count);
  out.end_struct(ColumnMetaDataField::kStatistics);
}

void write_column_chunk(CompactWriter& out, const ColumnWriter& column, std::uint32_t rows) {
  using Meta = ColumnMetaDataField;
  out.element_struct();
  out.field_i64(ColumnChunkField::kFileOffset, 0);
  out.field_struct(ColumnChunkField::kMetaData);
  out.field_i32(Meta::kType, static_cast<std::int32_t>(column.plan->type));
  out.field_list(Meta::kEncodings, CompactType::kI32, 2);
  out.element_i32(static_cast<std::int32_t>(column.plan->encoding->id()));
  out.element_i32(static_cast<std::int32_t>(EncodingId::kRle));
  out.field_list(Meta::kPathInSchema, CompactType::kBinary, 1);
  out.element_string(column.plan->name);
  out.field_i32(Meta::kCodec, 0);
  out.field_i64(Meta::kNumValues, rows);
  out.field_i64(Meta::kTotalUncompressedSize, column.chunk_bytes);
  out.field_i64(Meta::kTotalCompressedSize, column.chunk_bytes);
  out.field_i64(Meta::kDataPageOffset, column.chunk_begin);
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
  for (const ColumnWriter& column : columns_of(state)) {
    write_column_chunk(out, column, rows);
    bytes += column.chunk_bytes;
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
