// The entries of an exFAT folder: a set of several for each file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "byte_views.h"
#include "clusters.h"
#include "volume.h"

namespace microparquet::recovery {

constexpr std::size_t kExfatEntry = 32;  // bytes

// Types of entries that are not of a file.
constexpr unsigned kFolderEnd = 0x00;  // nothing comes after it
constexpr unsigned kAllocationBitmap = 0x81;
constexpr unsigned kUpcaseTable = 0x82;

// The clusters of a file or table.
struct ExfatExtent {
  std::uint64_t first = 0;  // cluster
  std::uint64_t bytes = 0;
  Clusters::Links links = Clusters::Links::kTable;
};

// The extent that stands in an entry of a table, or in the second one of a file.
ExfatExtent extent_of(ByteView entry);

struct ExfatSet {
  std::size_t entries = 0;  // entries that it takes
  std::string name;         // empty: it is lost
  bool is_folder = false;
  Standing standing = Standing::kSound;
  ExfatExtent extent;
  std::uint64_t written = 0;  // bytes of those that were ever written
};

// The set that begins at `at` of a folder's bytes, or what is left of one: torn, deleted, or without its first entry. None:
// no file's clusters begin there.
std::optional<ExfatSet> set_at(ByteView folder, std::size_t at);

}  // namespace microparquet::recovery
