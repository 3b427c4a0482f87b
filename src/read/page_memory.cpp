// Page memory: the part of a column's memory for pages that are not read through the window.
#include "microparquet/detail/column_cursor.h"

namespace microparquet::detail {

// Sets the size of the page memory. The window loses its loaded bytes there and loads them once more; later
// pages keep the division.
void ColumnCursor::set_page_memory(std::uint32_t bytes) {
  page_bytes = bytes;
  window.cut(window_bytes());
}

}  // namespace microparquet::detail
