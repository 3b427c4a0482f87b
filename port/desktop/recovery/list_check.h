// Holds the columns of lists, maps and structs against each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "open_file.h"

namespace microparquet::recovery {

// The result of putting all rows together.
struct ListReport {
  std::uint64_t rows = 0;               // whole rows
  std::optional<std::uint32_t> column;  // the one that does not go with the others, after these rows
  std::string unchecked;                // why not all rows could be put together
};

// `most_events`: that are looked at. The file is one whose column chunks hold each by itself.
ListReport check_lists(OpenFile& file, std::uint64_t most_events);

}  // namespace microparquet::recovery
