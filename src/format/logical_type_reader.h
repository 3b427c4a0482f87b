// What a column means: LogicalType, and the ConvertedType of older files.
#pragma once

#include <cstdint>

#include "microparquet/schema.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// Reads the union LogicalType, whose fields are next. A kind that this library does not know is kUnknown.
LogicalType read_logical_type(thrift::CompactReader& in);

// The logical type that a ConvertedType stands for. `precision` and `scale` are those of the SchemaElement.
LogicalType from_converted_type(std::int32_t converted_type, std::int32_t precision, std::int32_t scale);

}  // namespace microparquet::format
