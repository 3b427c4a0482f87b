// The rows of files of one schema, in blocks of columns, with their checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string_view>
#include <vector>

#include "collected.h"
#include "microparquet/column_values.h"
#include "microparquet/desktop/column_buffers.h"
#include "microparquet/file.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/reader.h"
#include "microparquet/writer.h"
#include "open_file.h"

namespace mpq_tool {

// A checksum of rows by their values, whatever pages and encodings they come in.
class RowsDigest {
 public:
  explicit RowsDigest(std::size_t columns) : sums_(2 * columns) {}

  // Values of a column, one after another, without nulls.
  void add_values(std::size_t column, const void* values, std::size_t bytes) {
    sums_[2 * column] = microparquet::crc32_hardware(sums_[2 * column], values, bytes);
  }
  void add_texts(std::size_t column, const std::string_view* texts, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t length = texts[i].size();
      add_values(column, &length, sizeof length);
      add_values(column, texts[i].data(), texts[i].size());
    }
  }
  // Adds for each row whether it has a value: 1 or 0.
  void add_validity(std::size_t column, const std::uint8_t* valid, std::size_t rows) {
    sums_[2 * column + 1] = microparquet::crc32_hardware(sums_[2 * column + 1], valid, rows);
  }

  // The digest of all rows so far, which all columns must have.
  std::uint32_t sum() const {
    return microparquet::crc32_hardware(0, sums_.data(), sums_.size() * sizeof sums_[0]);
  }

 private:
  std::vector<std::uint32_t> sums_;  // sums of the values and of the validity of each column
};

// Rows of one flat column, as a writer takes them.
class ColumnBlock {
 public:
  ColumnBlock(const microparquet::SchemaElement& element, std::size_t column);

  // Reads the next `rows` rows of the column, which the row group has, from `reader`, of which it is the chosen one of
  // its number, and adds them to `digest`, unless that is null.
  microparquet::Status read(microparquet::Reader& reader, microparquet::desktop::ColumnBuffers& buffers,
                            std::size_t rows, RowsDigest* digest);
  // The rows read last; they lie in here until the next call.
  microparquet::ColumnData data() const;
  // Bytes of their texts.
  std::size_t text_bytes() const { return characters_.size(); }

 private:
  microparquet::Status read_some(microparquet::Reader& reader, microparquet::desktop::ColumnBuffers& buffers,
                                 std::size_t rows);
  void add_to(RowsDigest& digest) const;
  void take_texts(std::size_t count);
  void view_texts();
  template <typename T>
  void spread(T* values) const;
  void spread_values();

  std::size_t column_;
  std::size_t width_;  // bytes of a value in memory; 0: a text
  bool optional_;
  std::size_t rows_ = 0;
  std::size_t values_ = 0;
  std::vector<std::uint64_t> numbers_;  // values of `width_` bytes
  std::vector<std::string_view> texts_;
  std::vector<char> characters_;     // characters of texts
  std::vector<std::size_t> ends_;    // end of each text among them
  std::vector<std::uint8_t> valid_;  // validity of each row
};

// The rows of files of one schema, one file after another, in blocks of columns.
class FlatRows {
 public:
  // `leaves`: columns of the files, none of them repeated or INT96. Marks are made at each of `marked` rows,
  // too.
  FlatRows(const std::vector<microparquet::recovery::Leaf>& leaves, std::set<std::uint64_t> marked);

  // Takes a block of rows, the same number in each column.
  using Take = std::function<microparquet::Status(microparquet::Span<const microparquet::ColumnData>,
                                                  std::size_t rows)>;

  // Gives `take` all rows of a file. What it says, or reading.
  microparquet::Status read(microparquet::File& file, const Take& take);

  std::uint64_t rows() const { return rows_; }
  // Marks at each power of two, at each number asked for, and of all rows, in ascending order.
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
