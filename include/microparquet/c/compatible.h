/* Files that every reader takes, those of ten years ago too, for C: see microparquet/compatible.h.

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

/* To be copied and changed, but for the layout and whole_sectors: row groups wait in memory, of which row_group_bytes
   says how much. NOLINTNEXTLINE(bugprone-dynamic-static-initializers): C++ does not see the values here */
extern const mpq_options mpq_compatible_options;

/* Whether all columns are of types and encodings that every reader takes: not mpq_fixed, mpq_decimal_fixed, mpq_uuid or
   mpq_float16, times of day or nanoseconds, nor mpq_small, nor mpq_delta of integers or booleans. False of a null pointer, too. Thread-safe. */
bool mpq_is_compatible(const mpq_column* columns, size_t column_count);

#ifdef __cplusplus
}
#endif

#endif
