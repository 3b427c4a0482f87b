// Rows that never reached a file: its logger's queue was full.
#pragma once

#include <cstdint>

#include "parquet_file.h"

namespace mpq_tool {

// What the key-values of the file say of them: `rows_dropped`, and `rows_refused`, as it was called before. A
// file that has both was continued by a later version: each counts rows of its own.
std::uint64_t dropped_rows(ParquetFile& file);

}  // namespace mpq_tool
