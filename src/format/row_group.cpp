#include "format/row_group.h"

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

// Chunks whose pages have one encoding, and are as they were encoded.
struct PlainChunks {
  // All of it small numbers.
  void put_head(thrift::WindowSink& sink, const ColumnWriter& column, const detail::ChunkForm&) const {
    using Chunk = ColumnChunkField;
    using Meta = ColumnMetaDataField;
    const std::uint8_t head[] = {
        field_byte(Chunk::kFileOffset, CompactType::kI64, 0),
        0,
        field_byte(Chunk::kMetaData, CompactType::kStruct, Chunk::kFileOffset),
        field_byte(Meta::kType, CompactType::kI32, 0),
        zigzag_byte(static_cast<unsigned>(column.plan->shape.type)),
        field_byte(Meta::kEncodings, CompactType::kList, Meta::kType),
        list_byte(CompactType::kI32, 2),
        zigzag_byte(static_cast<unsigned>(column.plan->encoder->id)),
        zigzag_byte(static_cast<unsigned>(EncodingId::kRle)),
        field_byte(Meta::kPathInSchema, CompactType::kList, Meta::kEncodings),
    };
    sink.put(head, sizeof head);
  }
  std::uint32_t describe(const ColumnWriter&, const detail::ChunkForm&) const { return 0; }
};

}  // namespace

void write_chunk_end(thrift::WindowSink& sink, const ColumnWriter& column) {
  const BoundsTracker& tracker = *column.plan->bounds;
  const Bounds bounds = tracker.bounds(column.bounds_state, column.plan->shape);
  CompactWriter out(sink);
  out.field_i64(StatisticsField::kNullCount, column.nulls);
  unsigned nan_field = field_byte(StatisticsField::kNanCount, CompactType::kI64, StatisticsField::kNullCount);
  if (bounds.known) {
    out.field_string(StatisticsField::kMaxValue, text_of(bounds.max));
    out.field_string(StatisticsField::kMinValue, text_of(bounds.min));
    out.field_bool(StatisticsField::kIsMaxValueExact, !bounds.max_shortened);
    out.field_bool(StatisticsField::kIsMinValueExact, !bounds.min_shortened);
    nan_field = field_byte(StatisticsField::kNanCount, CompactType::kI64, StatisticsField::kIsMinValueExact);
  }
  if (tracker.counts_nan()) CompactWriter::put_i64(sink, nan_field, bounds.nan_count);
  sink.put_zeros(3);  // ends statistics, metadata, chunk
}

}  // namespace microparquet::format

void microparquet::detail::write_row_group(thrift::WindowSink& sink, const WriterState& state) {
  format::write_row_group_of(sink, state, format::PlainChunks{});
}
