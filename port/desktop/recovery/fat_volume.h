// FAT12, FAT16 and FAT32 (Microsoft's FAT specification, fatgen103) on an image of a medium.
#pragma once

#include <cstdint>
#include <optional>

#include "volume.h"

namespace microparquet::recovery {

// The volume that begins at `begin`; none: there is no boot sector of one.
std::optional<Volume> read_fat_volume(File& image, std::uint64_t begin);

}  // namespace microparquet::recovery
