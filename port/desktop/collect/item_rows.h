// Rows with lists in them, item by item: their marks, and on into a new file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collected.h"
#include "item_file.h"
#include "microparquet/desktop/column_buffers.h"
#include "microparquet/file.h"
#include "open_file.h"
#include "rows_digest.h"

namespace mpq_tool {

class ItemRows {
 public:
  explicit ItemRows(const std::vector<microparquet::recovery::Leaf>& leaves) : columns_(leaves.size()) {}

  // Adds all rows of a file, to `out` too.
  microparquet::Status read(microparquet::File& file, ItemFile& out);

  // At each power of two, and of all rows, in ascending order.
  std::vector<RowsMark> marks() const;

 private:
  struct Column {
    RowsDigest digest{1};
    std::uint64_t rows = 0;           // that have begun
    std::vector<std::uint32_t> sums;  // at the powers of two
    microparquet::Item item;          // that was read, and is of the next row
    bool has_item = false;
  };
  microparquet::Status read_row_group(microparquet::Reader& reader, ItemFile& out);
  microparquet::Status read_rows(microparquet::Reader& reader, std::size_t i, std::uint64_t rows,
                                 ItemFile& out);
  static void add(Column& column, const microparquet::Item& item);

  std::vector<Column> columns_;
  microparquet::desktop::ColumnBuffers buffers_;
};

}  // namespace mpq_tool
