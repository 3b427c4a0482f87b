// The bytes of a page on their way through the window of their column.
#include "microparquet/detail/column_cursor.h"

#include "base/try.h"
#include "microparquet/reader.h"

namespace microparquet::detail {

void ColumnCursor::begin_body(std::uint32_t bytes) {
  const auto there = static_cast<std::uint32_t>(window.available());
  const std::uint32_t loaded = there < bytes ? there : bytes;
  body_end = window.cursor + loaded;
  body_beyond = bytes - loaded;
}

void ColumnCursor::drop_body() {
  body_end = window.cursor;
  body_beyond = 0;
  pass_left = 0;
}

Status ColumnCursor::load(std::uint32_t bytes) {
  const auto there = static_cast<std::uint32_t>(available());
  if (there >= bytes) return Status::kOk;
  const std::uint32_t body = there + body_beyond;
  if (body < bytes) return Status::kCorrupt;
  if (pinned) return Status::kEnd;
  if (bytes > window.capacity) {
    too_large = bytes;
    return Status::kValueTooLarge;
  }
  const Status status = window.fill(bytes);
  // What was there may have moved, even if nothing has come to it.
  begin_body(body);
  return status;
}

Status ColumnCursor::pass() {
  while (pass_left != 0) {
    MICROPARQUET_TRY(load(1));
    const auto there = static_cast<std::uint32_t>(available());
    const std::uint32_t part = there < pass_left ? there : pass_left;
    window.cursor += part;
    pass_left -= part;
  }
  return Status::kOk;
}

}  // namespace microparquet::detail
