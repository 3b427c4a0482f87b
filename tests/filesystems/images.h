// Images of cards that are left for other programs to check, in the folder that MICROPARQUET_IMAGES names.
#pragma once

#include <string>

#include "boot.h"
#include "ram_disk.h"

namespace filesystems {

enum class Left : char {
  kCut,      // the power has failed
  kResumed,  // it has failed, and a later boot has closed the file
  kClosed,   // it never has, and the file is closed
};

// Keeps an image and says in the folder's manifest how it was left and which rows LOG.PQT has; no rows:
// perhaps no file either. Does nothing without a folder. False: it could not be written.
bool keep_image(const RamDisk& disk, const std::string& name, Left left, const History& rows);

}  // namespace filesystems
