#include "snappy-c.h"
#include "snappy.h"

snappy_status snappy_compress(const char* input, size_t input_length, char* compressed,
                              size_t* compressed_length) {
  if (*compressed_length < duckdb_snappy::MaxCompressedLength(input_length)) return SNAPPY_BUFFER_TOO_SMALL;
  duckdb_snappy::RawCompress(input, input_length, compressed, compressed_length);
  return SNAPPY_OK;
}

size_t snappy_max_compressed_length(size_t source_length) {
  return duckdb_snappy::MaxCompressedLength(source_length);
}
