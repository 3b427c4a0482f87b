/* Files of a POSIX system, for C: PosixFile in posix_file.h,
   which describes each call and its statuses.

     static mpq_posix_file log_file;
     mpq_file* file;
     mpq_status status = mpq_posix_make(&log_file);
     if (status == MPQ_OK) status = mpq_posix_open_for_append(&log_file, "log.parquet", &file);
*/
#ifndef MICROPARQUET_PORT_POSIX_FILE_C_H
#define MICROPARQUET_PORT_POSIX_FILE_C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "microparquet/c/file.h"
#include "microparquet/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file; its memory is the caller's. Zero it before its first call, as static objects are. */
typedef struct mpq_posix_file {
  bool is_made;                            /* mpq_posix_make() has been called */
  uint64_t storage[8 + 4 * sizeof(void*)]; /* the library's */
} mpq_posix_file;

/* Returns the size of a file, for languages that do not declare the struct. */
size_t mpq_posix_bytes(void);
/* Makes a file that has not been made, in memory of the caller that begins on 8 bytes: see microparquet/c/objects.h. */
mpq_status mpq_posix_in(void* memory, size_t memory_bytes, mpq_posix_file** port);

/* Makes the port: call it once, before any other.
   - MPQ_WRONG_STATE: it has been made
   - MPQ_INVALID_ARGUMENT: a pointer is null */
mpq_status mpq_posix_make(mpq_posix_file* port);

/* Creates an empty file for mpq_writer_open(); a file with bytes is refused, or emptied if `overwrites`. Give `file` to
   the writer, until the file is closed.
   - MPQ_WRONG_STATE: it has not been made; also for the next two */
mpq_status mpq_posix_create(mpq_posix_file* port, const char* path, bool overwrites, mpq_file** file);
/* Opens the file as it is, or a new one, for mpq_writer_resume(). */
mpq_status mpq_posix_open_for_append(mpq_posix_file* port, const char* path, mpq_file** file);
/* Opens the file only to read it. */
mpq_status mpq_posix_open_for_reading(mpq_posix_file* port, const char* path, mpq_file** file);
/* Closes the file; MPQ_OK if none is open. */
mpq_status mpq_posix_close(mpq_posix_file* port);

#ifdef __cplusplus
}
#endif

#endif
