#include "format/row_group.h"

#include "microparquet/detail/fields.h"
#include "microparquet/sorting.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {
namespace {

using detail::ColumnWriter;
using thrift::CompactType;
using thrift::CompactWriter;
using thrift::field_byte;
using thrift::list_byte;

std::string_view text_of(Span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

constexpr std::uint8_t zigzag(unsigned small) { return static_cast<std::uint8_t>(small << 1); }

// From the beginning of a ColumnChunk to its name; all of it small numbers.
void put_head(thrift::WindowSink& sink, const detail::ColumnPlan& plan) {
  using Chunk = ColumnChunkField;
  using Meta = ColumnMetaDataField;
  const std::uint8_t head[] = {
      field_byte(Chunk::kFileOffset, CompactType::kI64, 0),
      0,
      field_byte(Chunk::kMetaData, CompactType::kStruct, Chunk::kFileOffset),
      field_byte(Meta::kType, CompactType::kI32, 0),
      zigzag(static_cast<unsigned>(plan.shape.type)),
      field_byte(Meta::kEncodings, CompactType::kList, Meta::kType),
      list_byte(CompactType::kI32, 2),
      zigzag(static_cast<unsigned>(plan.encoder->id)),
      zigzag(static_cast<unsigned>(EncodingId::kRle)),
      field_byte(Meta::kPathInSchema, CompactType::kList, Meta::kEncodings),
  };
  sink.put(head, sizeof head);
}

[[gnu::noinline]] void write_statistics(thrift::WindowSink& sink, const ColumnWriter& column) {
  const Statistics& statistics = *column.plan->statistics;
  const Bounds bounds = statistics.bounds(column.statistics, column.plan->shape);
  CompactWriter out(sink, ColumnMetaDataField::kDataPageOffset);
  out.field_struct(ColumnMetaDataField::kStatistics);
  out.field_i64(StatisticsField::kNullCount, column.nulls);
  unsigned nan_field = field_byte(StatisticsField::kNanCount, CompactType::kI64, StatisticsField::kNullCount);
  if (bounds.known) {
    out.field_string(StatisticsField::kMaxValue, text_of(bounds.max));
    out.field_string(StatisticsField::kMinValue, text_of(bounds.min));
    out.field_bool(StatisticsField::kIsMaxValueExact, !bounds.max_shortened);
    out.field_bool(StatisticsField::kIsMinValueExact, !bounds.min_shortened);
    nan_field = field_byte(StatisticsField::kNanCount, CompactType::kI64, StatisticsField::kIsMinValueExact);
  }
  if (statistics.counts_nan()) CompactWriter::put_i64(sink, nan_field, bounds.nan_count);
}

void write_column_chunk(thrift::WindowSink& sink, const ColumnWriter& column, std::uint32_t rows) {
  using Meta = ColumnMetaDataField;
  put_head(sink, *column.plan);
  sink.put(column.plan->path, column.plan->path_bytes);
  CompactWriter out(sink, Meta::kCodec);
  CompactWriter::put_i64(sink, field_byte(Meta::kCodec, CompactType::kI32, Meta::kPathInSchema), 0);
  out.field_i64(Meta::kNumValues, rows);
  out.field_i64(Meta::kTotalUncompressedSize, column.chunk_bytes);
  out.field_i64(Meta::kTotalCompressedSize, column.chunk_bytes);
  out.field_i64(Meta::kDataPageOffset, column.chunk_begin);
  write_statistics(sink, column);
  sink.put_zeros(3);  // ends statistics, metadata, chunk
}

}  // namespace

void write_row_group(thrift::WindowSink& sink, const detail::WriterState& state) {
  const std::uint32_t rows = detail::rows_in_group(state);
  std::uint32_t bytes = 0;
  // The long form of a list header, for any number of columns.
  sink.put_byte(field_byte(RowGroupField::kColumns, CompactType::kList, 0));
  sink.put_byte(list_byte(CompactType::kStruct, 15));
  CompactWriter(sink).varint(state.plan->columns_count);
  for (const ColumnWriter& column : columns_of(state)) {
    write_column_chunk(sink, column, rows);
    bytes += column.chunk_bytes;
  }
  CompactWriter out(sink, RowGroupField::kColumns);
  out.field_i64(RowGroupField::kTotalByteSize, bytes);
  out.field_i64(RowGroupField::kNumRows, rows);
  if (is_sorted(state) && !sort_state_of(state).broken) {
    CompactWriter sorting(sink, RowGroupField::kNumRows);
    state.options->sorting.checker->write_columns(sorting, state.options->sorting.columns);
    CompactWriter(sink, RowGroupField::kSortingColumns).field_i64(RowGroupField::kTotalCompressedSize, bytes);
  } else {
    out.field_i64(RowGroupField::kTotalCompressedSize, bytes);
  }
  sink.put_zeros(1);
}

}  // namespace microparquet::format
