// A checksum of rows by their values, whatever pages and encodings they come in.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "collected.h"
#include "microparquet/column_values.h"
#include "microparquet/port/crc32_hardware.h"

namespace mpq_tool {

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
  // Of each row whether it has a value: 1 or 0.
  void add_validity(std::size_t column, const std::uint8_t* valid, std::size_t rows) {
    sums_[2 * column + 1] = microparquet::crc32_hardware(sums_[2 * column + 1], valid, rows);
  }

  // Of all rows so far, which all columns must have.
  std::uint32_t sum() const {
    return microparquet::crc32_hardware(0, sums_.data(), sums_.size() * sizeof sums_[0]);
  }

 private:
  std::vector<std::uint32_t> sums_;  // of the values and of the validity of each column
};

}  // namespace mpq_tool
