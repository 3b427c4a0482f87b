#include "read/row_run.h"

#include "base/try.h"
#include "read/page.h"

namespace microparquet::read {

Status peek_run(detail::ColumnCursor& column, std::uint32_t most, RowRun& run) {
  if (column.page_rows == 0) {
    // The next page would overwrite views already given to the caller.
    if (column.pinned) return Status::kEnd;
    MICROPARQUET_TRY(next_page(column));
  }
  run.rows = column.page_rows < most ? column.page_rows : most;
  run.level = 0;
  run.null = false;
  if (column.levels == nullptr) return Status::kOk;
  std::uint32_t alike = 0;
  MICROPARQUET_TRY(column.levels->peek(run.level, alike));
  if (alike < run.rows) run.rows = alike;
  run.null = run.level != column.levels->maximum;
  return Status::kOk;
}

void pass_run(detail::ColumnCursor& column, std::uint32_t rows) {
  if (column.levels != nullptr) column.levels->take(rows);
  column.page_rows -= rows;
}

}  // namespace microparquet::read
