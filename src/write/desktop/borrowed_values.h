// Pages that borrow the values of append_columns() instead of copying them, on desktops: pages of PLAIN that
// the caller's values fill. The page's buffer holds only the header, and the file gathers both parts. Pages
// not stored when append_columns() returns are copied then.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/desktop.h"
#include "microparquet/detail/writer_state.h"
#include "microparquet/writer.h"

namespace microparquet::write {

// Returns whether the values of the page, open or sealed, are the caller's.
inline bool are_borrowed(const detail::ColumnWriter& column) {
  return detail::kDesktop && column.page_state != detail::PageState::kNone &&
         reinterpret_cast<std::uintptr_t>(column.values) - reinterpret_cast<std::uintptr_t>(column.page) >=
             column.plan->page_bytes;
}

// Takes `rows` rows of `data` from row `first` on, of which `left` are left, if the open page borrows or can
// begin to; otherwise returns false. Requires: the rows are within the budget.
[[maybe_unused]] bool borrow_rows(const detail::WriterState& state, detail::ColumnWriter& column,
                                  const ColumnData& data, std::size_t first, std::uint32_t rows,
                                  std::size_t left);

// Writes the sealed page in place, header and values in one call.
[[maybe_unused]] Status store_borrowed(const detail::WriterState& state, const detail::ColumnWriter& column);

// Copies borrowed values into their pages.
[[maybe_unused]] void give_back(const detail::WriterState& state);

}  // namespace microparquet::write
