// Bytes of a page on their way through the memory of their column.
#include "microparquet/detail/column_cursor.h"

#include "base/try.h"
#include "microparquet/reader.h"

namespace microparquet::detail {

void ColumnCursor::begin_body(std::uint32_t bytes) {
  const auto there = static_cast<std::uint32_t>(window.available());
  const std::uint32_t loaded = there < bytes ? there : bytes;
  cursor = window.cursor;
  body_end = cursor + loaded;
  body_beyond = bytes - loaded;
}

void ColumnCursor::drop_body() {
  body_end = cursor;
  body_beyond = 0;
  pass_left = 0;
}

Status ColumnCursor::load(std::uint32_t bytes) {
  const auto there = static_cast<std::uint32_t>(available());
  if (there >= bytes) return Status::kOk;
  const std::uint32_t body = there + body_beyond;
  if (body < bytes) return Status::kCorrupt;
  if (pinned) return Status::kEnd;
  if (bytes > window.capacity) return too_large(bytes);
  window.cursor = cursor;
  const Status status = window.fill(bytes);
  // fill() may have moved the bytes loaded before, even if it added none.
  begin_body(body);
  return status;
}

Status ColumnCursor::load_all() {
  const auto bytes = static_cast<std::uint32_t>(available() + body_beyond);
  const Status status = load(bytes);
  if (status != Status::kValueTooLarge) return status;
  reader->needed_bytes = std::uint64_t{memory_bytes} + (bytes - window.capacity);
  return Status::kOutOfMemory;
}

Status ColumnCursor::pass() {
  while (pass_left != 0) {
    MICROPARQUET_TRY(load(1));
    const auto there = static_cast<std::uint32_t>(available());
    const std::uint32_t part = there < pass_left ? there : pass_left;
    cursor += part;
    pass_left -= part;
  }
  return Status::kOk;
}

Status ColumnCursor::too_large(std::uint32_t bytes) {
  // A value may be shorter than the buffer and still find no room beside a dictionary or levels.
  reader->needed_bytes = bytes > memory_bytes ? bytes : std::uint64_t{bytes} + memory_bytes;
  return Status::kValueTooLarge;
}

Status ColumnCursor::refuse(FailureReason why, std::uint32_t id) {
  reason = why;
  number = static_cast<std::uint8_t>(id < 255 ? id : 255);
  return Status::kUnsupported;
}

Status ColumnCursor::open_stream(std::uint32_t bytes, std::uint32_t share, Window& stream) {
  const auto left = static_cast<std::uint32_t>(available() + body_beyond);
  if (bytes > left) return Status::kCorrupt;
  if (body_beyond == 0) {
    stream.view_memory(cursor, bytes);
    cursor += bytes;
    return Status::kOk;
  }
  window.cursor = cursor;
  const std::uint64_t begin = window.position();
  window.capacity -= share;
  stream.begin(*window.file, window.base + window.capacity, share);
  stream.restart_at(begin, begin + bytes);
  window.restart_at(stream.limit, window.limit);
  begin_body(left - bytes);
  return Status::kOk;
}

void ColumnCursor::rewind(std::uint32_t bytes) {
  const bool in_window = cursor >= window.base && cursor <= window.end;
  if (!in_window || static_cast<std::size_t>(cursor - window.base) >= bytes) {
    cursor -= bytes;
    return;
  }
  const auto left = static_cast<std::uint32_t>(available() + body_beyond);
  window.cursor = cursor;
  window.restart_at(window.position() - bytes, window.limit);
  begin_body(left + bytes);
}

}  // namespace microparquet::detail
