// PLAIN of fixed-width values: one after another, little-endian.
#include "base/bytes.h"
#include "base/try.h"
#include "microparquet/decoding.h"
#include "microparquet/detail/column_cursor.h"

namespace microparquet {

namespace {

// Of `count` values, at least one, those that are in the window; loads the next one if none is.
Status at_hand(detail::ColumnCursor& column, std::uint32_t count, std::uint32_t& there) {
  const std::uint32_t width = column.width;
  MICROPARQUET_TRY(column.load(width));
  const auto bytes = static_cast<std::uint32_t>(column.available());
  // A division only where it is surely needed: small cores take hundreds of cycles for one.
  there = bytes / width < count ? bytes / width : count;
  return Status::kOk;
}

void show(detail::ColumnCursor& column, std::uint32_t bytes) {
  column.value = column.window.cursor;
  column.window.cursor += bytes;
}

}  // namespace

Status PlainFixedDecoder::begin_page(detail::ColumnCursor& column, std::uint32_t values) const {
  const std::uint64_t bytes = column.available() + std::uint64_t{column.body_beyond};
  const std::uint64_t most = std::uint64_t{values} * column.width;
  // Without levels the number of values is known, and no byte may be left.
  if (column.levels == nullptr && bytes != most) return Status::kCorrupt;
  return bytes <= most ? Status::kOk : Status::kCorrupt;
}

Status PlainFixedDecoder::next(detail::ColumnCursor& column) const {
  MICROPARQUET_TRY(column.load(column.width));
  column.value_bytes = column.width;
  show(column, column.width);
  return Status::kOk;
}

Status PlainFixedDecoder::read(detail::ColumnCursor& column, void* out, std::uint32_t count,
                               std::uint32_t& stored) const {
  MICROPARQUET_TRY(at_hand(column, count, stored));
  const std::size_t bytes = std::size_t{stored} * column.width;
  util::move_bytes(static_cast<std::byte*>(out), column.window.cursor, bytes);
  column.window.cursor += bytes;
  return Status::kOk;
}

Status PlainFixedDecoder::skip(detail::ColumnCursor& column) const { return next(column); }

Status PlainFixedDecoder::lend(detail::ColumnCursor& column, std::uint32_t count, std::uint32_t& lent) const {
  MICROPARQUET_TRY(at_hand(column, count, lent));
  show(column, lent * column.width);
  return Status::kOk;
}

}  // namespace microparquet
