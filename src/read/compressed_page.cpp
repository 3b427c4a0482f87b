// Compressed pages. The first decompressor that a program names links this file.
#include "base/try.h"
#include "microparquet/decompressor.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/reader.h"
#include "read/page.h"

namespace microparquet::detail {

namespace {

constexpr std::uint32_t kHeaderWindowBytes = 128;  // fits most page headers

// Loads the whole page, and sets up `raw` bytes of page memory.
Status load_page(ColumnCursor& column, std::uint32_t stored, std::uint32_t raw) {
  const std::uint64_t needed = std::uint64_t{column.dictionary_bytes} + stored + raw;
  if (needed > column.memory_bytes) {
    column.reader->needed_bytes = needed;
    return Status::kOutOfMemory;
  }
  if (column.page_bytes < raw || column.window_bytes() < stored) column.set_page_memory(raw);
  return column.window.fill(stored);
}

Span<std::byte> scratch_of(const ReaderState& state, std::uint32_t bytes) {
  const std::size_t end = state.arena.size() & ~static_cast<std::size_t>(7);
  return Span<std::byte>(state.arena.data() + (end - align8(bytes)), bytes);
}

// Decompresses the rest of the page into `raw` bytes of page memory, and continues there.
Status expand(const Decompressor& decompressor, ColumnCursor& column, std::uint32_t raw) {
  const Span<const std::byte> stored(column.cursor, column.available());
  std::byte* const out = column.memory + (column.memory_bytes - column.page_bytes);
  MICROPARQUET_TRY(decompressor.decompress(stored, Span<std::byte>(out, raw),
                                           scratch_of(*column.reader, decompressor.scratch_bytes())));
  column.cursor = out;
  column.body_end = out + raw;
  return Status::kOk;
}

// Returns whether the page can be decompressed straight from a file in memory: then page memory takes all of
// the column's memory but a short window for headers. A dictionary would be moved within that memory, so it
// is excluded.
bool can_stay(const ColumnCursor& column, const format::PageHeader& header) {
  return kDesktop && column.reader->image != nullptr && header.type != format::PageType::kDictionary &&
         std::uint64_t{column.dictionary_bytes} + kHeaderWindowBytes + header.uncompressed_bytes <=
             column.memory_bytes;
}

Status begin_where_it_is(ColumnCursor& column, const format::PageHeader& header) {
  const std::uint32_t bytes = header.compressed_bytes;
  // The reader never writes through this pointer.
  auto* const body =
      const_cast<std::byte*>(column.reader->image + static_cast<std::size_t>(column.window.position()));
  column.reason = FailureReason::kChecksum;
  if (read::is_checked(column, header) && column.reader->options->checksum(0, body, bytes) != header.crc)
    return Status::kCorrupt;
  if (column.window_bytes() != kHeaderWindowBytes)
    column.set_page_memory(column.memory_bytes - column.dictionary_bytes - kHeaderWindowBytes);
  column.cursor = body;
  column.body_end = body + bytes;
  column.body_beyond = 0;
  return Status::kOk;
}

Status begin_loaded(ColumnCursor& column, const format::PageHeader& header) {
  if constexpr (kDesktop) column.window.capacity = column.window_bytes();
  MICROPARQUET_TRY(load_page(column, header.compressed_bytes, header.uncompressed_bytes));
  MICROPARQUET_TRY(read::check_crc(column, header));
  column.begin_body(header.compressed_bytes);
  return Status::kOk;
}

}  // namespace

Status begin_compressed_page(const Decompressor& decompressor, ColumnCursor& column,
                             const format::PageHeader& header) {
  const std::uint32_t raw = header.uncompressed_bytes;
  MICROPARQUET_TRY(can_stay(column, header) ? begin_where_it_is(column, header)
                                            : begin_loaded(column, header));
  if (header.type != format::PageType::kDataV2) {
    MICROPARQUET_TRY(expand(decompressor, column, raw));
    return read::open_levels(column, header);
  }
  // A page of version 2 stores its levels uncompressed.
  if (header.repetition_bytes > raw || header.definition_bytes > raw - header.repetition_bytes)
    return Status::kCorrupt;
  MICROPARQUET_TRY(read::open_levels(column, header));
  const std::uint32_t values = raw - header.repetition_bytes - header.definition_bytes;
  // Some writers store nothing for a page of nulls, others compress zero bytes.
  if (!header.compressed || (values == 0 && column.available() == 0)) return Status::kOk;
  return expand(decompressor, column, values);
}

}  // namespace microparquet::detail
