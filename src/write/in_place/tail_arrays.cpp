// Arrays in tails: a page that is written and stays open counts its rows by rows again. Their levels are made again
// when it ends.
#include "base/bytes.h"
#include "base/try.h"
#include "microparquet/detail/array_encoder.h"
#include "microparquet/detail/array_forecast.h"
#include "microparquet/detail/encoding/plain.h"
#include "write/in_place/extent_plan.h"
#include "write/in_place/tail.h"
#include "write/layout_ops.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::is_array;
using detail::WriterState;

// In a unity build other levels and forecasts have functions of these names, too.
namespace of_arrays {

// Keeps the first row, which the encoder of an array changes; it stands in a member that an array does not need.
void keep_levels(const ColumnWriter& column, OpenLevels& kept) {
  if (!is_array(column)) return kTailLevels.keep(column, kept);
  util::clear_bytes(&kept, sizeof kept);
  kept.encoder.nulls = column.first_row;
  kept.values = static_cast<std::uint32_t>(column.values - column.page);
}

void open_levels_again(ColumnWriter& column, const OpenLevels& kept, const std::byte* sealed) {
  if (!is_array(column)) return kTailLevels.open_again(column, kept, sealed);
  column.first_row = kept.encoder.nulls;
}

// The pointers of an array's levels are not set, and nothing is read by them.
void put_levels(thrift::WindowSink& sink, const OpenLevels& kept) { kTailLevels.put(sink, kept); }

void get_levels(FoundBytes& in, const ColumnWriter& column, OpenLevels& kept) {
  kTailLevels.get(in, column, kept);
}

constexpr TailLevels kArrayTailLevels{&keep_levels, &open_levels_again, detail::kTailLevelsBytes, &put_levels,
                                      &get_levels};

void predict(WriterState& state) {
  detail::kTailForecast.predict(state);
  detail::expect_arrays(state);
  tail_of(state).levels = &kArrayTailLevels;
}

std::uint32_t extent_bytes(const WriterState& state, const ColumnWriter& column, std::uint32_t rows) {
  return detail::kTailForecast.extent_bytes(state, column, rows) +
         (is_array(column) ? column.plan->page_bytes : 0);
}

detail::SectorIndex extend_last(WriterState& state, detail::SectorIndex end, detail::SectorIndex limit) {
  return detail::kTailForecast.extend_last(state, end, limit);
}
Status observe(WriterState& state, std::uint32_t rows) { return detail::kTailForecast.observe(state, rows); }
void count_cut_pages(WriterState& state) { detail::kTailForecast.count_cut_pages(state); }
bool checkpoint_comes(const WriterState& state) { return detail::kTailForecast.checkpoint_comes(state); }

}  // namespace of_arrays
}  // namespace
}  // namespace microparquet::write

namespace microparquet::detail {

const ExtentForecast kArrayOpenPagesForecast{
    &write::of_arrays::predict, &write::of_arrays::extent_bytes,    &write::of_arrays::extend_last,
    &write::of_arrays::observe, &write::of_arrays::count_cut_pages, &write::of_arrays::checkpoint_comes};

}  // namespace microparquet::detail
