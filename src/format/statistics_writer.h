// Statistics (parquet.thrift) of a written column chunk.
#pragma once

#include <string_view>

#include "io/window_sink.h"
#include "microparquet/bounds_tracker.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/format/fields.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {

inline std::string_view text_of(Span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Puts the structure without its stop byte. It reads `nan_count` last. It is inlined into its two callers, of
// which a program links one.
[[gnu::always_inline]] inline void put_statistics(thrift::WindowSink& sink,
                                                  const detail::ColumnWriter& column,
                                                  const BoundsTracker& tracker, const Bounds& bounds,
                                                  const std::uint32_t& nan_count) {
  using thrift::CompactType;
  using thrift::CompactWriter;
  using thrift::field_byte;
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
  if (tracker.counts_nan()) CompactWriter::put_i64(sink, nan_field, nan_count);
}

}  // namespace microparquet::format
