// The bytes of a page on their way through the window of their column.
#include "microparquet/detail/column_cursor.h"

#include "microparquet/reader.h"
#include "util/try.h"

namespace microparquet::detail {

void ColumnCursor::sum_up(const std::byte* data, std::size_t bytes) {
  if (crc_pending && bytes != 0) crc = reader->options->crc32(crc, data, bytes);
}

Status ColumnCursor::check_crc() {
  if (!crc_pending || body_beyond != 0) return Status::kOk;
  if (crc != expected_crc) {
    // Nothing of what is loaded is given out any more.
    body_end = window.cursor;
    return Status::kCorrupt;
  }
  crc_pending = false;
  ++reader->pages_checked;
  return Status::kOk;
}

Status ColumnCursor::begin_body(std::uint32_t bytes) {
  const auto there = static_cast<std::uint32_t>(window.available());
  const std::uint32_t loaded = there < bytes ? there : bytes;
  body_end = window.cursor + loaded;
  body_beyond = bytes - loaded;
  sum_up(window.cursor, loaded);
  return check_crc();
}

Status ColumnCursor::load(std::uint32_t bytes) {
  const auto there = static_cast<std::uint32_t>(available());
  if (there >= bytes) return Status::kOk;
  if (std::uint64_t{there} + body_beyond < bytes) return Status::kCorrupt;
  if (pinned) return Status::kEnd;
  if (bytes > window.capacity) {
    too_large = bytes;
    return Status::kValueTooLarge;
  }
  const Status status = window.fill(bytes);
  body_end = window.cursor + there;
  if (status != Status::kOk) return status;
  const auto loaded = static_cast<std::uint32_t>(window.end - body_end);
  const std::uint32_t more = loaded < body_beyond ? loaded : body_beyond;
  sum_up(body_end, more);
  body_end += more;
  body_beyond -= more;
  return check_crc();
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
