// Forecast for columns of which some are arrays without a fixed number of rows in a page: a row has many values,
// also before the first row group, and in what a resumed file tells.
#include "microparquet/detail/array_forecast.h"
#include "base/try.h"
#include "microparquet/detail/array_encoder.h"
#include "microparquet/detail/writer_state.h"
#include "write/in_place/row_forecast.h"
#include "write/layout_ops.h"

namespace microparquet::detail {
namespace {

using row_forecast::expect;

bool is_forecast_array(const ColumnWriter& column) {
  return column.plan->rows_per_page == 0 && is_array(column);
}

// In a unity build other forecasts have functions of these names, too.
namespace of_arrays {

std::uint32_t usual_of(const ColumnWriter& column) {
  return row_forecast::usual_bytes(column, slots_of_row(column));
}

void predict(WriterState& state) {
  kSmoothedForecast.predict(state);
  for (ColumnWriter& column : columns_of(state)) {
    if (is_forecast_array(column)) expect(state, column, usual_of(column));
  }
}

std::uint32_t extent_bytes(const WriterState& state, const ColumnWriter& column, std::uint32_t rows) {
  const std::uint32_t bytes = kSmoothedForecast.extent_bytes(state, column, rows);
  return is_forecast_array(column) ? row_forecast::two_pages_or(column, bytes) : bytes;
}

}  // namespace of_arrays
}  // namespace

void expect_arrays(WriterState& state) {
  for (ColumnWriter& column : columns_of(state)) {
    if (is_forecast_array(column)) expect(state, column, of_arrays::usual_of(column));
  }
}

// What a resumed file tells is counted by value.
Status resume_array_layout(WriterState& state) {
  MICROPARQUET_TRY(resume_forecast_layout(state));
  for (ColumnWriter& column : columns_of(state)) {
    if (!is_forecast_array(column) || column.stored_bytes_per_row == of_arrays::usual_of(column)) continue;
    expect(state, column, column.stored_bytes_per_row * slots_of_row(column));
  }
  return Status::kOk;
}

const ExtentForecast kArrayForecast =
    row_forecast::over_smoothed(&of_arrays::predict, &of_arrays::extent_bytes, &row_forecast::observe);
const ExtentForecast kArrayTailForecast = row_forecast::over_smoothed(
    &of_arrays::predict, &of_arrays::extent_bytes, &row_forecast::observe_after_tails);

}  // namespace microparquet::detail
