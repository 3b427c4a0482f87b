/* Files on FAT and exFAT volumes, through FatFs, for C: FatFsFile in fatfs_file.h,
   which describes each call and its statuses.

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

/* A file; its memory is the caller's. Zero it before its first call, as static objects are. */
typedef struct mpq_fatfs_file {
  bool is_made;                                                /* mpq_fatfs_make() has been called */
  uint64_t storage[(sizeof(FIL) + 7) / 8 + 8 + sizeof(void*)]; /* the library's */
} mpq_fatfs_file;

/* Makes the port: call it once, before any other. FatFs stores the file's clusters in `link_map`, which may be null.
   - MPQ_WRONG_STATE: it has been made
   - MPQ_INVALID_ARGUMENT: a pointer is null */
mpq_status mpq_fatfs_make(mpq_fatfs_file* port, DWORD* link_map, size_t link_map_words);

/* Creates an empty file for mpq_writer_open(); a file with bytes is refused, or emptied if `overwrites`. Give `file` to
   the writer, until the file is closed.
   - MPQ_WRONG_STATE: it has not been made; also for the next two */
mpq_status mpq_fatfs_create(mpq_fatfs_file* port, const TCHAR* path, bool overwrites, mpq_file** file);
/* Opens the file as it is, or a new one, for mpq_writer_resume(). */
mpq_status mpq_fatfs_open_for_append(mpq_fatfs_file* port, const TCHAR* path, mpq_file** file);
/* Opens the file only to read it. */
mpq_status mpq_fatfs_open_for_reading(mpq_fatfs_file* port, const TCHAR* path, mpq_file** file);
/* Returns whether the last MPQ_NO_SPACE was a file at FAT's 4 GiB, not a full card: close the file and continue in a new
   one. */
bool mpq_fatfs_limit_reached(const mpq_fatfs_file* port);
/* Removes a file, which must not be open.
   - MPQ_INVALID_ARGUMENT: `path` is null */
mpq_status mpq_fatfs_remove(const TCHAR* path);
/* Mends what a power cut on exFAT has left of an entry set, in the folder `path` or on the way there. True: repeat the
   call of FatFs for `path` that failed with FR_INT_ERR. The calls that open a file do so by themselves. */
bool mpq_fatfs_mend(const TCHAR* path);
/* Makes a folder, as f_mkdir does. Whatever a power cut during that leaves on exFAT, the next call mends it. */
FRESULT mpq_fatfs_make_folder(const TCHAR* path);
/* Returns whether the last call that opened a file has mended a folder of its path. */
bool mpq_fatfs_is_mended(const mpq_fatfs_file* port);
/* Closes the file; MPQ_OK if none is open. */
mpq_status mpq_fatfs_close(mpq_fatfs_file* port);

#ifdef __cplusplus
}
#endif

#endif
