/* Columns for C: the place of a value in a struct, its type, and the way it is written.

     struct sample { int64_t time; float acceleration; };

     static const mpq_column columns[] = {
         {.name = "time", .type = &mpq_timestamp_us, .offset = offsetof(struct sample, time)},
         {.name = "acceleration", .type = &mpq_float, .offset = offsetof(struct sample, acceleration)},
     };

   Types, encodings and what else is an object here are linked when a program names them, and only then. */
#ifndef MICROPARQUET_C_SCHEMA_H
#define MICROPARQUET_C_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Constants, whose values C++ does not see here. NOLINTBEGIN(bugprone-dynamic-static-initializers) */

/* Type of values, logical and physical (LogicalTypes.md). A comment names the C type in a row. */
typedef struct mpq_type mpq_type;
extern const mpq_type mpq_bool;   /* bool */
extern const mpq_type mpq_int32;  /* int32_t */
extern const mpq_type mpq_int64;  /* int64_t */
extern const mpq_type mpq_float;  /* float */
extern const mpq_type mpq_double; /* double */
extern const mpq_type mpq_string; /* mpq_text in UTF-8 */
extern const mpq_type mpq_bytes;  /* mpq_text of any bytes */
extern const mpq_type mpq_json;   /* mpq_text */

/* Integers by their range; up to 32 bits an int32_t, zero-extended if unsigned. */
extern const mpq_type mpq_int8;   /* int32_t */
extern const mpq_type mpq_int16;  /* int32_t */
extern const mpq_type mpq_uint8;  /* int32_t */
extern const mpq_type mpq_uint16; /* int32_t */
extern const mpq_type mpq_uint32; /* uint32_t */
extern const mpq_type mpq_uint64; /* uint64_t */

/* Time since 1970-01-01 00:00 UTC, an int64_t. */
extern const mpq_type mpq_timestamp_ms; /* milliseconds */
extern const mpq_type mpq_timestamp_us; /* microseconds */
extern const mpq_type mpq_timestamp_ns; /* nanoseconds */
/* Local time without a zone; also of a clock that counts from a device's start. */
extern const mpq_type mpq_local_timestamp_ms; /* milliseconds */
extern const mpq_type mpq_local_timestamp_us; /* microseconds */
extern const mpq_type mpq_local_timestamp_ns; /* nanoseconds */
/* Days since 1970-01-01, an int32_t. */
extern const mpq_type mpq_date;
/* Time since midnight, in UTC: an int32_t of milliseconds, or an int64_t. */
extern const mpq_type mpq_time_ms; /* milliseconds */
extern const mpq_type mpq_time_us; /* microseconds */
extern const mpq_type mpq_time_ns; /* nanoseconds */

/* Decimal as the number without its point, with mpq_column.precision and .scale. */
extern const mpq_type mpq_decimal32; /* int32_t: up to 9 digits */
extern const mpq_type mpq_decimal64; /* int64_t: up to 18 */

/* Bytes that lie in the row itself. */
extern const mpq_type mpq_fixed;         /* mpq_column.bytes of them, of no meaning to readers */
extern const mpq_type mpq_decimal_fixed; /* .bytes of them, big-endian, with .precision and .scale */
extern const mpq_type mpq_uuid;          /* 16, big-endian */
extern const mpq_type mpq_float16;       /* 2: half precision, little-endian */

/* Text or bytes of any length, copied when a row is taken. */
typedef struct mpq_text {
  const char* data; /* may be null if there are none */
  size_t bytes;     /* number of bytes */
} mpq_text;

/* Encoding and compression of a column's values. */
typedef struct mpq_encoding mpq_encoding;
/* Integers as packed differences, booleans in runs; others in PLAIN (encoders.h). */
extern const mpq_encoding mpq_delta;
/* Numbers and text as indices into a dictionary (encoders.h). */
extern const mpq_encoding mpq_dictionary;
/* The smallest file: by type, and under LZ4_RAW (encoders.h). */
extern const mpq_encoding mpq_small;

/* Value of mpq_column.optional: rows may have no value. */
typedef struct mpq_optional mpq_optional;
extern const mpq_optional mpq_is_optional; /* the only one */

/* A column. Leave unused members zero. The names are not copied. */
typedef struct mpq_column {
  const char* name;             /* name in UTF-8, not empty */
  const mpq_type* type;         /* one of the above */
  const mpq_encoding* encoding; /* null: PLAIN, which every reader has */
  const mpq_optional* optional; /* null: each row has a value; or &mpq_is_optional */
  uint32_t page_bytes;          /* size of this column's pages; 0: that of mpq_options */
  uint16_t offset;              /* place of the value in a row */
  uint16_t valid_offset;        /* optional: of a bool in the row, false: null */
  uint16_t bytes;               /* length of a value of mpq_fixed or mpq_decimal_fixed */
  uint8_t precision;            /* digits of a decimal in all */
  uint8_t scale;                /* digits of a decimal after the point */
} mpq_column;

/* NOLINTEND(bugprone-dynamic-static-initializers) */

#ifdef __cplusplus
}
#endif

#endif
