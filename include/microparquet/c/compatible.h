/* Files for every reader, even those of ten years ago, for C: see microparquet/compatible.h.

     mpq_options options = mpq_compatible_options;
     options.row_group_bytes = 16 << 10;
     assert(mpq_is_compatible(columns, sizeof columns / sizeof *columns));
*/
#ifndef MICROPARQUET_C_COMPATIBLE_H
#define MICROPARQUET_C_COMPATIBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "microparquet/c/options.h"
#include "microparquet/c/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options to copy and change, except the layout and whole_sectors: row groups wait in memory of row_group_bytes.
   NOLINTNEXTLINE(bugprone-dynamic-static-initializers): C++ does not see the values here */
extern const mpq_options mpq_compatible_options;

/* Returns whether every reader takes the types and encodings of all columns: not mpq_fixed, mpq_decimal_fixed, mpq_uuid or
   mpq_float16, times of day or nanoseconds, nor mpq_small, nor mpq_delta of integers or booleans. Also false for a null pointer. Thread-safe. */
bool mpq_is_compatible(const mpq_column* columns, size_t column_count);

#ifdef __cplusplus
}
#endif

#endif
