/* The same program as c_writer_in_cpp.cpp, through the C API: what that costs is the difference in flash. */
#include <stddef.h>

#include "c_writer.h"
#include "c_writer_file.h"
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
