// Memory of pages that are not read through the window.
#include "microparquet/detail/column_cursor.h"

namespace microparquet::detail {

// What the window had loaded there is loaded again when it is needed: once, since the window stays as it is
// for the pages that follow.
void ColumnCursor::set_page_memory(std::uint32_t bytes) {
  page_bytes = bytes;
  window.capacity = window_bytes();
  std::byte* const end = window.base + window.capacity;
  if (window.cursor > end) {
    window.restart_at(window.position(), window.limit);
  } else if (window.end > end) {
    window.offset -= static_cast<std::size_t>(window.end - end);
    window.end = end;
  }
}

}  // namespace microparquet::detail
