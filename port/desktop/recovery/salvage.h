// Rows of a file that lost its footer, or never had one, with the columns of a file that has one.
#pragma once

#include <cstdint>
#include <string>

#include "candidates.h"
#include "traces.h"
#include "view.h"

namespace microparquet::recovery {

// Walks the pages of `view` from its beginning, and shares them out among the columns of the file
// `schema_path` as row groups are laid out: column by column in the schema's order, all of one number of
// rows. Row groups of which there is only one such reading are found. Where microparquet's records stand
// before the row groups, these are believed instead. `group_rows` says how many rows a row group has, 0:
// nobody knows. Throws Failure.
Found salvage(View& view, const Traces& traces, const std::string& schema_path, std::uint64_t group_rows,
              const Progress& progress);

}  // namespace microparquet::recovery
