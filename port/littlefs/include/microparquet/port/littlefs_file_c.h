/* Files in flash memory, through littlefs, for C: LittleFsFile in littlefs_file.h,
   which describes each call and its statuses.

     static mpq_littlefs_file log_file;
     mpq_file* file;
     mpq_status status = mpq_littlefs_make(&log_file, &volume, caches, sizeof caches);
     if (status == MPQ_OK) status = mpq_littlefs_open_for_append(&log_file, "log.parquet", &file);
*/
#ifndef MICROPARQUET_PORT_LITTLEFS_FILE_C_H
#define MICROPARQUET_PORT_LITTLEFS_FILE_C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lfs.h"
#include "microparquet/c/file.h"
#include "microparquet/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file; its memory is the caller's. Zero it before its first call, as static objects are. */
typedef struct mpq_littlefs_file {
  bool is_made; /* mpq_littlefs_make() has been called */
  /* The library's. */
  uint64_t
      storage[(2 * sizeof(lfs_file_t) + 2 * sizeof(struct lfs_file_config) + 7) / 8 + 4 + 2 * sizeof(void*)];
} mpq_littlefs_file;

/* Makes the port: call it once, before any other. `caches` are twice lfs_config::cache_size bytes, aligned to 4; they
   and `volume` are the caller's.
   - MPQ_WRONG_STATE: it has been made
   - MPQ_INVALID_ARGUMENT: a pointer is null */
mpq_status mpq_littlefs_make(mpq_littlefs_file* port, lfs_t* volume, void* caches, size_t caches_bytes);

/* Creates an empty file for mpq_writer_open(); a file with bytes is refused, or emptied if `overwrites`. Give `file` to
   the writer, until the file is closed.
   - MPQ_WRONG_STATE: it has not been made; also for the next two */
mpq_status mpq_littlefs_create(mpq_littlefs_file* port, const char* path, bool overwrites, mpq_file** file);
/* Opens the file as it is, or a new one, for mpq_writer_resume(). */
mpq_status mpq_littlefs_open_for_append(mpq_littlefs_file* port, const char* path, mpq_file** file);
/* Opens the file only to read it. */
mpq_status mpq_littlefs_open_for_reading(mpq_littlefs_file* port, const char* path, mpq_file** file);
/* Closes the file; MPQ_OK if none is open. */
mpq_status mpq_littlefs_close(mpq_littlefs_file* port);

#ifdef __cplusplus
}
#endif

#endif
