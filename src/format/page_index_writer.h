// OffsetIndex and ColumnIndex (parquet.thrift) of a column chunk that is written.
#pragma once

#include <cstddef>
#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/detail/column_plan.h"

namespace microparquet::format {

// What they say of a page; the state of its bounds follows.
struct alignas(8) PageNote {
  std::uint32_t next;   // the note of the next page: from the one memory that holds them all
  std::uint32_t bytes;  // with its header
  std::uint32_t rows;
  std::uint32_t nulls;
};

// All pages of a chunk, at least one.
struct NotedPages {
  std::byte* memory;
  std::uint32_t first;
  std::uint32_t count;
  const detail::ColumnPlan& plan;
};

// Calls `take` with each page. Inlined, since there is one call each.
template <typename Take>
[[gnu::always_inline]] inline void for_each_page(const NotedPages& pages, const Take& take) {
  std::uint32_t at = pages.first;
  for (std::uint32_t left = pages.count; left != 0; --left) {
    PageNote& page = *reinterpret_cast<PageNote*>(pages.memory + at);
    at = page.next;
    take(page);
  }
}

// Part 0 is the ColumnIndex, part 1 the OffsetIndex, each without its stop byte. `begin`: of the first page in the file;
// `order`: parquet.thrift's BoundaryOrder; 0: none is known. Requires of part 0: each page has bounds, or nulls alone.
void put_index_part(thrift::WindowSink& sink, const NotedPages& pages, unsigned part, std::uint64_t begin,
                    unsigned order = 0);

// A place of a ColumnChunk, right after the field before it.
void put_index_place(thrift::WindowSink& sink, std::uint64_t offset, std::uint32_t bytes);

}  // namespace microparquet::format
