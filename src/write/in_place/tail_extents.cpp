// Extents of row groups with places for tails, where all columns have a fixed width.
#include "microparquet/detail/encoding/plain.h"
#include "write/in_place/tail.h"
#include "write/layout_ops.h"

namespace microparquet::write {

using detail::ColumnWriter;
using detail::WriterState;

std::uint32_t plan_places(const WriterState& state, const ColumnWriter& column) {
  TailState& tail = tail_of(state);
  if (tail.lays_extents || &column != state.columns) return 0;
  tail.plans_places = true;
  return places_sectors(state).bytes();
}

SectorIndex lay_places(WriterState& state) {
  TailState& tail = tail_of(state);
  const std::uint32_t places = places_sectors(state).bytes();
  if (tail.plans_places) state.columns->extent_bytes -= places;
  tail.plans_places = false;  // the call may be repeated
  return lay_planned(state, state.columns->chunk_begin + places);
}

namespace {

std::uint32_t rows_in_page(const ColumnWriter& column) {
  const detail::ColumnPlan& plan = *column.plan;
  return encoding::most_plain_values(plan.shape.type, plan.shape.value_bytes,
                                     plan.page_bytes - plan.header_bytes);
}

void predict(WriterState& /*state*/) {}

// Returns whole pages for `rows` rows. Where rows are few, the pages of all columns end with the narrowest.
std::uint32_t extent_bytes(const WriterState& state, const ColumnWriter& column, std::uint32_t rows) {
  std::uint32_t narrowest = 0xFFFFFFFF;
  std::uint32_t usual = 1;  // see plan_extents()
  for (const ColumnWriter& other : columns_of(state)) {
    const std::uint32_t in_page = rows_in_page(other);
    if (in_page < narrowest) narrowest = in_page;
    if (in_page > usual && in_page <= rows / 4) usual = in_page;
  }
  std::uint32_t in_page = narrowest;
  if (tail_of(state).many_rows) {
    in_page = rows_in_page(column);
    rows = rows / usual * usual;
  }
  return (rows + in_page - 1) / in_page * column.plan->page_bytes + plan_places(state, column);
}

SectorIndex extend_last(WriterState& state, SectorIndex /*end*/, SectorIndex /*limit*/) {
  return lay_places(state);
}

Status observe(WriterState& /*state*/, std::uint32_t /*rows*/) { return Status::kOk; }
void count_cut_pages(WriterState& /*state*/) {}
bool checkpoint_comes(const WriterState& /*state*/) { return false; }

}  // namespace
}  // namespace microparquet::write

namespace microparquet::detail {

const ExtentForecast kTailExtents{&write::predict, &write::extent_bytes,    &write::extend_last,
                                  &write::observe, &write::count_cut_pages, &write::checkpoint_comes};

}  // namespace microparquet::detail
