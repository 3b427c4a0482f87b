/* Structs, arrays, lists and maps for C: rows are a struct of the program, and a table of nodes says where in it each
   part lies. port/structs.md says what such columns cost, and how full pages get.

     struct satellite { uint8_t id; float snr; };
     struct epoch {
       int64_t time;
       bool has_fix;
       struct { double lat, lon; } fix;
       uint16_t count;
       struct satellite satellites[32];
     };

     static const mpq_node nodes[] = {
         {.name = "time", .type = &mpq_timestamp_us, .offset = offsetof(struct epoch, time)},
         {.name = "fix", .kind = &mpq_struct, .children = 2, .offset = offsetof(struct epoch, fix),
          .stride = sizeof(((struct epoch*)0)->fix), .optional = &mpq_may_be_missing,
          .valid_offset = offsetof(struct epoch, has_fix)},
         {.name = "lat", .type = &mpq_double, .offset = 0},
         {.name = "lon", .type = &mpq_double, .offset = 8},
         {.name = "satellites", .kind = &mpq_list, .children = 1, .offset = offsetof(struct epoch, satellites),
          .stride = sizeof(struct satellite), .capacity = 32, .count_offset = offsetof(struct epoch, count)},
         {.kind = &mpq_struct, .children = 2, .stride = sizeof(struct satellite)},
         {.name = "id", .type = &mpq_uint8, .bytes = 1, .offset = offsetof(struct satellite, id)},
         {.name = "snr", .type = &mpq_float, .offset = offsetof(struct satellite, snr)},
     };
     static const mpq_table table = {
         .nodes = nodes, .node_count = sizeof nodes / sizeof *nodes, .row_bytes = sizeof(struct epoch)};

   The writer is an mpq_writer. Opening, appending and what depends on the table has calls of its own, below; ticks,
   checkpoints, saves, closing and the rest are those of writer.h. */
#ifndef MICROPARQUET_C_NESTED_H
#define MICROPARQUET_C_NESTED_H

#include <stddef.h>
#include <stdint.h>

#include "microparquet/c/file.h"
#include "microparquet/c/options.h"
#include "microparquet/c/schema.h"
#include "microparquet/c/status.h"
#include "microparquet/c/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Constants, whose values C++ does not see here. NOLINTBEGIN(bugprone-dynamic-static-initializers) */

/* Kind of a node with others inside. Lists are linked when a program names one of the last four. */
typedef struct mpq_kind mpq_kind;
extern const mpq_kind mpq_struct; /* a struct: its members follow */
extern const mpq_kind mpq_array;  /* a list of .capacity elements in each row, one after another */
extern const mpq_kind mpq_list;   /* the same, of which the first ones are there; a uint16_t counts them */
extern const mpq_kind mpq_span;   /* a pointer to elements that lie elsewhere, and a uint16_t */
extern const mpq_kind mpq_map;    /* as mpq_list, with a key and a value in each element */

/* Value of mpq_node.optional: it may be missing. */
typedef struct mpq_missing mpq_missing;
extern const mpq_missing mpq_may_be_missing; /* the only one */

/* Encoding and compression of a value in a table, with what it needs in lists: see schema.h. */
typedef struct mpq_nested_encoding mpq_nested_encoding;
extern const mpq_nested_encoding mpq_nested_delta;      /* as mpq_delta */
extern const mpq_nested_encoding mpq_nested_dictionary; /* as mpq_dictionary */
extern const mpq_nested_encoding mpq_nested_small;      /* as mpq_small */

/* A node of the table: a value or, with a kind, a part with others inside, which follow it. Leave unused members zero.
   Places are counted from where the part begins that the node is in: the row, a struct, or an element. */
typedef struct mpq_node {
  const char*
      name; /* name in UTF-8, 1 to 127 bytes; not of elements, keys and values of maps, which have their own */
  const mpq_type* type;                /* of a value */
  const mpq_kind* kind;                /* of a part with others inside; null: a value */
  const mpq_missing* optional;         /* null: it is always there; or &mpq_may_be_missing */
  const mpq_nested_encoding* encoding; /* of a value; null: PLAIN */
  uint32_t page_bytes;                 /* size of this value's pages; 0: that of mpq_options */
  uint16_t children;     /* number of parts directly inside: of a struct its members, of a map 2, else 1 */
  uint16_t offset;       /* place of the value, the struct, the first element, or of mpq_span's pointer */
  uint16_t valid_offset; /* optional: of a bool, false: it is missing */
  uint16_t count_offset; /* mpq_list, mpq_span, mpq_map: of a uint16_t, the number of elements */
  uint16_t stride;       /* size of the struct, or from one element to the next */
  uint16_t capacity;     /* mpq_array: number of elements; mpq_list, mpq_span, mpq_map: the most */
  uint16_t
      bytes; /* length of a value of mpq_fixed or mpq_decimal_fixed; 1 or 2: that of an integer in a row */
  uint8_t precision; /* digits of a decimal in all */
  uint8_t scale;     /* digits of a decimal after the point */
} mpq_node;

