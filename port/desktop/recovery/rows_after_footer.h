// Counts the rows of a file that its footer does not describe.
#pragma once

#include <cstdint>
#include <optional>

#include "microparquet/file.h"

namespace microparquet::recovery {

// The rows that the records after the footer at the end of `file` tell of, on top of the footer's own. Looks
// at that footer and at those records, and at nothing else of the file: at no page, and at no record that
// they do not lead to. None when the footer at the end is not one of microparquet's, or is damaged.
std::optional<std::uint64_t> rows_after_footer(File& file);

}  // namespace microparquet::recovery
