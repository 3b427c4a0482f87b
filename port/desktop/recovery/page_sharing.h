// Which pages of a file without a footer make up a row group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "page_list.h"
#include "schema_model.h"

namespace microparquet::recovery {

// A column chunk among the pages.
struct SharedPages {
  std::size_t begin;
  std::size_t end;
};

struct RowGroupPages {
  std::uint64_t rows = 0;
  std::vector<SharedPages> chunks;
  std::size_t end() const { return chunks.back().end; }
};

// All readings of the pages from `begin` on as a row group of these columns.
std::vector<RowGroupPages> row_group_readings(const std::vector<ListedPage>& pages,
                                              const std::vector<ColumnModel>& columns, std::size_t begin);

}  // namespace microparquet::recovery
