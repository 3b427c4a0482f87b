// Pages that are compressed: linked with the first codec that a program names.
#include "microparquet/codec.h"
#include "microparquet/reader.h"
#include "read/page.h"
#include "util/try.h"

namespace microparquet {

namespace {

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
  if (header.compressed_bytes > column.window.capacity) {
    column.reader->needed_bytes = std::uint64_t{header.compressed_bytes} + header.uncompressed_bytes;
    return Status::kOutOfMemory;
  }
  // From the window's head on, to have the most room behind it.
  column.window.drop_to(column.window.position(), column.window.limit);
  MICROPARQUET_TRY(column.window.fill(header.compressed_bytes));
  MICROPARQUET_TRY(column.begin_body(header.compressed_bytes));
  if (header.type != format::PageType::kDataV2) {
    MICROPARQUET_TRY(expand(*this, column, header.uncompressed_bytes));
    return column.levels != nullptr ? read::begin_levels_in_window(column, header) : Status::kOk;
  }
  // Levels are not compressed.
  if (header.definition_bytes > header.uncompressed_bytes) return Status::kCorrupt;
  if (column.levels != nullptr) MICROPARQUET_TRY(read::begin_levels_in_window(column, header));
  return header.compressed ? expand(*this, column, header.uncompressed_bytes - header.definition_bytes)
                           : Status::kOk;
}

}  // namespace microparquet
