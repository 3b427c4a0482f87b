// On desktops, pages that append_columns() does not copy: a page of PLAIN that the caller's values fill. Its values are
// the caller's own, its header is made at the head of its buffer, and the file takes one after the other. What has not
// been stored when append_columns() returns is copied then.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/writer_state.h"
#include "microparquet/writer.h"

namespace microparquet::write {

#ifndef __OPTIMIZE_SIZE__

// Whether the values of the page, open or sealed, are the caller's.
inline bool are_borrowed(const detail::ColumnWriter& column) {
  const auto page = reinterpret_cast<std::uintptr_t>(column.page);
  return column.page_state != detail::PageState::kNone &&
         reinterpret_cast<std::uintptr_t>(column.values) - page >= column.plan->page_bytes;
}

// Takes `rows` rows from `first` of `data`, which has `left` from there: if the open page borrows, or could.
// Requires: the rows are promised.
bool borrow_rows(const detail::WriterState& state, detail::ColumnWriter& column, const ColumnData& data,
                 std::size_t first, std::uint32_t rows, std::size_t left);

// Writes the sealed page in place: its values, then the header before them.
Status store_borrowed(const detail::WriterState& state, const detail::ColumnWriter& column);

// Copies what is borrowed into the pages.
void give_back(const detail::WriterState& state);

#else

inline bool are_borrowed(const detail::ColumnWriter&) { return false; }
inline bool borrow_rows(const detail::WriterState&, detail::ColumnWriter&, const ColumnData&, std::size_t,
                        std::uint32_t, std::size_t) {
  return false;
}
inline Status store_borrowed(const detail::WriterState&, const detail::ColumnWriter&) { return Status::kOk; }
inline void give_back(const detail::WriterState&) {}

#endif

}  // namespace microparquet::write
