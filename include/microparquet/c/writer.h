/* Writer for C: rows in, a Parquet file out. It is microparquet::Writer (writer.h), call by call, which describes
   statuses, repeated calls, durability and time.

     static uint64_t memory[1200];
     static const mpq_setup setup = {
         .columns = columns, .column_count = 2, .memory = memory, .memory_bytes = sizeof memory};
     static mpq_writer writer;

     mpq_status status = mpq_writer_open(&writer, file, &setup);
     if (status == MPQ_OK) status = mpq_writer_append(&writer, &sample);

   No call is thread-safe, and none is for interrupts. A null pointer is MPQ_INVALID_ARGUMENT. */
#ifndef MICROPARQUET_C_WRITER_H
#define MICROPARQUET_C_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "microparquet/c/file.h"
#include "microparquet/c/options.h"
#include "microparquet/c/schema.h"
#include "microparquet/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A writer; its memory is the caller's. Zero it before its first call, as static objects are. */
typedef struct mpq_writer {
  uint64_t storage[44 + 2 * sizeof(void*)]; /* the library's */
} mpq_writer;

/* Setup of a writer. All of it is the caller's. */
typedef struct mpq_setup {
  const mpq_column* columns;  /* columns in the order of the file */
  size_t column_count;        /* number of columns */
  const mpq_options* options; /* null: mpq_default_options */
  void*
      memory; /* begins on transfer_align, 8 bytes; mpq_writer_needed_bytes() says how much of it suffices */
  size_t memory_bytes; /* its length */
} mpq_setup;

/* Begins a new file. All arguments must stay until mpq_writer_close() has returned MPQ_OK, or the writer is reset.
   Statuses of Writer::open(), and
   - MPQ_INVALID_ARGUMENT: also a column without a name or type, or memory that does not begin on transfer_align, which stays
     untouched
   - MPQ_OUT_OF_MEMORY: mpq_writer_needed_bytes() has the size that would do */
mpq_status mpq_writer_open(mpq_writer* writer, mpq_file* file, const mpq_setup* setup);

/* Continues a file of the same columns and options, closed or cut off at any moment, or begins an empty one. Statuses of
   Writer::resume(), and those above. */
mpq_status mpq_writer_resume(mpq_writer* writer, mpq_file* file, const mpq_setup* setup);

/* Returns the bytes that suffice, after MPQ_OUT_OF_MEMORY of one of these. Without space even for the columns it
   returns their bytes: give as much and ask again. */
size_t mpq_writer_needed_bytes(const mpq_writer* writer);

/* Appends one row, completely or not at all: a struct with a value at each mpq_column.offset.
   - statuses of Writer::append()
   - MPQ_INVALID_ARGUMENT: an mpq_text has bytes and no address */
mpq_status mpq_writer_append(mpq_writer* writer, const void* row);

/* Gives the writer the time in milliseconds from any start; it may wrap. Call it at least every second: Writer::tick(). */
mpq_status mpq_writer_tick(mpq_writer* writer, uint32_t now_ms);

/* Makes all rows taken so far durable. Call it also after MPQ_CORRUPT of a call that writes: the file has returned other
   bytes than were written. MPQ_OK says that they were misread, and all is well. MPQ_CORRUPT again, also of
   mpq_writer_close(), is final: no other row of this file becomes durable. Continue in the next file, by mpq_writer_leave() and
   mpq_writer_roll(). */
mpq_status mpq_writer_checkpoint(mpq_writer* writer);

/* Makes all rows taken so far safe: the next mpq_writer_resume() finds them. It writes few sectors with mpq_in_place_tailed
   and mpq_forward_saving, and is a checkpoint in other layouts: Writer::save(). */
mpq_status mpq_writer_save(mpq_writer* writer);

/* Ends the open row group. */
mpq_status mpq_writer_end_row_group(mpq_writer* writer);

/* Sets a key-value of the open file. Both texts are the caller's and must stay until mpq_writer_close(). */
mpq_status mpq_writer_set_key_value(mpq_writer* writer, const char* key, const char* value);

/* Completes the file. Repeat it after a failure. */
mpq_status mpq_writer_close(mpq_writer* writer);

/* Closes the file and begins `next` with the same columns, options and key-values: no row is lost between them. */
mpq_status mpq_writer_roll(mpq_writer* writer, mpq_file* next);

/* Continues after MPQ_MEDIUM_LOST, once the port has opened the file again. */
mpq_status mpq_writer_reconnect(mpq_writer* writer, mpq_file* file);

/* Leaves the open file as it is, without touching it: it has mpq_writer_durable_rows(). mpq_writer_roll() then begins
   the next one. */
void mpq_writer_leave(mpq_writer* writer);

/* Gives up the open file as it is, without touching it, and forgets columns and key-values. */
void mpq_writer_reset(mpq_writer* writer);

/* Returns the rows of the file, with those it had when it was resumed; 0 for a null pointer. */
uint64_t mpq_writer_rows(const mpq_writer* writer);
/* Returns how many of them no power cut can take away. */
uint64_t mpq_writer_durable_rows(const mpq_writer* writer);
/* Returns how many of them the next mpq_writer_resume() finds after a power cut. */
uint64_t mpq_writer_safe_rows(const mpq_writer* writer);
/* Returns the rows that were missing on the medium when it came back: mpq_writer_reconnect(). */
uint32_t mpq_writer_lost_rows(const mpq_writer* writer);

#ifdef __cplusplus
}
#endif

#endif
