/* The functions of the shared library microparquet_arrow, for languages that call C: Parquet files as Arrow streams, and
 * Arrow streams as Parquet files. What they do is said in arrow.h. Thread-safe. */
#ifndef MICROPARQUET_DESKTOP_ARROW_C_H
#define MICROPARQUET_DESKTOP_ARROW_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ArrowArrayStream;

/* Makes `stream` give the rows of the file `path`: all columns, or the `column_count` ones of `columns`. An array has
 * `batch_rows` rows at most; 0: 65,536. Returns 0, or 1 with a text in the `error_bytes` bytes of `error`. */
int microparquet_read_arrow(const char* path, const char* const* columns, size_t column_count,
                            uint32_t batch_rows, struct ArrowArrayStream* stream, char* error,
                            size_t error_bytes);

/* The same, with numbers in the units that the key-values say, see ArrowReadSettings. */
int microparquet_read_arrow_physical(const char* path, const char* const* columns, size_t column_count,
                                     uint32_t batch_rows, struct ArrowArrayStream* stream, char* error,
                                     size_t error_bytes);

/* Writes the rows of `stream` to the file `path` and releases the stream. `codec`: null for none. Returns as above. */
int microparquet_write_arrow(struct ArrowArrayStream* stream, const char* path, const char* codec,
                             char* error, size_t error_bytes);

#ifdef __cplusplus
}
#endif

#endif
