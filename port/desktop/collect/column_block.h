// Rows of one flat column, as a writer takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "microparquet/desktop/column_buffers.h"
#include "microparquet/reader.h"
#include "microparquet/writer.h"
#include "rows_digest.h"

namespace mpq_tool {

class ColumnBlock {
 public:
  ColumnBlock(const microparquet::SchemaElement& element, std::size_t column);

  // Reads the next `rows` rows of the column, which the row group has, from `reader`, of which it is the chosen one of
  // its number, and adds them to `digest`.
  microparquet::Status read(microparquet::Reader& reader, microparquet::desktop::ColumnBuffers& buffers,
                            std::size_t rows, RowsDigest& digest);
  // What was read; it lies in here until the next call.
  microparquet::ColumnData data() const;

 private:
  microparquet::Status read_some(microparquet::Reader& reader, microparquet::desktop::ColumnBuffers& buffers,
                                 std::size_t rows);
  void take_texts(std::size_t count);
  void view_texts();
  template <typename T>
  void spread(T* values) const;
  void spread_values();

  std::size_t column_;
  std::size_t width_;  // of a value in memory; 0: a text
  bool optional_;
  std::size_t rows_ = 0;
  std::size_t values_ = 0;
  std::vector<std::uint64_t> numbers_;  // values of `width_` bytes
  std::vector<std::string_view> texts_;
  std::vector<char> characters_;     // of texts
  std::vector<std::size_t> ends_;    // of each text among them
  std::vector<std::uint8_t> valid_;  // of each row
};

}  // namespace mpq_tool
