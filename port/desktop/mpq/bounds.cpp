#include "bounds.h"

#include "value_order.h"

namespace mpq_tool {

namespace {

using microparquet::ColumnChunkInfo;
using microparquet::ColumnStatistics;
using microparquet::LogicalKind;
using microparquet::Type;
using microparquet::recovery::compare;
using microparquet::recovery::has_order;
using Bytes = microparquet::Span<const std::byte>;

constexpr std::uint8_t kKnownCodecs = 8;

}  // namespace

void ColumnSummary::add(const ColumnChunkInfo& chunk, const ColumnStatistics& statistics) {
  bytes_ += chunk.compressed_bytes;
  encodings_ |= chunk.encodings;
  if (const auto codec = static_cast<std::uint8_t>(chunk.codec); codec < kKnownCodecs) {
    codecs_ = static_cast<std::uint8_t>(codecs_ | 1U << codec);
  } else {
    other_codec_ = codec;
  }
  if (nulls_ && statistics.has_null_count) {
    *nulls_ += statistics.null_count;
  } else if (element_.max_definition_level != 0) {
    nulls_.reset();
  }
  const bool all_null = statistics.has_null_count && statistics.null_count == chunk.values;
  if (all_null) {
    return;
  }
  const bool usable = has_order(element_) && !order_is_doubtful(statistics);
  add_bound(min_, min_untold_, usable && statistics.has_min, statistics.min, -1);
  add_bound(max_, max_untold_, usable && statistics.has_max, statistics.max, 1);
}

bool ColumnSummary::uses(microparquet::CodecId codec) const {
  const auto id = static_cast<std::uint8_t>(codec);
  return id < kKnownCodecs ? (codecs_ >> id & 1) != 0 : id == other_codec_;
}

// The fields `min` and `max` that came before `min_value` and `max_value` were compared as signed.
bool ColumnSummary::order_is_doubtful(const ColumnStatistics& statistics) const {
  const bool is_unsigned = element_.logical.kind == LogicalKind::kInteger && !element_.logical.is_signed;
  const bool bytes = element_.type == Type::kByteArray || element_.type == Type::kFixedLenByteArray;
  return statistics.deprecated && (is_unsigned || bytes);
}

void ColumnSummary::add_bound(std::optional<Bound>& bound, bool& untold, bool told, Bytes value,
                              int sign) const {
  if (!told || untold) {
    untold = true;
    bound.reset();
    return;
  }
  if (!bound || compare(element_, value, *bound) * sign > 0) {
    bound = Bound(value.begin(), value.end());
  }
}

}  // namespace mpq_tool
