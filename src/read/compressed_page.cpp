// Pages that are compressed: linked with the first codec that a program names.
#include <cstring>

#include "microparquet/codec.h"
#include "microparquet/reader.h"
#include "read/page.h"
#include "util/try.h"

namespace microparquet {

namespace {

// Moves what the window holds to its head, to have the most room behind it.
void move_to_head(detail::Window& window) {
  const std::size_t there = window.available();
  std::memmove(window.base, window.cursor, there);
  window.cursor = window.base;
  window.end = window.base + there;
}

// Puts `raw` bytes behind the compressed ones at the cursor, which are the rest of the page, and goes on
// there.
Status expand(const Codec& codec, detail::ColumnCursor& column, std::uint32_t raw) {
  detail::Window& window = column.window;
  const std::size_t stored = column.available();
  std::byte* const out = column.body_end;
  if (raw > static_cast<std::size_t>(window.base + window.capacity - out)) {
    column.reader->needed_bytes = static_cast<std::size_t>(out - window.base) + std::uint64_t{raw};
    return Status::kOutOfMemory;
  }
  const std::uint64_t behind = window.position() + stored;
  MICROPARQUET_TRY(codec.decompress(Span<const std::byte>(window.cursor, stored), Span<std::byte>(out, raw)));
  // What was loaded of the next page is overwritten; it is loaded again.
  window.cursor = out;
  window.end = out + raw;
  window.offset = behind;
  column.body_end = window.end;
  return Status::kOk;
}

}  // namespace

Status Codec::begin_page(detail::ColumnCursor& column, const format::PageHeader& header) const {
  const bool v2 = header.type == format::PageType::kDataV2;
  if (header.compressed_bytes > column.window.capacity) {
    column.reader->needed_bytes = std::uint64_t{header.compressed_bytes} + header.uncompressed_bytes;
    return Status::kOutOfMemory;
  }
  move_to_head(column.window);
  MICROPARQUET_TRY(column.begin_body(header.compressed_bytes));
  std::uint32_t raw = header.uncompressed_bytes;
  if (v2) {
    // Levels are not compressed.
    if (header.definition_bytes > raw) return Status::kCorrupt;
    raw -= header.definition_bytes;
    if (column.levels != nullptr) MICROPARQUET_TRY(read::take_levels(column, header.definition_bytes));
    return header.compressed ? expand(*this, column, raw) : Status::kOk;
  }
  MICROPARQUET_TRY(expand(*this, column, raw));
  if (column.levels == nullptr) return Status::kOk;
  std::uint32_t bytes = 0;
  MICROPARQUET_TRY(read::level_bytes(column, header, bytes));
  return read::take_levels(column, bytes);
}

}  // namespace microparquet
