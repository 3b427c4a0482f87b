// The files of a FAT12, FAT16 or FAT32 file system in an image (Microsoft's FAT specification, fatgen103).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "microparquet/file.h"
#include "view.h"

namespace microparquet::recovery {

struct VolumeFile {
  std::string name;  // with the folders it lies in
  std::uint64_t bytes = 0;
  std::vector<Piece> pieces;  // all clusters of its chain, which may be more than its bytes
};

struct Volume {
  std::uint64_t begin = 0;  // of the data clusters, in the image
  std::uint64_t end = 0;
  std::uint32_t cluster_bytes = 0;
  std::vector<VolumeFile> files;
};

// The file systems in `image`: it is one, or has partitions that are.
std::vector<Volume> find_volumes(File& image);

}  // namespace microparquet::recovery
