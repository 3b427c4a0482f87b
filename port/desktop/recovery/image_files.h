// The files of microparquet on an image of a medium.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "microparquet/file.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

struct ImageFile {
  std::string name;  // in the file system; empty: no folder knows the file
  std::uint32_t file_id = 0;
  View view;
  Traces traces;  // in `view`
};

// Files that a FAT file system has, by their chains of clusters; then those whose first footer lies elsewhere
// on the medium: whole, or around the clusters of other files. One file id may come more than once.
std::vector<ImageFile> find_image_files(File& image, const Progress& progress);

}  // namespace microparquet::recovery
