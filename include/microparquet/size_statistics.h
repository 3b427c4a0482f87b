// How much memory the values of a column chunk, or of one page, take decoded, and how many items stand at which level: what
// some writers keep, so that it can be set aside before any of them is read (SizeStatistics, OffsetIndex and ColumnIndex of
// parquet.thrift).
//
//   std::uint64_t levels[2 * 16 + 2];
//   mpq::SizeStatistics sizes;
//   if (status == mpq::Status::kOk) status = reader.next_row_group();
//   if (status == mpq::Status::kOk) status = mpq::size_statistics(reader, 0, levels, sizes);
#pragma once

#include <cstdint>

#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Of one column in one row group, or of a page of it. They are what the writer claims; treat them as hints.
struct SizeStatistics {
  bool has_byte_array_bytes = false;     // `byte_array_bytes` is there
  std::uint64_t byte_array_bytes = 0;    // of all values of a kByteArray, without their lengths
  Span<const std::uint64_t> definition;  // items of each definition level, from 0 on; empty: it is not said
  Span<const std::uint64_t> repetition;  // items of each repetition level, from 0 on; empty: it is not said
};

// Reads what there is of `column` in the reader's current row group; the numbers of levels lie in `memory`. Where the
// reader is does not change. A list that is not as long as the column has levels is left out.
// - kInvalidArgument: no such column
// - kOutOfMemory: see Reader::needed_bytes()
// - kWrongState: the reader is in no row group
// - what the file answers: it may be repeated
Status size_statistics(Reader& reader, std::uint32_t column, Span<std::uint64_t> memory,
                       SizeStatistics& result);

// The same of each page, out of the column's page index. `result` is the caller's, and has as many places as
// PageIndex::pages() has pages. A list for another number of pages is left out; everything is, where an index cannot be read.
// - kInvalidArgument: no such column
// - kOutOfMemory: Reader::needed_bytes() says how many bytes `memory` must have
// - kWrongState: the reader is in no row group
// - what the file answers: it may be repeated
Status page_size_statistics(Reader& reader, std::uint32_t column, Span<std::uint64_t> memory,
                            Span<SizeStatistics> result);

}  // namespace microparquet
