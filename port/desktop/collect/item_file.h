// A file of the lake with lists or structs in it, out of items.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "item_chunk.h"
#include "open_file.h"
#include "thrift_dom/footer_parts.h"
#include "work_file.h"

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
  std::uint64_t rows_ = 0;  // of the open row group
  std::vector<microparquet::recovery::Bytes> entries_;
};

}  // namespace mpq_tool
