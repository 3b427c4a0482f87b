// RowGroup, as the footer has it.
#pragma once

#include <cstdint>

#include "microparquet/detail/reader_state.h"
#include "thrift/compact_reader.h"

namespace microparquet::read {

struct RowGroup {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
};

// Reads one element of FileMetaData.row_groups and checks it against the schema. With `start` the chosen
// columns are set to the beginning of their chunks.
// - kCorrupt: a field is missing, or the columns are not those of the schema or not of one length
// - kEncrypted: a column is
void read_row_group(thrift::CompactReader& in, detail::ReaderState& state, RowGroup& row_group, bool start);

}  // namespace microparquet::read
