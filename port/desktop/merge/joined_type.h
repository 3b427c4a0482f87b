// The type of a column that files have with different types.
#pragma once

#include "microparquet/file_metadata.h"

namespace mpq_tool {

// A type that has the values of both, as wider_type() has it: a wider integer, double for numbers of two kinds, the finer unit
// of timestamps, else text. What differs only in its form keeps its meaning: decimals, times, bytes. A column without values
// becomes what the other is. Requires: both are flat.
microparquet::SchemaElement joined_type(const microparquet::SchemaElement& a,
                                        const microparquet::SchemaElement& b);

}  // namespace mpq_tool
