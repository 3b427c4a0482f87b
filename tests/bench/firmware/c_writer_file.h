/* The file of the programs in C, on the medium of c_writer.h. One source of a program includes it. */
#ifndef MICROPARQUET_BENCH_C_WRITER_FILE_H
#define MICROPARQUET_BENCH_C_WRITER_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "c_writer.h"
#include "microparquet/c/file.h"

static mpq_status size(void* context, uint64_t* bytes) {
  *bytes = c_writer_size(context);
  return MPQ_OK;
}
static mpq_status read_at(void* context, uint64_t offset, void* out, size_t bytes) {
  return (mpq_status)c_writer_read(context, offset, out, bytes);
}
static mpq_status write_at(void* context, uint64_t offset, const void* data, size_t bytes) {
  return (mpq_status)c_writer_write(context, offset, data, bytes);
}
static mpq_status nothing(void* context) { return context != NULL ? MPQ_OK : MPQ_IO_ERROR; }
static mpq_status nothing_up_to(void* context, uint64_t end) {
  (void)end;
  return nothing(context);
}
static mpq_status sync(void* context, uint64_t bytes) { return (mpq_status)c_writer_sync(context, bytes); }

static const mpq_file_functions functions = {
    .abilities = {.seek = true, .read_back = true, .block_bytes = 512},
    .size = &size,
    .read_at = &read_at,
    .write_at = &write_at,
    .reserve = &nothing_up_to,
    .barrier = &nothing,
    .sync = &sync,
    .shrink = &nothing_up_to,
};

#endif
