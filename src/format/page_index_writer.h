// OffsetIndex and ColumnIndex (parquet.thrift) of a written column chunk.
#pragma once

#include <cstddef>
#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/page_notes.h"

namespace microparquet::format {

// Returns the note `at` bytes after the column's notes.
inline detail::PageNote& page_note(detail::ColumnNotes& notes, std::uint32_t at) {
  return *reinterpret_cast<detail::PageNote*>(reinterpret_cast<std::byte*>(&notes) + at);
}

// Calls `take` with each page.
template <typename Take>
void for_each_page(detail::ColumnNotes& notes, const Take& take) {
  for (std::uint32_t at = notes.next; at != 0;) {
    detail::PageNote& page = page_note(notes, at);
    take(page);
    at = page.next;
  }
}

// Puts the ColumnIndex (part 0) or the OffsetIndex (part 1), without its stop byte. Requires: there are
// pages; for part 0: each page has bounds, or only nulls.
void put_index_part(thrift::WindowSink& sink, const detail::ColumnWriter& column, detail::ColumnNotes& notes,
                    unsigned part);

// Puts the offset and length of bytes in the file, `begin` bytes after `base`, as an i64 and an i32 directly after the
// field before. It puts nothing if there are none, or `base` is 0.
void put_place(thrift::WindowSink& sink, const std::uint64_t& base, std::uint32_t begin, std::uint32_t bytes);

}  // namespace microparquet::format
