// Pages that are compressed: linked with the first codec that a program names.
#include "base/try.h"
#include "microparquet/codec.h"
#include "microparquet/reader.h"
#include "read/page.h"

namespace microparquet::detail {

namespace {

// Lets the window end `bytes` bytes into the buffer. What is loaded behind that is loaded again when it is
// needed: once, since the window stays as it is for the pages that follow.
void shorten(ColumnCursor& column, std::uint32_t bytes) {
  Window& window = column.window;
  column.buffer_bytes = bytes;
  window.capacity = bytes;
  std::byte* const end = window.base + bytes;
  if (window.cursor > end) {
    window.drop_to(window.position(), window.limit);
  } else if (window.end > end) {
    window.offset -= static_cast<std::size_t>(window.end - end);
    window.end = end;
  }
}

// Loads the page whole, with space for `raw` bytes behind the window.
Status load_page(ColumnCursor& column, std::uint32_t stored, std::uint32_t raw) {
  const std::uint32_t share = column.reader->share;
  const std::uint64_t needed = std::uint64_t{stored} + raw;
  if (needed > share) {
    column.reader->needed_bytes = needed;
    return Status::kOutOfMemory;
  }
  const std::uint32_t capacity = share - raw;
  if (column.buffer_bytes > capacity || column.buffer_bytes < stored) shorten(column, capacity);
  return column.window.fill(stored);
}

// Decompresses the rest of the page to `raw` bytes behind the window, and goes on there.
Status expand(const Codec& codec, ColumnCursor& column, std::uint32_t raw) {
  const Span<const std::byte> stored(column.window.cursor, column.available());
  std::byte* const out = column.window.base + column.buffer_bytes;
  MICROPARQUET_TRY(codec.decompress(stored, Span<std::byte>(out, raw)));
  column.window.cursor = out;
  column.body_end = out + raw;
  return Status::kOk;
}

}  // namespace

Status begin_compressed_page(const Codec& codec, ColumnCursor& column, const format::PageHeader& header) {
  const std::uint32_t raw = header.uncompressed_bytes;
  MICROPARQUET_TRY(load_page(column, header.compressed_bytes, raw));
  MICROPARQUET_TRY(read::check_crc(column, header));
  column.begin_body(header.compressed_bytes);
  if (header.type != format::PageType::kDataV2) {
    MICROPARQUET_TRY(expand(codec, column, raw));
    return column.levels != nullptr ? read::begin_levels_in_window(column, header) : Status::kOk;
  }
  // Levels are not compressed.
  if (header.definition_bytes > raw) return Status::kCorrupt;
  if (column.levels != nullptr) MICROPARQUET_TRY(read::begin_levels_in_window(column, header));
  return header.compressed ? expand(codec, column, raw - header.definition_bytes) : Status::kOk;
}

}  // namespace microparquet::detail
