// FatFs as the examples build it, for one SD card of blocks of 512 bytes. Long names are needed for
// `.parquet`. With FATFS_FOR_TASKS several tasks use the volume.
#pragma once

#define FFCONF_DEF 80286

// Cards of more than 32 GB come from the shop as exFAT. 0 leaves it out, which saves 5.3 KB of flash and 0.7
// KB of RAM; such a card must then be formatted as FAT32 first. A product with exFAT may need a licence of
// Microsoft, whoever wrote the code.
#define FF_FS_EXFAT 1

#define FF_USE_FASTSEEK 1
#ifdef FATFS_FOR_TASKS
#define FF_FS_REENTRANT 1  // the program gives the mutexes
#define FF_FS_LOCK 4       // files that are open at a time; a second writer of one is refused
#define FF_USE_LFN 2       // the name is put together on the stack of the task, 2 bytes a character
#define FF_MAX_LFN 31
#else
#define FF_FS_REENTRANT 0
#define FF_FS_LOCK 0
#define FF_USE_LFN 1  // the name is put together in a static buffer
#define FF_MAX_LFN 255
#endif
#define FF_LFN_UNICODE 0
#define FF_LFN_BUF 255
#define FF_SFN_BUF 12
#define FF_CODE_PAGE 437
#define FF_STRF_ENCODE 3

#define FF_FS_READONLY 0
#define FF_FS_MINIMIZE 0
#define FF_FS_TINY 0
#define FF_FS_TIMEOUT 1000  // ticks that a task waits for another one: FR_TIMEOUT
#define FF_FS_RPATH 0
#define FF_FS_NOFSINFO 0
#define FF_USE_FIND 0
#define FF_USE_MKFS 0
#define FF_USE_EXPAND 1  // for card_bench
#define FF_USE_CHMOD 0
#define FF_USE_LABEL 0
#define FF_USE_FORWARD 0
#define FF_USE_STRFUNC 0
#define FF_USE_TRIM 0
#define FF_PRINT_LLI 0
#define FF_PRINT_FLOAT 0

#define FF_VOLUMES 1
#define FF_STR_VOLUME_ID 0
#define FF_VOLUME_STRS "SD"
#define FF_MULTI_PARTITION 0
#define FF_MIN_SS 512
#define FF_MAX_SS 512
#define FF_LBA64 0
#define FF_MIN_GPT 0x10000000

// With FATFS_DATES the program knows the date, some time after the start, and gives it by get_fattime().
#ifdef FATFS_DATES
#define FF_FS_NORTC 0
#else
#define FF_FS_NORTC 1
#endif
#define FF_NORTC_MON 1
#define FF_NORTC_MDAY 1
#define FF_NORTC_YEAR 2026
