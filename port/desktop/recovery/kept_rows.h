// Some rows of a row group as row groups of their own.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "open_file.h"
#include "proof.h"
#include "thrift_dom/footer_parts.h"
#include "view.h"

namespace microparquet::recovery {

struct WrittenRows {
  std::unique_ptr<MemoryMedium> file;
  std::vector<Bytes> entries;  // entries of its row groups
};

// Decodes the rows of a row group that are kept and writes them again. None when this library cannot write
// such columns, or the rows cannot be read. Requires: pages that hold have these rows in every column.
// Changes what is after the end of `view`.
std::optional<WrittenRows> write_again(View& view, const std::vector<FooterField>& fields,
                                       const KeptRowGroup& kept);

}  // namespace microparquet::recovery
