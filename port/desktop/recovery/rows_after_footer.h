// Counts the rows of a file that its footer does not describe.
#pragma once

#include <cstdint>
#include <optional>

#include "microparquet/file.h"

namespace microparquet::recovery {

struct RowsAfterFooter {
  std::uint64_t rows = 0;
  std::uint64_t safe = 0;  // of these: rows that a save has made safe
};

// The rows that records and a save after the footer at the end of `file` tell of, on top of the footer's own. Looks
// at that footer, at those records and at the places of the row group that it leaves open, and at nothing else of the file: at no
// page of an extent, and at no record that they do not lead to. None when the footer at the end is not one of
// microparquet's, or is damaged.
std::optional<RowsAfterFooter> rows_after_footer(File& file);

}  // namespace microparquet::recovery
