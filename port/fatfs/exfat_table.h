// The bitmap and the table of an exFAT volume, through FatFs's window. The caller holds the mutex.
#pragma once

#include "ff.h"

namespace microparquet {

constexpr DWORD kFree = 0;
constexpr DWORD kEndOfChain = 0xFFFFFFFF;
constexpr BYTE kContiguous =
    2;  // of a file or folder: its clusters follow each other, and the table has no chain

// Returns whether a cluster is free, and takes it if so; false: it is not, the volume has no such cluster, or the card
// does not answer.
bool is_free(FATFS& volume, DWORD cluster, bool takes);

// Returns the table's four bytes with what follows a cluster; null: the card does not answer.
BYTE* load_link(FATFS& volume, DWORD cluster);

// Sets what follows a cluster that the volume has. Returns whether the card answers.
bool set_link(FATFS& volume, DWORD cluster, DWORD next);

}  // namespace microparquet
