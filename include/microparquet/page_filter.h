// Skipping pages by their bounds, in a file with a page index.
//
//   mpq::ColumnRange range;
//   status = mpq::make_range(reader, 0, mpq::Value::of(std::int64_t{10}), mpq::Value::of(std::int64_t{20}), range);
//   alignas(8) std::byte memory[4096];
//   mpq::RowRange scratch[24];
//   const mpq::PageFilter filter({&range, 1}, memory, scratch);
//   mpq::RowRange places[16];
//   mpq::SelectedRows selected(reader, filter, places);
//   while (selected.next() == mpq::Status::kOk && reader.next_row() == mpq::Status::kOk) { break; }
#pragma once

#include <cstddef>

#include "microparquet/filter.h"
#include "microparquet/reader.h"
#include "microparquet/row_filter.h"
#include "microparquet/row_ranges.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Selects the rows of pages in which every range may hold some value of its column: first by the statistics
// of their row group, as RangeFilter does, then by the page index. Without an index, with one that cannot be
// trusted (page_index.h), or one too large for the memory, it selects all rows of the row group.
class PageFilter final : public RowFilter {
 public:
  // Takes objects of the caller, which must stay: the ranges and the bytes they point to; memory for the page
  // index of one column, aligned to 8; and at least three places for ranges of rows, a third for each step.
  constexpr PageFilter(Span<const ColumnRange> ranges, Span<std::byte> memory, Span<RowRange> scratch)
      : ranges_(ranges), memory_(memory), scratch_(scratch) {}
  Status select(Reader& reader, RowRanges& rows) const override;

 private:
  Status select_pages(Reader& reader, const ColumnRange& range, RowRanges& rows) const;

  Span<const ColumnRange> ranges_;
  Span<std::byte> memory_;
  Span<RowRange> scratch_;
};

}  // namespace microparquet
