// OffsetIndex and ColumnIndex (parquet.thrift) of a column chunk that is written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/page_notes.h"

namespace microparquet::format {

// What they say of a page; the state of its bounds follows.
struct alignas(8) PageNote {
  std::uint32_t next;   // the note of the next page: how far after those of the column
  std::uint32_t bytes;  // with its header
  std::uint32_t rows;
  std::uint32_t nulls;
};

// The note that is so far after those of the column.
inline PageNote& page_note(detail::ColumnNotes& notes, std::uint32_t at) {
  return *reinterpret_cast<PageNote*>(reinterpret_cast<std::byte*>(&notes) + at);
}

// Calls `take` with each page. Inlined, since there is one call each.
template <typename Take>
[[gnu::always_inline]] inline void for_each_page(detail::ColumnNotes& notes, const Take& take) {
  std::uint32_t at = notes.next;
  for (std::uint32_t left = notes.pages; left != 0; --left) {
    PageNote& page = page_note(notes, at);
    at = page.next;
    take(page);
  }
}

// Part 0 is the ColumnIndex, part 1 the OffsetIndex, each without its stop byte. `order`: parquet.thrift's BoundaryOrder; 0:
// none is known. Requires: there are pages; of part 0: each page has bounds, or nulls alone.
void put_index_part(thrift::WindowSink& sink, const detail::ColumnWriter& column, detail::ColumnNotes& notes,
                    unsigned part, unsigned order = 0);

// A place of a ColumnChunk, right after the field before it.
void put_index_place(thrift::WindowSink& sink, std::uint64_t offset, std::uint32_t bytes);

}  // namespace microparquet::format
