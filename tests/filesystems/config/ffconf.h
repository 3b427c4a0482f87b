// FatFs as the tests build it: everything; with FATFS_SMALL what a small device would leave out; with
// FATFS_FOR_TASKS as a system of tasks with any card has it; or with FATFS_ON_FLASH in sectors of 4 KiB. Of R0.15, or
// with FATFS_R016 of R0.16.
#pragma once

#ifdef FATFS_R016
#define FFCONF_DEF 80386
#define FF_FS_CRTIME 0
#define FF_PATH_DEPTH 10
#elif defined(FATFS_R014B)
#define FFCONF_DEF 86631
#else
#define FFCONF_DEF 80286
#endif

#ifdef FATFS_SMALL
#define FF_USE_FASTSEEK 0
#define FF_USE_LFN 0
#define FF_FS_TINY 1
#define FF_FS_EXFAT 0
#else
#define FF_USE_FASTSEEK 1
#define FF_USE_LFN 2
#define FF_FS_TINY 0
#define FF_FS_EXFAT 1
#endif

#ifdef FATFS_FOR_TASKS
#define FF_FS_LOCK 4
#define FF_FS_REENTRANT 1
#define FF_MAX_SS 4096
#else
#define FF_FS_LOCK 0
#define FF_FS_REENTRANT 0
#define FF_MAX_SS FF_MIN_SS
#endif

#define FF_FS_READONLY 0
#define FF_FS_MINIMIZE 0
#define FF_USE_FIND 0
#define FF_USE_MKFS 1
#define FF_USE_EXPAND 1
#define FF_USE_CHMOD 0
#define FF_USE_LABEL 0
#define FF_USE_FORWARD 0
#define FF_USE_STRFUNC 0
#define FF_PRINT_LLI 0
#define FF_PRINT_FLOAT 0
#define FF_STRF_ENCODE 3
#define FF_CODE_PAGE 437
#define FF_MAX_LFN 255
#define FF_LFN_UNICODE 0
#define FF_LFN_BUF 255
#define FF_SFN_BUF 12
#define FF_FS_RPATH 0
#define FF_VOLUMES 1
#define FF_STR_VOLUME_ID 1  // as Zephyr has it
#define FF_VOLUME_STRS "SD"
#define FF_MULTI_PARTITION 0
#ifdef FATFS_ON_FLASH
#define FF_MIN_SS 4096
#else
#define FF_MIN_SS 512
#endif
#define FF_LBA64 0
#define FF_MIN_GPT 0x10000000
#define FF_USE_TRIM 0
#ifdef FATFS_DATES
#define FF_FS_NORTC 0
#else
#define FF_FS_NORTC 1
#endif
#define FF_NORTC_MON 1
#define FF_NORTC_MDAY 1
#define FF_NORTC_YEAR 2026
#define FF_FS_NOFSINFO 0
#define FF_FS_TIMEOUT 1000
