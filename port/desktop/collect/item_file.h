// Rows with lists, item by item, and the file of the lake that they become.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collected.h"
#include "flat_rows.h"
#include "item_chunk.h"
#include "microparquet/desktop/column_buffers.h"
#include "microparquet/file.h"
#include "open_file.h"
#include "raw_file.h"
#include "thrift_dom/footer_parts.h"

namespace mpq_tool {

// All calls throw LakeFailure for what cannot be written.
class ItemFile {
 public:
  // The file is made at `path`, its row groups described as `model`, a RowGroup structure of the same columns.
  ItemFile(std::string path, const std::vector<microparquet::recovery::Leaf>& leaves,
           const microparquet::recovery::Bytes& model, const microparquet::Compressor* compressor);

  // The next item of a column.
  void add(std::size_t column, const microparquet::Item& item) { chunks_[column].add(item); }
  // All columns have `rows` rows more.
  void end_rows(std::uint64_t rows);
  // Row groups, also after finish().
  std::uint32_t row_groups() const { return static_cast<std::uint32_t>(entries_.size()); }
  // Returns the size of its pages.
  std::uint64_t finish(const std::vector<microparquet::recovery::FooterField>& fields);

 private:
  void end_row_group();
  void write(const microparquet::recovery::Bytes& bytes);

  std::string path_;
  microparquet::recovery::ThriftValue model_;
  const microparquet::Compressor* compressor_;
  std::vector<ItemChunk> chunks_;
  WorkFile file_;
  std::uint64_t at_ = 0;
  std::uint64_t rows_ = 0;  // rows of the open row group
  std::vector<microparquet::recovery::Bytes> entries_;
};

// Rows with lists in them, item by item: their marks, and on into a new file.
class ItemRows {
 public:
  explicit ItemRows(const std::vector<microparquet::recovery::Leaf>& leaves) : columns_(leaves.size()) {}

  // Adds all rows of a file, to `out` too.
  microparquet::Status read(microparquet::File& file, ItemFile& out);

  // Marks at each power of two, and of all rows, in ascending order.
  std::vector<RowsMark> marks() const;

 private:
  struct Column {
    RowsDigest digest{1};
    std::uint64_t rows = 0;           // rows that have begun
    std::vector<std::uint32_t> sums;  // at the powers of two
    microparquet::Item item;          // item that was read, and belongs to the next row
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
