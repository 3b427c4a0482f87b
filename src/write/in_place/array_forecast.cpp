// Forecast for columns of which some are arrays without a fixed number of rows in a page: a row has many values,
// also before the first row group, and in what a resumed file tells.
#include "microparquet/detail/array_forecast.h"
#include "base/try.h"
#include "microparquet/detail/array_encoder.h"
#include "microparquet/detail/encoding/plain.h"
#include "microparquet/detail/writer_state.h"
#include "write/in_place/extent_plan.h"
#include "write/layout_ops.h"

namespace microparquet::detail {
namespace {

using write::kFraction;

bool is_forecast_array(const ColumnWriter& column) {
  return column.plan->rows_per_page == 0 && is_array(column);
}

// Returns the expectation of a row without experience: values, and a share of levels and headers.
std::uint32_t usual_of(const ColumnWriter& column) {
  constexpr std::uint32_t kBeside = 16;  // a 16th
  const std::uint32_t values =
      slots_of_row(column) * encoding::usual_plain_bytes(column.plan->shape.value_bytes);
  return (values + values / kBeside + 1) * kFraction;
}

void expect(WriterState& state, ColumnWriter& column, std::uint32_t bytes) {
  constexpr std::uint32_t kParts = kFraction / kRowFraction;
  state.bytes_per_row += bytes / kParts - column.stored_bytes_per_row / kParts;
  column.stored_bytes_per_row = bytes;
}

// In a unity build other forecasts have functions of these names, too.
namespace of_arrays {

void predict(WriterState& state) {
  kSmoothedForecast.predict(state);
  for (ColumnWriter& column : columns_of(state)) {
    if (is_forecast_array(column)) expect(state, column, usual_of(column));
  }
}

// A row fits in each page, but not in the rest of one.
std::uint32_t extent_bytes(const WriterState& state, const ColumnWriter& column, std::uint32_t rows) {
  const std::uint32_t bytes = kSmoothedForecast.extent_bytes(state, column, rows);
  if (!is_forecast_array(column)) return bytes;
  const std::uint32_t least = 2 * column.plan->page_bytes;
  return bytes < least ? least : bytes;
}

SectorIndex extend_last(WriterState& state, SectorIndex end, SectorIndex limit) {
  return kSmoothedForecast.extend_last(state, end, limit);
}
Status observe(WriterState& state, std::uint32_t rows) { return kSmoothedForecast.observe(state, rows); }
Status observe_after_tails(WriterState& state, std::uint32_t rows) {
  return kSectorTailForecast.observe(state, rows);
}
void count_cut_pages(WriterState& state) { kSmoothedForecast.count_cut_pages(state); }
bool checkpoint_comes(const WriterState& state) { return kSmoothedForecast.checkpoint_comes(state); }

}  // namespace of_arrays
}  // namespace

void expect_arrays(WriterState& state) {
  for (ColumnWriter& column : columns_of(state)) {
    if (is_forecast_array(column)) expect(state, column, usual_of(column));
  }
}

// What a resumed file tells is counted by value.
Status resume_array_layout(WriterState& state) {
  MICROPARQUET_TRY(resume_forecast_layout(state));
  for (ColumnWriter& column : columns_of(state)) {
    if (!is_forecast_array(column) || column.stored_bytes_per_row == usual_of(column)) continue;
    expect(state, column, column.stored_bytes_per_row * slots_of_row(column));
  }
  return Status::kOk;
}

const ExtentForecast kArrayForecast{&of_arrays::predict,         &of_arrays::extent_bytes,
                                    &of_arrays::extend_last,     &of_arrays::observe,
                                    &of_arrays::count_cut_pages, &of_arrays::checkpoint_comes};
const ExtentForecast kArrayTailForecast{&of_arrays::predict,         &of_arrays::extent_bytes,
                                        &of_arrays::extend_last,     &of_arrays::observe_after_tails,
                                        &of_arrays::count_cut_pages, &of_arrays::checkpoint_comes};

}  // namespace microparquet::detail
