// Memory of pages that are not read through the window.
#include "microparquet/detail/column_cursor.h"

namespace microparquet::detail {

// What the window had loaded there is loaded again once, since the window stays as it is for the pages that follow.
void ColumnCursor::set_page_memory(std::uint32_t bytes) {
  page_bytes = bytes;
  window.cut(window_bytes());
}

}  // namespace microparquet::detail
