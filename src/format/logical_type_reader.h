// Logical types: LogicalType, and the ConvertedType of older files.
#pragma once

#include <cstdint>

#include "microparquet/schema.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// Reads the union LogicalType, whose fields are next. kUnknown: this library does not know the kind.
LogicalType read_logical_type(thrift::CompactReader& in);

// Returns the logical type for a ConvertedType. `precision` and `scale` are those of the SchemaElement.
LogicalType from_converted_type(std::int32_t converted_type, std::int32_t precision, std::int32_t scale);

}  // namespace microparquet::format
