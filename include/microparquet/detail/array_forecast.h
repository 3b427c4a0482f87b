// Forecast of the file space for schemas with arrays whose pages hold no fixed number of rows: compressed ones, and
// texts and booleans.
#pragma once

#include "microparquet/detail/layout_objects.h"
#include "microparquet/layout.h"
#include "microparquet/status.h"

namespace microparquet::detail {

// NOLINTBEGIN(readability-identifier-naming, bugprone-dynamic-static-initializers)
extern const ExtentForecast kArrayForecast;
extern const ExtentForecast kArrayTailForecast;
extern const ExtentForecast kArrayOpenPagesForecast;  // where checkpoints keep pages
// NOLINTEND(readability-identifier-naming, bugprone-dynamic-static-initializers)

// Sets the first expectation of such arrays.
void expect_arrays(WriterState& state);

// Resumes with such a forecast.
Status resume_array_layout(WriterState& state);

// Continues after a lost medium, in place: pages of arrays have more values than rows.
Status reconnect_array_layout(WriterState& state);
Status reconnect_tailed_array_layout(WriterState& state);

}  // namespace microparquet::detail
