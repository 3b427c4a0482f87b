/* Files on FAT and exFAT volumes, through FatFs, for C: FatFsFile in fatfs_file.h,
   where it is said what each call does and which statuses it has.

     static mpq_fatfs_file log_file;
     mpq_file* file;
     mpq_status status = mpq_fatfs_make(&log_file, NULL, 0);
     if (status == MPQ_OK) status = mpq_fatfs_open_for_append(&log_file, "log.parquet", &file);
*/
#ifndef MICROPARQUET_PORT_FATFS_FILE_C_H
#define MICROPARQUET_PORT_FATFS_FILE_C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ff.h"
#include "microparquet/c/file.h"
#include "microparquet/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file; its memory is the caller's. Zeroed before its first call, as what is static is. */
typedef struct mpq_fatfs_file {
  bool is_made;                                                /* mpq_fatfs_make() has been called */
  uint64_t storage[(sizeof(FIL) + 7) / 8 + 8 + sizeof(void*)]; /* the library's */
} mpq_fatfs_file;

/* Once, before any other call. `link_map` is where FatFs keeps which clusters are the file's, or null.
   - MPQ_WRONG_STATE: it has been made
   - MPQ_INVALID_ARGUMENT: a pointer is null */
mpq_status mpq_fatfs_make(mpq_fatfs_file* port, DWORD* link_map, size_t link_map_words);

/* A new, empty file for mpq_writer_open(); one that holds bytes is refused, or emptied if `overwrites`. `file` is what
   the writer is given, until the file is closed.
   - MPQ_WRONG_STATE: it has not been made; also of the next two */
mpq_status mpq_fatfs_create(mpq_fatfs_file* port, const TCHAR* path, bool overwrites, mpq_file** file);
/* The file as it is, or a new one, for mpq_writer_resume(). */
mpq_status mpq_fatfs_open_for_append(mpq_fatfs_file* port, const TCHAR* path, mpq_file** file);
/* To read it only. */
mpq_status mpq_fatfs_open_for_reading(mpq_fatfs_file* port, const TCHAR* path, mpq_file** file);
/* Closes the file; MPQ_OK when none is open. */
mpq_status mpq_fatfs_close(mpq_fatfs_file* port);

#ifdef __cplusplus
}
#endif

#endif
