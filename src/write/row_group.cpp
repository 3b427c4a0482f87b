#include "write/row_group.h"

#include "base/bytes.h"
#include "base/try.h"
#include "microparquet/detail/grant_rows.h"
#include "write/layout_ops.h"
#include "write/page.h"

namespace microparquet {
namespace {

using detail::ColumnWriter;
using detail::PageState;
using detail::WriterState;

void grant(WriterState& state, std::uint32_t rows) {
  state.granted = rows;
  state.budget = rows;
}

Status begin_row_group(WriterState& state) {
  if (state.footer.now.row_groups >= detail::kMaxRowGroups) return Status::kLimitReached;
  state.rows = 0;
  util::clear_bytes(state.columns_end, state.plan->arena.states_bytes);
  MICROPARQUET_TRY(state.layout->begin_row_group(state));
  if (state.plan->dictionaries != nullptr) state.plan->dictionaries->begin(state);
  state.began_ms = state.now_ms;
  state.row_group_open = true;
  return Status::kOk;
}

Status close_all(WriterState& state) {
  for (ColumnWriter* column = state.columns; column != state.columns_end;) {
    MICROPARQUET_TRY(write::close_page(state, *column));
    if (column->first_row == state.rows) ++column;  // otherwise the encoder has kept values for another page
  }
  return state.plan->dictionaries != nullptr ? state.plan->dictionaries->end(state) : Status::kOk;
}

// Returns whether a byte array of `bytes` bytes fits in an empty page of the column, whatever the page's
// other rows are. It must fit in PLAIN too, and after bytes of another encoding: a page that begins in one
// may have to change to PLAIN. noinline: its variables are off the stack while pages are closed.
[[gnu::noinline]] bool fits_empty_page(const ColumnWriter& column, std::size_t bytes) {
  const std::uint32_t levels =
      column.levels != nullptr ? encoding::kLengthBytes + 3 * detail::kMaxLevelBytes : 0;
  const std::uint32_t free = column.plan->page_bytes - column.plan->header_bytes - levels;
  return bytes <= free - encoding::kLengthBytes && column.plan->encoder->most_bytes(column, bytes) <= free;
}

}  // namespace

void write::settle_rows(WriterState& state) {
  state.rows = detail::rows_in_group(state);
  state.granted = 0;
  state.budget = 0;
}

Status write::end_row_group(WriterState& state) {
  write::settle_rows(state);
  if (!state.row_group_open || state.rows == 0) {
    state.row_group_ending = false;
    return Status::kOk;
  }
  state.row_group_ending = true;
  MICROPARQUET_TRY(close_all(state));
  MICROPARQUET_TRY(state.layout->end_row_group(state));
  state.footer.now.rows += state.rows;
  state.rows = 0;
  state.row_group_open = false;
  state.resumed = false;
  state.row_group_ending = false;
  return Status::kOk;
}

Status write::close_pages(WriterState& state) {
  if (state.row_group_ending) return write::end_row_group(state);
  write::settle_rows(state);
  return state.row_group_open ? close_all(state) : Status::kOk;
}

void write::forget_open_rows(WriterState& state) {
  state.rows = 0;
  state.granted = 0;
  state.budget = 0;
  state.row_group_open = false;
  state.row_group_ending = false;
  for (ColumnWriter& column : columns_of(state)) column.page_state = PageState::kNone;
}

Status detail::grant_rows(WriterState& state) {
  constexpr std::uint32_t kMaxRows = 1 << 30;
  if (state.phase != WriterPhase::kOpen) return Status::kWrongState;
  const std::uint32_t limit = state.options->row_group_rows != 0 ? state.options->row_group_rows : kMaxRows;
  for (;;) {
    if (state.row_group_ending) MICROPARQUET_TRY(write::end_row_group(state));
    if (!state.row_group_open) MICROPARQUET_TRY(begin_row_group(state));
    write::settle_rows(state);
    std::uint32_t rows = limit - state.rows;
    for (ColumnWriter& column : columns_of(state)) {
      if (rows == 0) break;
      std::uint32_t fitting = column.prepare_rows(rows);
      if (fitting == 0) {
        MICROPARQUET_TRY(write::close_page(state, column));
        fitting = column.prepare_rows(rows);
      }
      rows = fitting;
    }
    if (rows != 0) {
      grant(state, rows);
      return Status::kOk;
    }
    state.row_group_ending = true;
  }
}

Status detail::grant_rows_for(WriterState& state, ColumnWriter& column, std::size_t bytes) {
  if (!fits_empty_page(column, bytes)) return Status::kValueTooLarge;
  write::settle_rows(state);
  if (column.prepare_rows(1) != 0 && column.fits(bytes)) {
    grant(state, 1);  // narrowing the gap between levels and values was enough
    return Status::kOk;
  }
  MICROPARQUET_TRY(write::close_page(state, column));
  // The next page may be a short one, or there is none.
  if (column.prepare_rows(1) == 0 || !column.fits(bytes)) state.row_group_ending = true;
  return grant_rows(state);
}

Status detail::grant_rows_after(WriterState& state, ColumnWriter& column) {
  write::settle_rows(state);
  if (column.prepare_rows(1) == 0) {
    MICROPARQUET_TRY(write::close_page(state, column));
    if (column.page_state == PageState::kNone) state.row_group_ending = true;
  }
  return grant_rows(state);
}

}  // namespace microparquet
