/* The same program as c_writer_in_cpp.cpp, through the C API: what that costs is the difference in flash. */
#include <stddef.h>

#include "c_writer.h"
#include "microparquet/c/microparquet.h"

static const mpq_column columns[] = {
    {.name = "time", .type = &mpq_timestamp_us, .offset = offsetof(struct c_writer_row, time)},
    {.name = "number", .type = &mpq_int32, .offset = offsetof(struct c_writer_row, number)},
    {.name = "x", .type = &mpq_float, .offset = offsetof(struct c_writer_row, x)},
    {.name = "y", .type = &mpq_float, .offset = offsetof(struct c_writer_row, y)},
    {.name = "z", .type = &mpq_float, .offset = offsetof(struct c_writer_row, z)},
    {.name = "temperature", .type = &mpq_float, .offset = offsetof(struct c_writer_row, temperature)},
    {.name = "status", .type = &mpq_int32, .offset = offsetof(struct c_writer_row, status)},
    {.name = "errors", .type = &mpq_int32, .offset = offsetof(struct c_writer_row, errors)},
};

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

static uint64_t memory[1024];
static const mpq_setup setup = {.columns = columns,
                                .column_count = sizeof columns / sizeof *columns,
                                .memory = memory,
                                .memory_bytes = sizeof memory};
static mpq_writer writer;
static mpq_function_file file_memory;

int main(void) {
  struct c_writer_row row;
  c_writer_measure(&row);
  mpq_file* const file = mpq_file_of(&file_memory, &functions, &row);
  mpq_status status = mpq_writer_open(&writer, file, &setup);
  if (status == MPQ_OK) status = mpq_writer_append(&writer, &row);
  if (status == MPQ_OK) status = mpq_writer_tick(&writer, 1000);
  if (status == MPQ_OK) status = mpq_writer_checkpoint(&writer);
  if (status == MPQ_OK) status = mpq_writer_close(&writer);
  return (int)status;
}
