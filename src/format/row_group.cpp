#include "format/row_group.h"

#include "format/statistics_writer.h"

namespace microparquet::format {
void write_chunk_end(thrift::WindowSink& sink, const detail::ColumnWriter& column) {
  const BoundsTracker& tracker = *column.plan->bounds;
  const Bounds bounds = tracker.bounds(column.bounds_state, column.plan->shape);
  put_statistics(sink, column, tracker, bounds, bounds.nan_count);
  sink.put_zeros(3);  // ends statistics, metadata, chunk
}

}  // namespace microparquet::format

std::uint32_t microparquet::detail::write_row_group(thrift::WindowSink& sink, const WriterState& state) {
  return format::write_row_group_of(sink, state, format::PlainChunks{});
}
