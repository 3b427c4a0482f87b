/* The part of Zephyr's file system interface that concerns files and mounting, as its documentation declares it. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* NOLINTBEGIN(readability-identifier-naming, modernize-*): as Zephyr and C have it */
#ifdef __cplusplus
extern "C" {
#endif

enum { FS_FATFS = 0, FS_LITTLEFS };

struct fs_mount_t {
  int type;
  const char* mnt_point;
  void* fs_data;
};
typedef uint8_t fs_mode_t;

struct fs_file_t {
  void* filep;
  const struct fs_mount_t* mp;
  fs_mode_t flags;
};

#define FS_O_READ 0x01
#define FS_O_WRITE 0x02
#define FS_O_RDWR (FS_O_READ | FS_O_WRITE)
#define FS_O_CREATE 0x10
#define FS_O_APPEND 0x20

#define FS_SEEK_SET 0
#define FS_SEEK_CUR 1
#define FS_SEEK_END 2

static inline void fs_file_t_init(struct fs_file_t* zfp) {
  zfp->filep = NULL;
  zfp->mp = NULL;
  zfp->flags = 0;
}

enum fs_dir_entry_type { FS_DIR_ENTRY_FILE = 0, FS_DIR_ENTRY_DIR };

struct fs_dirent {
  enum fs_dir_entry_type type;
  char name[255 + 1];
  size_t size;
};

struct fs_dir_t {
  void* dirp;
  const struct fs_mount_t* mp;
};

static inline void fs_dir_t_init(struct fs_dir_t* zdp) {
  zdp->dirp = NULL;
  zdp->mp = NULL;
}

int fs_opendir(struct fs_dir_t* zdp, const char* path);
int fs_readdir(struct fs_dir_t* zdp, struct fs_dirent* entry);
int fs_closedir(struct fs_dir_t* zdp);
int fs_stat(const char* path, struct fs_dirent* entry);
int fs_unlink(const char* path);

int fs_mount(struct fs_mount_t* mp);
int fs_open(struct fs_file_t* zfp, const char* file_name, fs_mode_t flags);
int fs_close(struct fs_file_t* zfp);
ssize_t fs_read(struct fs_file_t* zfp, void* ptr, size_t size);
ssize_t fs_write(struct fs_file_t* zfp, const void* ptr, size_t size);
int fs_seek(struct fs_file_t* zfp, off_t offset, int whence);
off_t fs_tell(struct fs_file_t* zfp);
int fs_truncate(struct fs_file_t* zfp, off_t length);
int fs_sync(struct fs_file_t* zfp);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(readability-identifier-naming, modernize-*) */
