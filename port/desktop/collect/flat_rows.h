// The rows of files of one schema, one file after another, in blocks of columns.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "collected.h"
#include "column_block.h"
#include "microparquet/file.h"
#include "open_file.h"

namespace mpq_tool {

class FlatRows {
 public:
  // Of the columns of `files`, none of which is repeated or INT96. Marks are made at each of `marked` rows, too.
  FlatRows(const std::vector<microparquet::recovery::Leaf>& leaves, std::set<std::uint64_t> marked);

  // Takes a block of rows, the same number in each column.
  using Take = std::function<microparquet::Status(microparquet::Span<const microparquet::ColumnData>,
                                                  std::size_t rows)>;

  // Gives `take` all rows of a file. What it says, or reading.
  microparquet::Status read(microparquet::File& file, const Take& take);

  std::uint64_t rows() const { return rows_; }
  // At each power of two, at each number asked for, and of all rows, in ascending order.
  std::vector<RowsMark> marks() const;

 private:
  microparquet::Status read_row_group(microparquet::Reader& reader, const Take& take);
  std::size_t rows_to_mark(std::uint64_t left) const;
  void mark();

  std::vector<ColumnBlock> blocks_;
  std::vector<microparquet::ColumnData> data_;
  microparquet::desktop::ColumnBuffers buffers_;
  std::set<std::uint64_t> marked_;
  RowsDigest digest_;
  std::uint64_t rows_ = 0;
  std::vector<RowsMark> marks_;
};

}  // namespace mpq_tool
