// ColumnChunk with its ColumnMetaData, from a footer.
#pragma once

#include "microparquet/detail/reader_state.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

using detail::ColumnChunk;

// Reads one element of RowGroup.columns.
void read_column_chunk(thrift::CompactReader& in, ColumnChunk& chunk);

}  // namespace microparquet::format
