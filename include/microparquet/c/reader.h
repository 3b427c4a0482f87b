/* Reader for C: a Parquet file in, rows or columns out. It is microparquet::Reader (reader.h), call by call, which
   describes statuses, hostile files and the memory of values.

     static const uint32_t columns[] = {0, 3};
     mpq_status status = mpq_reader_open(&reader, file, NULL, memory, sizeof memory);
     if (status == MPQ_OK) status = mpq_reader_choose(&reader, columns, 2);
     while (status == MPQ_OK && (status = mpq_reader_next_row(&reader)) == MPQ_OK) {
       const mpq_cell cell = mpq_reader_cell(&reader, 0);
       ...
     }

   No call is thread-safe, and none is for interrupts. A null pointer is MPQ_INVALID_ARGUMENT. */
#ifndef MICROPARQUET_C_READER_H
#define MICROPARQUET_C_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "microparquet/c/file.h"
#include "microparquet/c/schema.h"
#include "microparquet/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Constants, whose values C++ does not see here. NOLINTBEGIN(bugprone-dynamic-static-initializers) */

/* Decoders and decompressors of pages. */
typedef struct mpq_decoders mpq_decoders;
extern const mpq_decoders mpq_plain_decoders; /* PLAIN, uncompressed */
extern const mpq_decoders mpq_all_decoders;   /* every encoding; SNAPPY and LZ4_RAW */

/* Options; a member of zero has its default. */
typedef struct mpq_reader_options {
  uint32_t buffer_bytes;        /* smallest share of a chosen column; default 512 */
  uint32_t footer_bytes;        /* memory for reading the footer; default 256 */
  const mpq_decoders* decoders; /* default mpq_plain_decoders */
} mpq_reader_options;

/* A reader; its memory is the caller's. Zero it before its first call, as static objects are. */
typedef struct mpq_reader {
  uint64_t storage[50 + sizeof(void*)]; /* the library's */
} mpq_reader;

/* Physical types, with the numbers of parquet.thrift's Type. */
typedef enum mpq_physical_type {
  MPQ_TYPE_BOOLEAN = 0,             /* a byte, 0 or 1 */
  MPQ_TYPE_INT32 = 1,               /* 4 bytes */
  MPQ_TYPE_INT64 = 2,               /* 8 bytes */
  MPQ_TYPE_INT96 = 3,               /* 12 bytes */
  MPQ_TYPE_FLOAT = 4,               /* 4 bytes */
  MPQ_TYPE_DOUBLE = 5,              /* 8 bytes */
  MPQ_TYPE_BYTE_ARRAY = 6,          /* any length */
  MPQ_TYPE_FIXED_LEN_BYTE_ARRAY = 7 /* one length for all */
} mpq_physical_type;

/* Logical types, with the numbers of LogicalKind in microparquet/schema.h. */
typedef enum mpq_logical_kind {
  MPQ_LOGICAL_NONE,
  MPQ_LOGICAL_STRING,
  MPQ_LOGICAL_ENUM,
  MPQ_LOGICAL_JSON,
  MPQ_LOGICAL_BSON,
  MPQ_LOGICAL_UUID,
  MPQ_LOGICAL_DECIMAL,
  MPQ_LOGICAL_DATE,
  MPQ_LOGICAL_TIME,
  MPQ_LOGICAL_TIMESTAMP,
  MPQ_LOGICAL_INTEGER,
  MPQ_LOGICAL_FLOAT16,
  MPQ_LOGICAL_INTERVAL,
  MPQ_LOGICAL_UNKNOWN, /* none of these */
  MPQ_LOGICAL_NULL,    /* all values are null */
  MPQ_LOGICAL_LIST,
  MPQ_LOGICAL_MAP,
  MPQ_LOGICAL_VARIANT,
  MPQ_LOGICAL_GEOMETRY,
  MPQ_LOGICAL_GEOGRAPHY
} mpq_logical_kind;

/* Units of times of day and timestamps. */
typedef enum mpq_time_unit { MPQ_MILLIS, MPQ_MICROS, MPQ_NANOS } mpq_time_unit;

/* Description of a column: SchemaElement in microparquet/file_metadata.h. */
typedef struct mpq_column_info {
  mpq_text name;                /* name, in the given buffer */
  mpq_physical_type type;       /* physical type */
  uint32_t bytes;               /* length of each value of MPQ_TYPE_FIXED_LEN_BYTE_ARRAY */
  mpq_logical_kind logical;     /* logical type; a comment below names the ones that a member belongs to */
  mpq_time_unit unit;           /* time, timestamp */
  bool utc;                     /* time, timestamp: in UTC; else local time */
  bool is_signed;               /* integer */
  uint8_t bits;                 /* integer: 8, 16, 32, 64 */
  uint8_t precision;            /* decimal: digits in all */
  uint8_t scale;                /* decimal: digits after the point */
  uint8_t max_definition_level; /* 0: no value is null */
  uint8_t max_repetition_level; /* 0: a value a row */
} mpq_column_info;

