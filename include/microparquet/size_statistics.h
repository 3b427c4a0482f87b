// Sizes that some writers store for a column chunk or a page: the memory of its decoded values, and the
// number of items at each level (SizeStatistics, OffsetIndex and ColumnIndex of parquet.thrift). A program
// can allocate memory by them before it reads a value.
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

// Sizes of one column in one row group, or of a page of it. They are claims of the writer; treat them as
// hints.
struct SizeStatistics {
  bool has_byte_array_bytes = false;     // `byte_array_bytes` is valid
  std::uint64_t byte_array_bytes = 0;    // length of all values of a kByteArray, without their lengths
  Span<const std::uint64_t> definition;  // items of each definition level, from 0 on; empty: not stated
  Span<const std::uint64_t> repetition;  // items of each repetition level, from 0 on; empty: not stated
};

// Reads the sizes of `column` in the reader's current row group; the numbers of levels lie in `memory`. The
// reader stays where it is. A list is left out unless it has one number for each level of the column.
// - kInvalidArgument: no such column
// - kOutOfMemory: see Reader::needed_bytes()
// - kWrongState: the reader is in no row group
// - statuses of the file: the call may be repeated
Status size_statistics(Reader& reader, std::uint32_t column, Span<std::uint64_t> memory,
                       SizeStatistics& result);

// Reads the sizes of each page from the column's page index. `result` is the caller's, and has as many places
// as PageIndex::pages() has pages. A list for another number of pages is left out, and so is everything if
// the index cannot be read.
// - kInvalidArgument: no such column
// - kOutOfMemory: Reader::needed_bytes() says how many bytes `memory` must have
// - kWrongState: the reader is in no row group
// - statuses of the file: the call may be repeated
Status page_size_statistics(Reader& reader, std::uint32_t column, Span<std::uint64_t> memory,
                            Span<SizeStatistics> result);

}  // namespace microparquet
