/* A row, and a medium that does nothing, for the two programs that compare the C API with C++. */
#ifndef MICROPARQUET_BENCH_C_WRITER_H
#define MICROPARQUET_BENCH_C_WRITER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct c_writer_row {
  int64_t time;
  int32_t number;
  float x, y, z, temperature;
  int32_t status, errors;
};

/* Fills a row, in a way that the compiler does not see. */
void c_writer_measure(struct c_writer_row* row);

uint64_t c_writer_size(void* medium);
int c_writer_read(void* medium, uint64_t offset, void* out, size_t bytes);
int c_writer_write(void* medium, uint64_t offset, const void* data, size_t bytes);
int c_writer_sync(void* medium, uint64_t bytes);

#ifdef __cplusplus
}
#endif

#endif
