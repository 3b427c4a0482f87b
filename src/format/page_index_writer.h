// OffsetIndex and ColumnIndex (parquet.thrift) of a column chunk that is written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/page_notes.h"

namespace microparquet::format {

// The note that is so far after those of the column.
inline detail::PageNote& page_note(detail::ColumnNotes& notes, std::uint32_t at) {
  return *reinterpret_cast<detail::PageNote*>(reinterpret_cast<std::byte*>(&notes) + at);
}

// Calls `take` with each page. Inlined, since there is one call each.
template <typename Take>
[[gnu::always_inline]] inline void for_each_page(detail::ColumnNotes& notes, const Take& take) {
  for (std::uint32_t at = notes.next; at != 0;) {
    detail::PageNote& page = page_note(notes, at);
    take(page);
    at = page.next;
  }
}

// Part 0 is the ColumnIndex, part 1 the OffsetIndex, each without its stop byte. Requires: there are pages; of part 0: each page
// has bounds, or nulls alone.
void put_index_part(thrift::WindowSink& sink, const detail::ColumnWriter& column, detail::ColumnNotes& notes,
                    unsigned part);

// Where bytes of the file are that begin `begin` bytes after `base`, right after the field before it: an i64 and an i32. Nothing, if
// there are none, or `base` is 0.
void put_place(thrift::WindowSink& sink, const std::uint64_t& base, std::uint32_t begin, std::uint32_t bytes);

}  // namespace microparquet::format
