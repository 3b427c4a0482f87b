// A Reader with memory that grows as it needs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bytes.h"
#include "microparquet/reader.h"

namespace microparquet::recovery {

// A leaf of a schema.
struct Leaf {
  std::string name;  // with the groups it lies in, joined by dots
  SchemaElement element;
};

class OpenFile {
 public:
  // What Reader::open() says. `file` must stay.
  Status open(File& file);
  // What Reader::choose() says. Starts over at the first row group; may open the file again.
  Status choose(Span<const std::uint32_t> columns, std::uint32_t buffer_bytes);

  Reader& reader() { return reader_; }
  const std::vector<Leaf>& leaves() const { return leaves_; }
  // No groups: rows can be written by a Writer.
  bool flat() const { return reader_.schema_elements() == leaves_.size() + 1; }

  // Of the row group at hand. The bounds lie in here until the next call.
  Status statistics(std::uint32_t column, ColumnStatistics& statistics);

 private:
  Status reopen();
  Status read_leaves();
  void grow();

  File* file_ = nullptr;
  ReaderOptions options_;
  std::vector<std::uint64_t> arena_;  // of words: the reader wants 8-byte alignment
  Reader reader_;
  std::vector<Leaf> leaves_;
  Bytes bounds_;
};

}  // namespace microparquet::recovery
