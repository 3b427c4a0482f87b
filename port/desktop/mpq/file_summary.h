// What info and meta print of one file: its first lines, dictionaries, and the bounds of its columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "microparquet/file.h"
#include "microparquet/file_metadata.h"
#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "output.h"
#include "parquet_file.h"
#include "values/value_order.h"

namespace mpq_tool {

// Rows, row groups, columns, size, and who wrote it.
void print_file(ParquetFile& file, Output& output);

// Prints the key-values in a line each, long ones shortened. Prints nothing when there are none.
void print_key_values(ParquetFile& file, Output& output);

// Dictionaries in the chunks of one column.
struct DictionaryUse {
  std::uint64_t chunks = 0;
  std::uint64_t with_dictionary = 0;
  // Chunks with a dictionary that have data pages of another encoding as well. None: headers of pages cannot
  // be read.
  std::optional<std::uint64_t> fallbacks = 0;
};

// Goes through the headers of data pages, since a chunk lists the encoding of its dictionary page among those of
// its data pages. Reads no more than the file has bytes, wherever chunks claim to be.
class DictionaryCounter {
 public:
  // `file` must stay.
  explicit DictionaryCounter(microparquet::File& file);

  // Counts the chunk in.
  void add(const microparquet::ColumnChunkInfo& chunk, DictionaryUse& use);

 private:
  std::optional<bool> falls_back(const microparquet::ColumnChunkInfo& chunk);

  microparquet::File& file_;
  std::uint64_t bytes_ = 0;          // size of the file
  std::uint64_t bytes_to_pass_ = 0;  // bytes of chunks that may still be passed
  std::vector<std::byte> memory_;
};

// A value as statistics hold it; of long text a shortened one, which no value of the column need equal.
using Bound = std::vector<std::byte>;

// Facts about one column from all row groups.
class ColumnSummary {
 public:
  // `element` must stay.
  explicit ColumnSummary(const microparquet::SchemaElement& element)
      : element_(element), order_(microparquet::detail::order_of(element)) {}

  // A row group's word on the column, in any order.
  void add(const microparquet::ColumnChunkInfo& chunk, const microparquet::ColumnStatistics& statistics);

  std::uint64_t bytes() const { return bytes_; }
  std::uint32_t encodings() const { return encodings_; }
  // Whether a chunk uses this codec. Only the last one seen of the codecs that Parquet does not know is
  // remembered.
  bool uses(microparquet::CodecId codec) const;
  // None where a row group does not tell.
  std::optional<std::uint64_t> nulls() const { return nulls_; }
  // None where a row group that has values does not tell, or where the type has no order.
  const std::optional<Bound>& min() const { return min_; }
  const std::optional<Bound>& max() const { return max_; }

 private:
  // `outer`: how a value that replaces the bound compares with it.
  void add_bound(std::optional<Bound>& bound, bool& untold, bool told,
                 microparquet::Span<const std::byte> value, microparquet::detail::Comparison outer) const;

  const microparquet::SchemaElement& element_;
  microparquet::detail::ValueOrder order_;
  std::uint64_t bytes_ = 0;
  std::uint32_t encodings_ = 0;
  std::uint8_t codecs_ = 0;  // bit n: CodecId n
  std::uint8_t other_codec_ = 0;
  std::optional<std::uint64_t> nulls_ = 0;
  std::optional<Bound> min_;
  std::optional<Bound> max_;
  bool min_untold_ = false;
  bool max_untold_ = false;
};

}  // namespace mpq_tool
