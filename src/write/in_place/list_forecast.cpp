// Forecast for columns of which some are in lists, and others may be arrays: what is expected of a row before the first
// row group, how far it may vary, and what a resumed file tells.
#include "base/try.h"
#include "format/written_row_group.h"
#include "microparquet/detail/array_encoder.h"
#include "microparquet/detail/list_levels.h"
#include "microparquet/detail/writer_state.h"
#include "write/footer.h"
#include "write/in_place/row_forecast.h"
#include "write/layout_ops.h"

namespace microparquet::detail {
namespace {

// In a unity build other forecasts have functions of these names, too.
namespace of_lists {

using row_forecast::expect;
using write::kFraction;

bool is_wide(const ColumnWriter& column) {
  return column.plan->rows_per_page == 0 && (is_list(column) || is_array(column));
}

std::uint32_t usual_slots(const ColumnWriter& column) {
  return is_list(column) ? static_cast<const ListEncoder&>(*column.plan->encoder).usual_slots
                         : slots_of_row(column);
}

std::uint32_t usual_of(const ColumnWriter& column) {
  return row_forecast::usual_bytes(column, usual_slots(column));
}

void predict(WriterState& state) {
  kSmoothedForecast.predict(state);
  for (ColumnWriter& column : columns_of(state)) {
    if (is_wide(column)) expect(state, column, usual_of(column));
  }
}

// Nothing but a list's capacity limits how much longer than others a row is, as with text: the margin has all of the
// deviation.
std::uint32_t extent_bytes(const WriterState& state, const ColumnWriter& column, std::uint32_t rows) {
  std::uint32_t bytes = kSmoothedForecast.extent_bytes(state, column, rows);
  if (!is_wide(column)) return bytes;
  if (is_list(column) && column.deviation != write::kNotLearned) {
    constexpr std::uint32_t kMore = 2;
    bytes += static_cast<std::uint32_t>(std::uint64_t{rows} * column.deviation * kMore / kFraction);
  }
  return row_forecast::two_pages_or(column, bytes);
}

// Reads the rows of the first row group of the last footer, and tells `take` the bytes of each of its chunks. `take` is
// not called if it has few rows or cannot be read: it is a better guess than the usual lengths, no more.
template <typename Take>
void recall_rows(WriterState& state, Take take) {
  constexpr std::uint32_t kLeastRows = 64;
  constexpr std::uint32_t kMostRows = 1 << 22;
  const FooterState& footer = state.footer;
  if (footer.row_groups == 0) return;
  std::uint32_t rows = 0;
  for (unsigned pass = 0; pass < 2; ++pass) {
    Window window;
    window.begin(*state.file, window_of(state).data(), kLeastWindowBytes);
    window.restart_at(footer.entries_begin, footer.entries_begin + footer.entries_bytes);
    thrift::CompactReader in(window);
    format::enter_written_chunks(in);
    for (ColumnWriter& column : columns_of(state)) {
      format::WrittenChunk chunk{};
      format::read_written_chunk(in, chunk);
      if (!in.ok()) return;
      if (pass != 0) take(column, chunk.bytes, rows);
    }
    if (pass != 0) return;
    rows = format::read_rows_after_chunks(in);
    if (!in.ok() || rows < kLeastRows || rows >= kMostRows) return;
  }
}

}  // namespace of_lists
}  // namespace

// What a resumed file tells is counted by row, for columns that have several values in one.
Status resume_list_layout(WriterState& state) {
  MICROPARQUET_TRY(resume_forecast_layout(state));
  for (ColumnWriter& column : columns_of(state)) {
    if (of_lists::is_wide(column)) row_forecast::expect(state, column, of_lists::usual_of(column));
  }
  of_lists::recall_rows(state, [&](ColumnWriter& column, std::uint32_t bytes, std::uint32_t rows) {
    if (!of_lists::is_wide(column) || bytes / rows >= column.plan->page_bytes) return;
    row_forecast::expect(state, column,
                         bytes / rows * write::kFraction + bytes % rows * write::kFraction / rows);
  });
  return Status::kOk;
}

const ExtentForecast kListForecast =
    row_forecast::over_smoothed(&of_lists::predict, &of_lists::extent_bytes, &row_forecast::observe);
const ExtentForecast kListTailForecast = row_forecast::over_smoothed(
    &of_lists::predict, &of_lists::extent_bytes, &row_forecast::observe_after_tails);

}  // namespace microparquet::detail
