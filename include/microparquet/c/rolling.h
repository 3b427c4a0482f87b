/* Logging over a sequence of files, for C: RollingWriter in microparquet/rolling.h, call by call, which describes when a
   file ends and what happens to one that fails.

     static const mpq_file_sequence files = {.next = open_next_file, .context = &card};
     static mpq_rolling log;

     mpq_status status = mpq_writer_open(&writer, first_file, &setup);
     if (status == MPQ_OK) status = mpq_rolling_make(&log, &writer, &files, NULL);
     if (status == MPQ_OK) status = mpq_rolling_append(&log, &sample);

   No call is thread-safe, and none is for interrupts. A null pointer is MPQ_INVALID_ARGUMENT, and an object that has not
   been made MPQ_WRONG_STATE. */
#ifndef MICROPARQUET_C_ROLLING_H
#define MICROPARQUET_C_ROLLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "microparquet/c/file.h"
#include "microparquet/c/status.h"
#include "microparquet/c/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Source of the next file: the program's naming scheme, and its port. Both functions get `context`. */
typedef struct mpq_file_sequence {
  mpq_status (*next)(void* context, mpq_file** file);  /* closes the last file, and creates the next one */
  mpq_status (*again)(void* context, mpq_file** file); /* the same after a file without a durable row, whose
                                                          name it may take; null: as next */
  void* context;                                       /* the caller's */
} mpq_file_sequence;

/* Limits at which a file ends. 0: no such limit. */
typedef struct mpq_roll_limits {
  uint64_t bytes;    /* size of the file */
  uint32_t ms;       /* time since the file's first row, in this boot */
  uint32_t failures; /* consecutive calls that return MPQ_IO_ERROR */
} mpq_roll_limits;

/* Limits to copy and change: 256 MiB, and 16 failures.
   NOLINTNEXTLINE(bugprone-dynamic-static-initializers): C++ does not see the values here */
extern const mpq_roll_limits mpq_default_roll_limits;

/* A log; its memory is the caller's. Zero it before its first call, as static objects are. */
typedef struct mpq_rolling {
  uint64_t storage[9 + 2 * sizeof(void*)]; /* the library's */
} mpq_rolling;

/* Begins a log with a writer that is open, or resumed, on the first file. All but `limits`, null for the default ones,
   are the caller's and must stay. */
mpq_status mpq_rolling_make(mpq_rolling* log, mpq_writer* writer, const mpq_file_sequence* files,
                            const mpq_roll_limits* limits);

/* Appends a row as mpq_writer_append(). MPQ_NO_SPACE: there is no space for another file either. */
mpq_status mpq_rolling_append(mpq_rolling* log, const void* row);

/* Calls mpq_writer_tick(), and begins the next file when it is due. */
mpq_status mpq_rolling_tick(mpq_rolling* log, uint32_t now_ms);

/* Makes a checkpoint. MPQ_OK also if the file has failed and the next one has begun: see mpq_rolling_lost_rows(). */
mpq_status mpq_rolling_checkpoint(mpq_rolling* log);

/* Makes rows safe: mpq_writer_save(). MPQ_OK as of mpq_rolling_checkpoint(). */
mpq_status mpq_rolling_save(mpq_rolling* log);

/* Ends the file and begins the next one. */
mpq_status mpq_rolling_roll(mpq_rolling* log);

/* Leaves the file as it is, for a caller who knows that the card is sound and this file is not. */
mpq_status mpq_rolling_leave_file(mpq_rolling* log);

/* Returns whether the last file is complete, or was left, and the next one could not be begun yet; false for a null
   pointer, as the next one does. */
bool mpq_rolling_is_between_files(const mpq_rolling* log);
/* Returns whether the medium has failed file after file, and is tried only once in a minute. */
bool mpq_rolling_is_resting(const mpq_rolling* log);
/* Returns the rows that were taken and are in no file, because files were left that failed; 0 for a null pointer. */
uint64_t mpq_rolling_lost_rows(const mpq_rolling* log);

#ifdef __cplusplus
}
#endif

#endif
