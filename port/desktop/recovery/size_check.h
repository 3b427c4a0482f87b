// What a footer says of the sizes of a column chunk's values and of its levels, or an index of those of a page, held against
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "microparquet/column_values.h"
#include "microparquet/file_metadata.h"
#include "microparquet/reader.h"
#include "microparquet/size_statistics.h"

namespace microparquet::recovery {

// Takes the values of one chunk, or page, in order.
class SizeCheck {
 public:
  explicit SizeCheck(const SchemaElement& element);

  // What is said of column 0 in the reader's row group; nothing, where that cannot be read.
  void read(Reader& reader);
  // What is said.
  void expect(const SizeStatistics& told);

  // Items, as a batch has them.
  void add(const AnyBatch& items);
  // Rows of which no more is known than that they are nulls, or that they are values of a fixed width.
  void add_nulls(std::uint64_t rows);
  void add_values(std::uint64_t rows);

  // Sentences, of a chunk or page that is whole.
  std::vector<std::string> contradictions() const;

 private:
  using Counts = std::vector<std::uint64_t>;  // of each level
  static void count(const std::uint8_t* levels, std::size_t items, Counts& counts);
  static void compare(const char* name, const Counts& told, const Counts& found,
                      std::vector<std::string>& sentences);

  bool texts_;                   // the values are byte arrays
  bool has_text_bytes_ = false;  // and `told_text_bytes_` is there
  bool knows_nulls_;             // they have one level
  std::uint64_t told_text_bytes_ = 0;
  std::uint64_t text_bytes_ = 0;
  Counts told_definition_;  // empty: it is not said
  Counts told_repetition_;
  Counts definition_;
  Counts repetition_;
};

}  // namespace microparquet::recovery
