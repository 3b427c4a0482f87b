// Page index, which some writers add to a column chunk: places, rows and bounds of its pages (PageIndex.md of
// the format). With it the reader skips pages without reading their headers.
//
//   alignas(8) std::byte memory[8192];
//   mpq::PageIndex index(memory);
//   if (status == mpq::Status::kOk) status = reader.next_row_group();
//   if (status == mpq::Status::kOk) status = index.read(reader, 0);
//   for (const mpq::IndexedPage& page : index.pages()) { static_cast<void>(page.first_row); }
//   if (status == mpq::Status::kOk) status = mpq::seek_row_by_index(reader, 3, 70'000);
//
// The reader trusts an index that does not contradict itself, its column chunk, or the headers of pages: of
// those that it seeks, and of those that confirm() reads. Otherwise it ignores the index. It takes at least
// two wrong numbers that agree with each other to mislead a reader. Bounds are claims of the writer, as are
// those of row groups.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Page, according to the index.
struct IndexedPage {
  std::uint64_t offset = 0;      // place of its header in the file
  std::uint64_t first_row = 0;   // number in the row group
  std::uint64_t rows = 0;        // rows that begin in it; 0: it is empty, or has the rest of a row
  std::uint64_t null_count = 0;  // number, if has_null_count
  std::uint64_t nan_count = 0;   // number, if has_nan_count
  Span<const std::byte> min;     // see ColumnStatistics::min
  Span<const std::byte> max;     // see ColumnStatistics::max
  std::uint32_t bytes = 0;       // length in the file, with its header
  bool only_nulls = false;       // whether it has no values, and no bounds
  bool has_bounds = false;       // `min` and `max` are valid
  bool has_null_count = false;   // `null_count` is valid
  bool has_nan_count = false;    // `nan_count` is valid
};

// Page index of one column chunk, in the memory of the caller.
class PageIndex {
 public:
  // Takes memory of the caller, which must stay.
  explicit PageIndex(Span<std::byte> memory) : memory_(memory) {}

  // Reads the index of `column` in the reader's current row group. The reader stays where it is.
  // - kEnd: there is no index, or none that can be trusted; pages() is empty
  // - kInvalidArgument: no such column, or the memory is not aligned to 8
  // - kOutOfMemory: see Reader::needed_bytes(), which counts the pages first, and their bounds too once the
  //   pages fit
  // - kWrongState: the reader is in no row group
  // - statuses of the file: the call may be repeated
  Status read(Reader& reader, std::uint32_t column);

  // Returns the pages in their order; valid until the next read().
  Span<const IndexedPage> pages() const { return pages_; }

  // Reads the header of page `page`; `confirmed` becomes whether it agrees on the page's rows and bytes.
  // Requires: read() has returned kOk for the row group that the reader is in, and page < pages().size().
  // - statuses of the file: the call may be repeated
  Status confirm(Reader& reader, std::size_t page, bool& confirmed) const;

 private:
  Status read_places(Reader& reader);
  Status read_bounds(Reader& reader);

  Span<std::byte> memory_;
  Span<IndexedPage> pages_;
  std::uint32_t column_ = 0;
};

// Goes to a row as Reader::seek_row(row_group, row). In chosen columns with an index it skips the pages
// before that row by the index.
Status seek_row_by_index(Reader& reader, std::uint32_t row_group, std::uint64_t row);

}  // namespace microparquet