/* Value of a column in the current row. */
typedef struct mpq_cell {
  const void* data; /* little-endian, unaligned; of texts the bytes; null: the row has no value */
  uint32_t bytes;   /* length of the value */
} mpq_cell;

/* Arrays of the caller for rows of one column, and their contents: AnyBatch in column_values.h. */
typedef struct mpq_batch {
  void* values;               /* bool, int32_t, int64_t, float, double or mpq_text; of fixed bytes these */
  size_t places;              /* length of each array */
  uint8_t* definition_levels; /* level of each row: the maximum is a value, less a null */
  uint8_t* repetition_levels; /* unused for rows */
  size_t level_count;         /* rows stored */
  size_t value_count;         /* number of them with a value: nulls take no place in `values` */
} mpq_batch;

/* Opens `file` and checks its footer. `options` may be null. All arguments are the caller's and must stay until the last
   call. `memory` begins on 8 bytes. Statuses of Reader::open(). */
mpq_status mpq_reader_open(mpq_reader* reader, mpq_file* file, const mpq_reader_options* options,
                           void* memory, size_t memory_bytes);

/* Returns after MPQ_OUT_OF_MEMORY the bytes of memory, or of the buffer, that suffice. */
uint64_t mpq_reader_needed_bytes(const mpq_reader* reader);

/* Returns the rows of the file; 0 for a null pointer, as the next two do. */
uint64_t mpq_reader_rows(const mpq_reader* reader);
/* Returns the number of row groups. */
uint32_t mpq_reader_row_groups(const mpq_reader* reader);
/* Returns the number of columns. */
uint32_t mpq_reader_columns(const mpq_reader* reader);

/* Finds a column by its name, in nested schemas with dots. MPQ_INVALID_ARGUMENT: there is none. */
mpq_status mpq_reader_find_column(mpq_reader* reader, const char* name, uint32_t* column);
/* Reads the name of a column into `buffer`, not ended by a zero. */
mpq_status mpq_reader_column_name(mpq_reader* reader, uint32_t column, char* buffer, size_t buffer_bytes,
                                  mpq_text* name);
/* Describes a column: its name, physical and logical type, unit and length. `buffer` takes the name.
   - MPQ_INVALID_ARGUMENT: there is no such column
   - MPQ_OUT_OF_MEMORY: the buffer is shorter than the name: mpq_reader_needed_bytes() */
mpq_status mpq_reader_describe_column(mpq_reader* reader, uint32_t column, char* buffer, size_t buffer_bytes,
                                      mpq_column_info* info);
/* Reads the physical type of a column. MPQ_INVALID_ARGUMENT: there is no such column; MPQ_WRONG_STATE: no file is open. */
mpq_status mpq_reader_column_type(const mpq_reader* reader, uint32_t column, mpq_physical_type* type);
/* Reads the definition level of a value; 0: the column has no nulls. Statuses as above. */
mpq_status mpq_reader_max_definition_level(const mpq_reader* reader, uint32_t column, uint8_t* level);

/* Reads the value of a key-value into `buffer`. MPQ_INVALID_ARGUMENT: there is no such key. */
mpq_status mpq_reader_key_value(mpq_reader* reader, const char* key, char* buffer, size_t buffer_bytes,
                                mpq_text* value);

/* Chooses the columns to read, in this order. */
mpq_status mpq_reader_choose(mpq_reader* reader, const uint32_t* columns, size_t column_count);
/* Chooses all columns. */
mpq_status mpq_reader_choose_all(mpq_reader* reader);

/* Goes to the next row of the chosen columns. MPQ_END: there is none. */
mpq_status mpq_reader_next_row(mpq_reader* reader);
/* Goes to row `row` of the file, counted from 0: mpq_reader_next_row() then returns it. */
mpq_status mpq_reader_seek_row(mpq_reader* reader, uint64_t row);
/* Returns chosen column `i` of the current row, valid until the next call; null without a value, or for a place that
   does not exist. */
mpq_cell mpq_reader_cell(const mpq_reader* reader, size_t i);

/* Goes to the next row group, to read columns. MPQ_END: there is none. */
mpq_status mpq_reader_next_row_group(mpq_reader* reader);
/* Reads the next rows of chosen column `i` in the row group. MPQ_END: it has no more. Texts stay until the next call
   for the column. `batch->values` has the width of the column's type. MPQ_INVALID_ARGUMENT, with nothing stored: it is
   null, or an array of mpq_text that is not aligned. */
mpq_status mpq_reader_next_batch(mpq_reader* reader, size_t i, mpq_batch* batch);

/* NOLINTEND(bugprone-dynamic-static-initializers) */

#ifdef __cplusplus
}
#endif

#endif
