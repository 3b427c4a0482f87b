// Parquet's RowGroup with its column chunks (parquet.thrift).
#pragma once

#include "io/window_sink.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::format {

// Writes the open row group as an element of FileMetaData.row_groups.
void write_row_group(thrift::WindowSink& sink, const detail::WriterState& state);

}  // namespace microparquet::format
