/* The functions of snappy's C interface that the programs call. The fetched sources have the library in a namespace of their own. */
#ifndef SNAPPY_C_H
#define SNAPPY_C_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { SNAPPY_OK = 0, SNAPPY_INVALID_INPUT = 1, SNAPPY_BUFFER_TOO_SMALL = 2 } snappy_status;

snappy_status snappy_compress(const char* input, size_t input_length, char* compressed,
                              size_t* compressed_length);
size_t snappy_max_compressed_length(size_t source_length);

#ifdef __cplusplus
}
#endif

#endif
