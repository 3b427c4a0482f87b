// The files on an image of a medium, with what is known of the rows of each.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>

#include "candidates.h"
#include "image_files.h"

namespace microparquet::recovery {

struct ImageRows {
  ImageFile file;
  Found found;
};

// Told what is being done, and gives whom to tell how far it is.
using ProgressOf = std::function<Progress(const std::string& what)>;

// Those of file id `wanted`, or all. Where a file is found in several ways, the one with the most rows.
std::list<ImageRows> find_image_rows(File& image, const std::optional<std::uint32_t>& wanted,
                                     Unproved unproved, const ProgressOf& progress);

}  // namespace microparquet::recovery
