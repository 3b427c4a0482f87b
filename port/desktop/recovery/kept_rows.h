// Some rows of a row group as row groups of their own.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "footer.h"
#include "memory_medium.h"
#include "row_ranges.h"
#include "view.h"

namespace microparquet::recovery {

struct WrittenRows {
  std::unique_ptr<MemoryMedium> file;
  std::vector<Bytes> entries;  // of its row groups
};

// Decodes `rows` of the row group `entry` and writes them again. None when this library cannot write such
// columns, or the rows cannot be read. Requires: pages that hold have these rows in every column. Changes
// what is behind the end of `view`.
std::optional<WrittenRows> write_again(View& view, const std::vector<FooterField>& fields, const Bytes& entry,
                                       const RowRanges& rows);

}  // namespace microparquet::recovery
