// The first rows of a row group as row groups of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "footer.h"
#include "memory_medium.h"
#include "view.h"

namespace microparquet::recovery {

struct FirstRows {
  std::unique_ptr<MemoryMedium> file;
  std::vector<Bytes> entries;  // of its row groups
};

// Decodes `rows` rows of the row group `entry` and writes them again. None when this library cannot write
// such columns, or the rows cannot be read. Changes what is behind the end of `view`.
std::optional<FirstRows> rewrite_first_rows(View& view, const std::vector<FooterField>& fields,
                                            const Bytes& entry, std::uint64_t rows);

}  // namespace microparquet::recovery
