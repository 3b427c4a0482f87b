// Names of FatFs before R0.15, as far as the port over FatFs asks for them, with the types and the order of members that the releases
// have: R0.12c, which CubeMX puts into projects for the F4, F7 and L4, or R0.14b with FATFS_R014B. OLD_EXFAT, OLD_REENTRANT and
// OLD_TINY are its options. The port over the releases themselves: tests/run real_drivers.
#pragma once

typedef unsigned int UINT;
typedef unsigned char BYTE;
typedef unsigned short WORD;
typedef unsigned short WCHAR;
typedef unsigned int DWORD;
typedef unsigned long long QWORD;
typedef char TCHAR;

#ifdef FATFS_R014B
#define FF_DEFINED 86631
#define FF_FS_EXFAT OLD_EXFAT
#define FF_FS_LOCK 2
#define FF_FS_MINIMIZE 0
#define FF_FS_NORTC 0
#define FF_FS_READONLY 0
#define FF_FS_REENTRANT OLD_REENTRANT
#define FF_FS_TINY OLD_TINY
#define FF_MAX_SS 512
#define FF_MIN_SS 512
#define FF_STR_VOLUME_ID 0
#define FF_USE_FASTSEEK 1
#define FF_USE_LFN 2
typedef DWORD LBA_t;
typedef LBA_t SectorNumber;
#else
#define _FATFS 68300
#define _FS_EXFAT OLD_EXFAT
#define _FS_LOCK 2
#define _FS_MINIMIZE 0
#define _FS_NORTC 0
#define _FS_READONLY 0
#define _FS_REENTRANT OLD_REENTRANT
#define _FS_TINY OLD_TINY
#define _MAX_SS 512
#define _MIN_SS 512
#define _STR_VOLUME_ID 0
#define _USE_FASTSEEK 1
#define _USE_LFN 2
typedef DWORD SectorNumber;
#endif

#if OLD_EXFAT
typedef QWORD FSIZE_t;
#else
typedef DWORD FSIZE_t;
#endif

typedef struct {
  BYTE fs_type;
#ifdef FATFS_R014B
  BYTE pdrv;
#else
  BYTE drv;
#endif
  BYTE n_fats;
  BYTE wflag;
  BYTE fsi_flag;
  WORD id;
  WORD n_rootdir;
  WORD csize;
  WCHAR* lfnbuf;
#if OLD_REENTRANT
  void* sobj;
#endif
  DWORD last_clst;
  DWORD free_clst;
  DWORD n_fatent;
  DWORD fsize;
  SectorNumber volbase;
  SectorNumber fatbase;
  SectorNumber dirbase;
  SectorNumber database;
  SectorNumber winsect;
  BYTE win[512];
} FATFS;

typedef struct {
  FATFS* fs;
  WORD id;
  BYTE attr;
  BYTE stat;
  DWORD sclust;
  FSIZE_t objsize;
  UINT lockid;
} FFOBJID;

typedef struct {
  FFOBJID obj;
  BYTE flag;
  BYTE err;
  FSIZE_t fptr;
  DWORD clust;
  SectorNumber sect;
  SectorNumber dir_sect;
  BYTE* dir_ptr;
  DWORD* cltbl;
#if !OLD_TINY
  BYTE buf[512];
#endif
} FIL;

typedef struct {
  FFOBJID obj;
  DWORD dptr;
  DWORD clust;
  SectorNumber sect;
  BYTE* dir;
  BYTE fn[12];
  DWORD blk_ofs;
} DIR;

typedef struct {
  FSIZE_t fsize;
  WORD fdate;
  WORD ftime;
  BYTE fattrib;
  TCHAR altname[13];
  TCHAR fname[256];
} FILINFO;

typedef enum {
  FR_OK,
  FR_DISK_ERR,
  FR_INT_ERR,
  FR_NOT_READY,
  FR_NO_FILE,
  FR_NO_PATH,
  FR_INVALID_NAME,
  FR_DENIED,
  FR_EXIST,
  FR_INVALID_OBJECT,
  FR_WRITE_PROTECTED,
  FR_INVALID_DRIVE,
  FR_NOT_ENABLED,
  FR_NO_FILESYSTEM,
  FR_MKFS_ABORTED,
  FR_TIMEOUT,
  FR_LOCKED,
  FR_NOT_ENOUGH_CORE,
  FR_TOO_MANY_OPEN_FILES,
  FR_INVALID_PARAMETER
} FRESULT;

#ifdef __cplusplus
extern "C" {
#endif
FRESULT f_open(FIL* fp, const TCHAR* path, BYTE mode);
FRESULT f_close(FIL* fp);
FRESULT f_read(FIL* fp, void* buff, UINT btr, UINT* br);
FRESULT f_write(FIL* fp, const void* buff, UINT btw, UINT* bw);
FRESULT f_lseek(FIL* fp, FSIZE_t ofs);
FRESULT f_truncate(FIL* fp);
FRESULT f_sync(FIL* fp);
FRESULT f_opendir(DIR* dp, const TCHAR* path);
FRESULT f_closedir(DIR* dp);
FRESULT f_readdir(DIR* dp, FILINFO* fno);
FRESULT f_mkdir(const TCHAR* path);
FRESULT f_unlink(const TCHAR* path);
FRESULT f_stat(const TCHAR* path, FILINFO* fno);
FRESULT f_mount(FATFS* fs, const TCHAR* path, BYTE opt);
FRESULT f_getfree(const TCHAR* path, DWORD* nclst, FATFS** fatfs);
#if OLD_REENTRANT
int ff_req_grant(void* sobj);
void ff_rel_grant(void* sobj);
#endif
#ifdef __cplusplus
}
#endif

#define f_tell(fp) ((fp)->fptr)
#define f_size(fp) ((fp)->obj.objsize)
#define f_rewinddir(dp) f_readdir((dp), 0)

#define FA_READ 0x01
#define FA_WRITE 0x02
#define FA_OPEN_EXISTING 0x00
#define FA_CREATE_NEW 0x04
#define FA_CREATE_ALWAYS 0x08
#define FA_OPEN_ALWAYS 0x10
#define FA_OPEN_APPEND 0x30
#define CREATE_LINKMAP ((FSIZE_t)0 - 1)
#define FS_FAT12 1
#define FS_FAT16 2
#define FS_FAT32 3
#define FS_EXFAT 4
#define AM_RDO 0x01
#define AM_HID 0x02
#define AM_SYS 0x04
#define AM_DIR 0x10
#define AM_ARC 0x20
