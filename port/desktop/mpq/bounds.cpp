#include "bounds.h"

namespace mpq_tool {

namespace {

using microparquet::ColumnChunkInfo;
using microparquet::ColumnStatistics;
using microparquet::detail::Comparison;
using microparquet::detail::ValueOrder;
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
  const bool usable = order_ != ValueOrder::kNone &&
                      (!statistics.deprecated || microparquet::detail::trusts_old_bounds(order_));
  add_bound(min_, min_untold_, usable && statistics.has_min, statistics.min, Comparison::kLess);
  add_bound(max_, max_untold_, usable && statistics.has_max, statistics.max, Comparison::kGreater);
}

bool ColumnSummary::uses(microparquet::CodecId codec) const {
  const auto id = static_cast<std::uint8_t>(codec);
  return id < kKnownCodecs ? (codecs_ >> id & 1) != 0 : id == other_codec_;
}

void ColumnSummary::add_bound(std::optional<Bound>& bound, bool& untold, bool told, Bytes value,
                              Comparison outer) const {
  if (!told || untold) {
    untold = true;
    bound.reset();
    return;
  }
  if (!bound || microparquet::detail::compare(order_, value, *bound) == outer) {
    bound = Bound(value.begin(), value.end());
  }
}

}  // namespace mpq_tool
