/* Files of the host, through semihosting, for C: SemihostingFile in semihosting_file.h,
   where it is said what each call does and which statuses it has.

     static mpq_semihosting_file log_file;
     mpq_file* file;
     mpq_status status = mpq_semihosting_make(&log_file);
     if (status == MPQ_OK) status = mpq_semihosting_open_for_append(&log_file, "log.parquet", &file);
*/
#ifndef MICROPARQUET_PORT_SEMIHOSTING_FILE_C_H
#define MICROPARQUET_PORT_SEMIHOSTING_FILE_C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "microparquet/c/file.h"
#include "microparquet/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file; its memory is the caller's. Zeroed before its first call, as what is static is. */
typedef struct mpq_semihosting_file {
  bool is_made;        /* mpq_semihosting_make() has been called */
  uint64_t storage[4]; /* the library's */
} mpq_semihosting_file;

/* Once, before any other call.
   - MPQ_WRONG_STATE: it has been made
   - MPQ_INVALID_ARGUMENT: a pointer is null */
mpq_status mpq_semihosting_make(mpq_semihosting_file* port);

/* A new, empty file for mpq_writer_open(); one that holds bytes is refused, or emptied if `overwrites`. `file` is what
   the writer is given, until the file is closed.
   - MPQ_WRONG_STATE: it has not been made; also of the next two */
mpq_status mpq_semihosting_create(mpq_semihosting_file* port, const char* path, bool overwrites,
                                  mpq_file** file);
/* The file as it is, or a new one, for mpq_writer_resume(). */
mpq_status mpq_semihosting_open_for_append(mpq_semihosting_file* port, const char* path, mpq_file** file);
/* To read it only. */
mpq_status mpq_semihosting_open_for_reading(mpq_semihosting_file* port, const char* path, mpq_file** file);
/* Closes the file; MPQ_OK when none is open. */
mpq_status mpq_semihosting_close(mpq_semihosting_file* port);

#ifdef __cplusplus
}
#endif

#endif
