// What some writers keep of each page of a column chunk: where it lies, its rows, and bounds of its values
// (PageIndex.md of the format). With it pages are passed over without their headers being read.
//
//   alignas(8) std::byte memory[8192];
//   mpq::PageIndex index(memory);
//   if (status == mpq::Status::kOk) status = reader.next_row_group();
//   if (status == mpq::Status::kOk) status = index.read(reader, 0);
//   for (const mpq::IndexedPage& page : index.pages()) { static_cast<void>(page.first_row); }
//   if (status == mpq::Status::kOk) status = mpq::seek_row_by_index(reader, 3, 70'000);
//
// An index is believed where it does not contradict itself, its column chunk, or the headers of the pages that are
// looked at: of those that are gone to, and of those that confirm() is asked for. Else it is as if there was none. So
// it takes at least two wrong numbers that agree with each other to mislead a reader. Bounds are claims, as those of
// row groups are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// A page, as the index has it.
struct IndexedPage {
  std::uint64_t offset = 0;      // in the file, of its header
  std::uint64_t first_row = 0;   // in the row group
  std::uint64_t rows = 0;        // that begin in it; 0: it is empty, or has the rest of a row
  std::uint64_t null_count = 0;  // if has_null_count
  std::uint64_t nan_count = 0;   // if has_nan_count
  Span<const std::byte> min;     // as ColumnStatistics::min
  Span<const std::byte> max;     // as ColumnStatistics::max
  std::uint32_t bytes = 0;       // in the file, with its header
  bool only_nulls = false;       // it has no values, and no bounds
  bool has_bounds = false;       // `min` and `max` are there
  bool has_null_count = false;   // `null_count` is there
  bool has_nan_count = false;    // `nan_count` is there
};

// The page index of one column chunk, in the memory of the caller.
class PageIndex {
 public:
  // `memory` is the caller's and must stay.
  explicit PageIndex(Span<std::byte> memory) : memory_(memory) {}

  // Reads what there is of `column` in the reader's current row group. Where the reader is does not change.
  // - kEnd: there is no index, or none that can be believed; pages() is empty
  // - kInvalidArgument: no such column, or the memory is not aligned to 8
  // - kOutOfMemory: see Reader::needed_bytes(); that is for the pages first, and for their bounds, too, when they fit
  // - kWrongState: the reader is in no row group
  // - what the file answers: it may be repeated
  Status read(Reader& reader, std::uint32_t column);

  // The pages, in their order; until the next read().
  Span<const IndexedPage> pages() const { return pages_; }

  // Whether the header of page `page` says the same of its rows and bytes. Requires: read() has returned kOk for
  // the row group that the reader is in, and page < pages().size().
  // - what the file answers: it may be repeated
  Status confirm(Reader& reader, std::size_t page, bool& confirmed) const;

 private:
  Status read_places(Reader& reader);
  Status read_bounds(Reader& reader);

  Span<std::byte> memory_;
  Span<IndexedPage> pages_;
  std::uint32_t column_ = 0;
};

// As Reader::seek_row(row_group, row): in chosen columns that have an index the pages before that row are passed over
// by it.
Status seek_row_by_index(Reader& reader, std::uint32_t row_group, std::uint64_t row);

}  // namespace microparquet
