// The files on an image of a medium, by its file system and by what microparquet leaves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "microparquet/file.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

// A file of a FAT12, FAT16 or FAT32 file system in an image (Microsoft's FAT specification, fatgen103).
struct VolumeFile {
  std::string name;  // name with the folders it lies in
  std::uint64_t bytes = 0;
  std::vector<Piece> pieces;  // all clusters of its chain, which may be more than its bytes
};

struct Volume {
  std::uint64_t begin = 0;  // begin of the data clusters in the image
  std::uint64_t end = 0;
  std::uint32_t cluster_bytes = 0;
  std::vector<VolumeFile> files;
};

// The file systems in `image`: it is one, or has partitions that are.
std::vector<Volume> find_volumes(File& image);

// A file of microparquet on an image of a medium.
struct ImageFile {
  std::string name;  // name in the file system; empty: no folder knows the file
  std::uint32_t file_id = 0;
  View view;
  Traces traces;  // traces in `view`
};

// Files that a FAT file system has, by their chains of clusters; then those whose first footer lies elsewhere
// on the medium: whole, or around the clusters of other files. One file id may come more than once.
std::vector<ImageFile> find_image_files(File& image, const Progress& progress);

}  // namespace microparquet::recovery
