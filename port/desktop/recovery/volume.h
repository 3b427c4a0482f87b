// A file system on an image of a medium, of whatever kind.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "clusters.h"
#include "microparquet/file.h"
#include "regions.h"

namespace microparquet::recovery {

// The trust that a file's entry in its folder deserves.
enum class Standing : char {
  kSound,
  kTorn,     // parts of it were written at different times
  kDeleted,  // the file was; others may have its clusters
};

struct VolumeFile {
  std::string name;         // name with the folders it lies in; empty: nothing tells it
  std::uint64_t entry = 0;  // place of its entry in the image
  Standing standing = Standing::kSound;
  ClusterChain chain;  // all its clusters, which may have more bytes than the entry says
};

// A file system, as its reader understands it.
struct Volume {
  Volume(std::uint64_t where, Clusters its_clusters) : begin(where), clusters(std::move(its_clusters)) {}

  std::uint64_t begin;  // place in the image
  Clusters clusters;
  std::vector<VolumeFile> files;
  Regions taken;                   // bytes of what is sound: files, folders and tables
  std::vector<std::string> notes;  // sentences about what is damaged beside the files
};

// The file systems on `image`, which is one or has partitions that are, by an MBR or a GPT.
std::vector<Volume> find_volumes(File& image);

}  // namespace microparquet::recovery
