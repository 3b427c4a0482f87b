// exFAT (Microsoft's exFAT file system specification) on an image of a medium.
#pragma once

#include <cstdint>
#include <optional>

#include "volume.h"

namespace microparquet::recovery {

// The volume that begins at `begin`, by its boot region, or the backup of that where the checksum says that it is damaged;
// none: the first sector is none of exFAT.
std::optional<Volume> read_exfat_volume(File& image, std::uint64_t begin);

// The volume whose first sectors, at `begin`, are destroyed; none: no backup of a boot region follows them.
std::optional<Volume> read_exfat_by_backup(File& image, std::uint64_t begin);

}  // namespace microparquet::recovery
