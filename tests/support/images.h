// Images of cards, and files, that are left for other programs to check, in the folder that
// MICROPARQUET_IMAGES names.
#pragma once

#include <functional>
#include <string>

#include "support/boot.h"
#include "support/ram_disk.h"

namespace filesystems {

enum class Left : char {
  kCut,      // the power has failed
  kResumed,  // it has failed, and a later boot has closed the file
  kClosed,   // it never has, and the file is closed
};

// Keeps what `save` puts at the path it is given, as `file`, and says in the folder's manifest how it was
// left and which rows the log has. Does nothing without a folder. False: it could not be written.
bool keep(const std::string& file, Left left, const History& rows,
          const std::function<bool(const std::string& path)>& save);

// An image, whose log is LOG.PQT; without rows perhaps there is none.
inline bool keep_image(const RamDisk& disk, const std::string& name, Left left, const History& rows) {
#ifdef FATFS_SMALL
  const std::string program = "small_";
#elif defined(FATFS_R016)
  const std::string program = "r016_";
#else
  const std::string program = "full_";
#endif
  return keep(program + name + ".img", left, rows,
              [&disk](const std::string& path) { return disk.save(path); });
}

}  // namespace filesystems
