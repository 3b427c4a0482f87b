// Parquet's schema list (parquet.thrift, SchemaElement).
#pragma once

#include "microparquet/detail/writer_state.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {

// Writes the root and a SchemaElement for each field of the writer's schema.
void write_schema(thrift::CompactWriter& out, const detail::WriterState& state);

}  // namespace microparquet::format
