// Parts of the forecasts for columns that have several values in a row: what these change of the smoothed forecast.
#pragma once

#include <cstdint>

#include "microparquet/detail/encoding/plain.h"
#include "microparquet/detail/layout_objects.h"
#include "microparquet/detail/writer_state.h"
#include "write/in_place/extent_plan.h"
#include "write/layout_ops.h"

namespace microparquet::detail::row_forecast {

// Returns the expectation of a row of `slots` values without experience: these, and a share of levels and headers.
inline std::uint32_t usual_bytes(const ColumnWriter& column, std::uint32_t slots) {
  constexpr std::uint32_t kBeside = 16;  // a 16th
  const std::uint32_t values = slots * encoding::usual_plain_bytes(column.plan->shape.value_bytes);
  return (values + values / kBeside + 1) * write::kFraction;
}

// Expects `bytes` of a row of the column, in parts of kFraction.
inline void expect(WriterState& state, ColumnWriter& column, std::uint32_t bytes) {
  constexpr std::uint32_t kParts = write::kFraction / kRowFraction;
  state.bytes_per_row += bytes / kParts - column.stored_bytes_per_row / kParts;
  column.stored_bytes_per_row = bytes;
}

// Returns an extent of `bytes`, or the least of such a column: a row fits in each page, but not in the rest of one.
inline std::uint32_t two_pages_or(const ColumnWriter& column, std::uint32_t bytes) {
  const std::uint32_t least = 2 * column.plan->page_bytes;
  return bytes < least ? least : bytes;
}

inline SectorIndex extend_last(WriterState& state, SectorIndex end, SectorIndex limit) {
  return kSmoothedForecast.extend_last(state, end, limit);
}
inline Status observe(WriterState& state, std::uint32_t rows) {
  return kSmoothedForecast.observe(state, rows);
}
inline Status observe_after_tails(WriterState& state, std::uint32_t rows) {
  return kSectorTailForecast.observe(state, rows);
}
inline void count_cut_pages(WriterState& state) { kSmoothedForecast.count_cut_pages(state); }
inline bool checkpoint_comes(const WriterState& state) { return kSmoothedForecast.checkpoint_comes(state); }

// Returns the smoothed forecast with these functions of its own.
constexpr ExtentForecast over_smoothed(decltype(ExtentForecast::predict) predict,
                                       decltype(ExtentForecast::extent_bytes) extent_bytes,
                                       decltype(ExtentForecast::observe) observe_rows) {
  return {predict, extent_bytes, &extend_last, observe_rows, &count_cut_pages, &checkpoint_comes};
}

}  // namespace microparquet::detail::row_forecast
