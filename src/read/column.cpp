#include "read/column.h"

#include "base/try.h"
#include "microparquet/decoder.h"
#include "read/page.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;

// Goes to the next row and returns in `has_value` whether it has a value.
Status enter_row(ColumnCursor& column, bool& has_value) {
  if (column.page_rows == 0) MICROPARQUET_TRY(next_page(column));
  has_value = true;
  if (column.levels == nullptr) return Status::kOk;
  std::uint8_t level = 0;
  std::uint32_t count = 0;
  MICROPARQUET_TRY(column.levels->peek(level, count));
  has_value = level == column.levels->maximum;
  return Status::kOk;
}

void leave_row(ColumnCursor& column) {
  if (column.levels != nullptr) column.levels->take(1);
  --column.page_rows;
}

}  // namespace

Status next_value(ColumnCursor& column) {
  bool has_value = false;
  MICROPARQUET_TRY(enter_row(column, has_value));
  if (has_value) {
    MICROPARQUET_TRY(column.decoder->next(PageInput(column)));
  } else {
    column.value = nullptr;
    column.value_bytes = 0;
  }
  leave_row(column);
  return Status::kOk;
}

Status skip_value(ColumnCursor& column) {
  bool has_value = false;
  MICROPARQUET_TRY(enter_row(column, has_value));
  if (has_value) MICROPARQUET_TRY(column.decoder->skip(PageInput(column)));
  leave_row(column);
  return Status::kOk;
}

Status report(detail::ReaderState& state, std::uint32_t i, Status status) {
  ColumnCursor& column = state.columns[i];
  if (status != Status::kOk) {
    state.failed = i;
    state.failed_status = status;
  }
  if (status == Status::kCorrupt) column.chunk_status = status;
  return status;
}

}  // namespace microparquet::read
