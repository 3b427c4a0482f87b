// Where a writer ends its pages and row groups, as a file of it shows.
#pragma once

#include <cstdint>
#include <vector>

#include "column_file.h"
#include "view.h"

namespace microparquet::recovery {

// Of one column; rows of lists are not counted.
struct PageHabit {
  std::uint64_t full_rows =
      0;  // of each page that another one of its chunk follows; 0: there is none, or they differ
  std::uint64_t alone_rows =
      0;  // the most in a page that is alone in its chunk; 0: there is none, or there are others
};

struct PageHabits {
  std::vector<PageHabit> columns;  // empty: nothing is known
  std::uint64_t group_rows = 0;    // of all row groups but the last; 0: there is one, or they differ
  std::uint64_t most_group_rows = 0;
  // A page that another one of its chunk follows has as many bytes in PLAIN, or as many rows; 0: not known.
  std::uint64_t page_bytes = 0;
  std::uint64_t page_rows = 0;
};

// Of a file that `open` has opened, at its first row group. Goes through its row groups.
PageHabits learn_page_habits(File& file, Reader& reader);

}  // namespace microparquet::recovery
