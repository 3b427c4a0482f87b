// Included before each source over FatFs R0.12c: its integers, which integer.h has as those of machines whose long has 32 bits, and
// the names of R0.15 that the tests use.
#ifndef MICROPARQUET_TESTS_FATFS_R012C_NAMES_H
#define MICROPARQUET_TESTS_FATFS_R012C_NAMES_H

#include <stdint.h>

#define _FF_INTEGER
typedef int INT;
typedef unsigned int UINT;
typedef unsigned char BYTE;
typedef int16_t SHORT;
typedef uint16_t WORD;
typedef uint16_t WCHAR;
typedef int32_t LONG;
typedef uint32_t DWORD;
typedef uint64_t QWORD;

#ifdef __cplusplus
#include "microparquet/port/fatfs_release.h"

using LBA_t = DWORD;
struct MKFS_PARM {
  BYTE fmt;
  BYTE n_fat;
  UINT align;
  UINT n_root;
  DWORD au_size;
};
inline FRESULT f_mkfs(const TCHAR* path, const MKFS_PARM* parameters, void* work, UINT bytes) {
  return f_mkfs(path, parameters->fmt, parameters->au_size, work, bytes);
}
#endif

#endif
