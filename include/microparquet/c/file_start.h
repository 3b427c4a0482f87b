/* Key-values and id of a file from its first footer on, for C: FileStart in microparquet/file_start.h.

     static const mpq_key_value about[] = {{"device", "seven"}, {"firmware", "1.4"}};
     const mpq_file_start start = {.key_values = about, .key_value_count = 2, .file_id = boot_number};
     mpq_status status = mpq_writer_resume_with(&writer, file, &setup, &start);
*/
#ifndef MICROPARQUET_C_FILE_START_H
#define MICROPARQUET_C_FILE_START_H

#include <stddef.h>
#include <stdint.h>

#include "microparquet/c/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A pair of texts in UTF-8, both the caller's until mpq_writer_close(). */
typedef struct mpq_key_value {
  const char* key;   /* key, not null; the last value of a key counts */
  const char* value; /* value, not null */
} mpq_key_value;

/* Start of a file. It and its array may go when the file is open. */
typedef struct mpq_file_start {
  const mpq_key_value*
      key_values;         /* they take places of mpq_options.max_key_values; null where there are none */
  size_t key_value_count; /* number of key-values */
  uint32_t file_id;       /* id of a new file; 0: that of mpq_options */
} mpq_file_start;

/* Begins a file as mpq_writer_open(): even a file that is cut off before its first row has the key-values. Its
   statuses, and
   - MPQ_INVALID_ARGUMENT: also if a pointer of `start` is null
   - MPQ_OUT_OF_MEMORY: also if there are more key-values than places; mpq_writer_needed_bytes() does not change that
   Nothing is written then. */
mpq_status mpq_writer_open_with(mpq_writer* writer, mpq_file* file, const mpq_setup* setup,
                                const mpq_file_start* start);

/* Continues a file as mpq_writer_resume(). A new file has the key-values, and a resumed one gets them with its next
   footer, in place of those with the same keys. Nothing is written before the first row if it already has them.
   Statuses as above, and of mpq_writer_resume(). */
mpq_status mpq_writer_resume_with(mpq_writer* writer, mpq_file* file, const mpq_setup* setup,
                                  const mpq_file_start* start);

#ifdef __cplusplus
}
#endif

#endif