/* NOLINTEND(bugprone-dynamic-static-initializers) */

/* The nodes, each before those inside it. */
typedef struct mpq_table {
  const mpq_node* nodes; /* the caller's, as their names are, as long as the writer */
  size_t node_count;     /* number of all nodes */
  size_t row_bytes;      /* size of the struct of a row */
} mpq_table;

/* What is wrong with a table. */
typedef enum mpq_table_fault {
  MPQ_TABLE_SOUND,    /* nothing */
  MPQ_TABLE_EMPTY,    /* it has no node, or too many */
  MPQ_TABLE_NAME,     /* a name is missing, too long, or the same as that of another member */
  MPQ_TABLE_KIND,     /* a node has both a kind and a type, or neither */
  MPQ_TABLE_CHILDREN, /* a node has another number of children than its kind allows, or than follow */
  MPQ_TABLE_DEPTH,    /* a value lies deeper than 14 names: a list counts two, and its element one */
  MPQ_TABLE_LISTS,    /* a list is in three others */
  MPQ_TABLE_KEY,      /* a map's key may be missing */
  MPQ_TABLE_STRIDE,   /* the stride is 0 */
  MPQ_TABLE_CAPACITY, /* the capacity is 0 */
  MPQ_TABLE_BYTES,    /* a value has no length, or an integer another one than its type allows */
  MPQ_TABLE_OUTSIDE,  /* a part does not fit in the row, the struct or the stride that it is in */
  MPQ_TABLE_OVERLAP   /* a part lies over another; only flags and counts may be shared */
} mpq_table_fault;

/* Returns the first fault of a table. `node` becomes the number of the node at fault; it may be null. Thread-safe. */
mpq_table_fault mpq_table_check(const mpq_table* table, size_t* node);
/* Returns the name of a fault for messages, such as "stride". Static storage. */
const char* mpq_table_fault_text(mpq_table_fault fault);

/* Setup of a writer. All of it is the caller's, and stays until mpq_writer_close() has returned MPQ_OK. */
typedef struct mpq_nested_setup {
  mpq_table table;            /* parts of a row */
  const mpq_options* options; /* null: mpq_default_options */
  void* memory;               /* begins on transfer_align, 8 bytes */
  size_t memory_bytes;        /* its length */
} mpq_nested_setup;

/* Begins a new file. Statuses of mpq_writer_open(), and
   - MPQ_INVALID_ARGUMENT: also a table with a fault, see mpq_table_check(); lists with mpq_in_place_tailed or
     mpq_in_place_saving; or sorting by a value in a list
   - MPQ_VALUE_TOO_LARGE: a row of an array is longer than a page of its values
   - MPQ_OUT_OF_MEMORY: mpq_nested_needed_bytes() has the size that would do */
mpq_status mpq_nested_open(mpq_writer* writer, mpq_file* file, const mpq_nested_setup* setup);

/* Continues a file of the same table and options, or begins an empty one. Statuses of mpq_writer_resume(), and those above. */
mpq_status mpq_nested_resume(mpq_writer* writer, mpq_file* file, const mpq_nested_setup* setup);

/* Returns the bytes that suffice, after MPQ_OUT_OF_MEMORY of one of these. Without space even for what is kept of the
   table it returns those bytes: give as much and ask again. */
size_t mpq_nested_needed_bytes(const mpq_writer* writer);

/* Appends one row, completely or not at all: a struct as the table says. After a row that is refused the next one may
   be appended.
   - statuses of Writer::append()
   - MPQ_VALUE_TOO_LARGE: also a count that is larger than its capacity, or a row of a list that no page takes
   - MPQ_INVALID_ARGUMENT: an mpq_text or an mpq_span has bytes or elements, and no address
   - MPQ_WRONG_STATE: also a writer that another call has opened */
mpq_status mpq_nested_append(mpq_writer* writer, const void* row);

/* Continues after MPQ_MEDIUM_LOST, as mpq_writer_reconnect(), which a writer with a table must not call. */
mpq_status mpq_nested_reconnect(mpq_writer* writer, mpq_file* file);

#ifdef __cplusplus
}
#endif

#endif
