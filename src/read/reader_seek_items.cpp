// Seeking to a row of one repeated column by its number.
#include "base/try.h"
#include "microparquet/detail/repeated_levels.h"
#include "microparquet/reader.h"
#include "read/column.h"
#include "read/items.h"
#include "read/pass_items.h"
#include "read/repeated_page.h"

namespace microparquet {

Status Reader::seek_items(std::size_t i, std::uint64_t row) {
  detail::ReaderState& state = state_;
  MICROPARQUET_TRY(read::enter_column(state, i));
  if (row > state.group_rows) return Status::kInvalidArgument;
  detail::ColumnCursor& column = state.columns[i];
  if (state.leaves[column.column].max_repetition == 0) return seek_value(i, row);
  read::ItemsOf(column).begin();
  const std::uint64_t left = state.group_rows - row;
  if (left > read::repeated_levels(column).rows_left) return Status::kInvalidArgument;
  return read::report(state, static_cast<std::uint32_t>(i), read::pass_items_to(column, left));
}

}  // namespace microparquet
