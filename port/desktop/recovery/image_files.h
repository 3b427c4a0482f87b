// The files on an image of a medium, by its file system and by what microparquet leaves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "microparquet/file.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

// A file of microparquet on an image of a medium.
struct ImageFile {
  std::string name;  // name in the file system; empty: no folder knows the file
  std::uint32_t file_id = 0;
  View view;
  Traces traces;  // traces in `view`
  bool is_certain =
      false;          // a sound entry and chain say it; else another way to read the same file may be better
  std::string doubt;  // a sentence: what is wrong with its entry or chain
};

struct ImageFiles {
  std::vector<ImageFile> files;    // certain ones first
  std::vector<std::string> notes;  // sentences about damaged file systems
};

// Files that a FAT or exFAT file system has, by their chains of clusters; those that torn and deleted entries tell; then those
// whose first footer lies elsewhere on the medium: by the chain of its cluster, whole, or around the clusters of other files.
// One file id may come more than once.
ImageFiles find_image_files(File& image, const Progress& progress);

}  // namespace microparquet::recovery
