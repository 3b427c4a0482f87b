/* c_writer.c with a table of nodes: a struct that may be missing, and a list of structs. What that costs is the difference in
   flash. */
#include <stddef.h>

#include "c_writer.h"
#include "c_writer_file.h"
#include "microparquet/c/microparquet.h"

struct c_nested_point {
  float x, y;
};
struct c_nested_row {
  struct c_writer_row flat;
  bool has_point;
  struct c_nested_point point;
  uint16_t count;
  struct c_nested_point points[8];
};

static const mpq_node nodes[] = {
    {.name = "time", .type = &mpq_timestamp_us, .offset = offsetof(struct c_nested_row, flat.time)},
    {.name = "number", .type = &mpq_int32, .offset = offsetof(struct c_nested_row, flat.number)},
    {.name = "point",
     .kind = &mpq_struct,
     .children = 2,
     .offset = offsetof(struct c_nested_row, point),
     .stride = sizeof(struct c_nested_point),
     .optional = &mpq_may_be_missing,
     .valid_offset = offsetof(struct c_nested_row, has_point)},
    {.name = "x", .type = &mpq_float, .offset = offsetof(struct c_nested_point, x)},
    {.name = "y", .type = &mpq_float, .offset = offsetof(struct c_nested_point, y)},
    {.name = "points",
     .kind = &mpq_list,
     .children = 1,
     .offset = offsetof(struct c_nested_row, points),
     .stride = sizeof(struct c_nested_point),
     .capacity = 8,
     .count_offset = offsetof(struct c_nested_row, count)},
    {.kind = &mpq_struct, .children = 2, .stride = sizeof(struct c_nested_point)},
    {.name = "x", .type = &mpq_float, .offset = offsetof(struct c_nested_point, x)},
    {.name = "y", .type = &mpq_float, .offset = offsetof(struct c_nested_point, y)},
};

static uint64_t memory[1200];
static const mpq_nested_setup setup = {.table = {.nodes = nodes,
                                                 .node_count = sizeof nodes / sizeof *nodes,
                                                 .row_bytes = sizeof(struct c_nested_row)},
                                       .memory = memory,
                                       .memory_bytes = sizeof memory};
static mpq_writer writer;
static mpq_function_file file_memory;
static struct c_nested_row row;

int main(void) {
  c_writer_measure(&row.flat);
  mpq_file* const file = mpq_file_of(&file_memory, &functions, &row);
  mpq_status status = mpq_nested_open(&writer, file, &setup);
  if (status == MPQ_OK) status = mpq_nested_append(&writer, &row);
  if (status == MPQ_OK) status = mpq_writer_tick(&writer, 1000);
  if (status == MPQ_OK) status = mpq_writer_checkpoint(&writer);
  if (status == MPQ_OK) status = mpq_writer_close(&writer);
  return (int)status;
}
