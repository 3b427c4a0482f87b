// The names in a folder of a FAT volume.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ff.h"
#include "support/check.h"

namespace filesystems {

// In their order, with the folder's name before them. None: there is no such folder.
inline std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR list;
  FILINFO entry;
  if (f_opendir(&list, folder.c_str()) != FR_OK) return names;
  while (f_readdir(&list, &entry) == FR_OK && entry.fname[0] != 0)
    names.push_back(folder + "/" + entry.fname);
  CHECK(f_closedir(&list) == FR_OK);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace filesystems
