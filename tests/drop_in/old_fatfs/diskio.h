// Names of FatFs's disk functions before R0.15: see ff.h beside it.
#pragma once

#include "ff.h"

typedef BYTE DSTATUS;
typedef enum { RES_OK, RES_ERROR, RES_WRPRT, RES_NOTRDY, RES_PARERR } DRESULT;

#ifdef __cplusplus
extern "C" {
#endif
DSTATUS disk_status(BYTE pdrv);
DRESULT disk_read(BYTE pdrv, BYTE* buff, SectorNumber sector, UINT count);
DRESULT disk_write(BYTE pdrv, const BYTE* buff, SectorNumber sector, UINT count);
DRESULT disk_ioctl(BYTE pdrv, BYTE cmd, void* buff);
#ifdef __cplusplus
}
#endif

#define STA_NOINIT 0x01
#define STA_NODISK 0x02
#define STA_PROTECT 0x04
#define CTRL_SYNC 0
#define GET_SECTOR_COUNT 1
#define GET_SECTOR_SIZE 2
#define GET_BLOCK_SIZE 3
