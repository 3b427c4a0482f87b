/* Folders of ESP-IDF's virtual file system, which newlib for Arm has not. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* NOLINTBEGIN(readability-identifier-naming, modernize-*): as ESP-IDF and C have it */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uint16_t dd_vfs_idx;
  uint16_t dd_rsv;
} DIR;

struct dirent {
  ino_t d_ino;
  uint8_t d_type;
  char d_name[256];
};

DIR* opendir(const char* name);
struct dirent* readdir(DIR* pdir);
int closedir(DIR* pdir);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming, modernize-*) */
