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

// Keeps the first row, which the encoder of an array changes; it stands in a member that an array does not need.
void keep_array_levels(const ColumnWriter& column, OpenLevels& kept) {
  if (!is_array(column)) return kTailLevels.keep(column, kept);
  util::clear_bytes(&kept, sizeof kept);
  kept.encoder.nulls = column.first_row;
  kept.values = static_cast<std::uint32_t>(column.values - column.page);
}

void open_array_levels_again(ColumnWriter& column, const OpenLevels& kept, const std::byte* sealed) {
  if (!is_array(column)) return kTailLevels.open_again(column, kept, sealed);
  column.first_row = kept.encoder.nulls;
}

// The pointers of an array's levels are not set, and nothing is read by them.
void put_array_levels(thrift::WindowSink& sink, const OpenLevels& kept) { kTailLevels.put(sink, kept); }

void get_array_levels(FoundBytes& in, const ColumnWriter& column, OpenLevels& kept) {
  kTailLevels.get(in, column, kept);
}

constexpr TailLevels kArrayTailLevels{&keep_array_levels, &open_array_levels_again, detail::kTailLevelsBytes,
                                      &put_array_levels, &get_array_levels};

void predict_open_arrays(WriterState& state) {
  detail::kTailForecast.predict(state);
  detail::expect_arrays(state);
  tail_of(state).levels = &kArrayTailLevels;
}

std::uint32_t open_array_extent(const WriterState& state, const ColumnWriter& column, std::uint32_t rows) {
  return detail::kTailForecast.extent_bytes(state, column, rows) +
         (is_array(column) ? column.plan->page_bytes : 0);
}

detail::SectorIndex extend_last_open_array(WriterState& state, detail::SectorIndex end,
                                           detail::SectorIndex limit) {
  return detail::kTailForecast.extend_last(state, end, limit);
}
Status observe_open_arrays(WriterState& state, std::uint32_t rows) {
  return detail::kTailForecast.observe(state, rows);
}
void count_cut_open_arrays(WriterState& state) { detail::kTailForecast.count_cut_pages(state); }
bool open_array_checkpoint_comes(const WriterState& state) {
  return detail::kTailForecast.checkpoint_comes(state);
}

}  // namespace
}  // namespace microparquet::write

namespace microparquet::detail {

const ExtentForecast kArrayOpenPagesForecast{
    &write::predict_open_arrays, &write::open_array_extent,     &write::extend_last_open_array,
    &write::observe_open_arrays, &write::count_cut_open_arrays, &write::open_array_checkpoint_comes};

}  // namespace microparquet::detail
