// Parquet's schema list (parquet.thrift, SchemaElement).
#pragma once

#include "microparquet/schema.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {

// Writes the root and a SchemaElement for each field, as FileMetaData.schema.
void write_schema(thrift::CompactWriter& out, Schema schema);

}  // namespace microparquet::format
