// The first lines that tell of a file.
#pragma once

#include "output.h"
#include "parquet_file.h"

namespace mpq_tool {

// Rows, row groups, columns, size, and who wrote it.
void print_file(ParquetFile& file, Output& output);

// Its key-values in a line each, long ones shortened. Nothing when there are none.
void print_key_values(ParquetFile& file, Output& output);

}  // namespace mpq_tool
