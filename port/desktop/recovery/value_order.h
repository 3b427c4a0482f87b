// How values compare, by the order that Parquet defines for their type.
#pragma once

#include "bytes.h"
#include "microparquet/reader.h"

namespace microparquet::recovery {

// False where no order is defined: INT96, INTERVAL, and logical types that are not known.
bool has_order(const SchemaElement& element);

// Below 0, 0 or above 0. Values are as statistics hold them: PLAIN, byte arrays without their length.
// Requires: has_order(element), and neither is NaN.
int compare(const SchemaElement& element, ByteView a, ByteView b);

// Half precision, two bytes.
float float16_value(ByteView value);

// Whether a floating-point value is none; of other types false.
bool is_nan(const SchemaElement& element, ByteView value);

}  // namespace microparquet::recovery
