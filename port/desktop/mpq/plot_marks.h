// What has happened in a log, over its signals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parquet_file.h"

namespace mpq_tool {

// A text of the column facts::kMark.
struct PlotMark {
  double place = 0;     // in parts of a line
  std::int64_t at = 0;  // on the axis
  std::string text;
};

// The marks of a plot, each with a letter; of more than there are letters the first.
class PlotMarks {
 public:
  void add(PlotMark mark);
  bool any() const { return count_ != 0; }
  std::size_t count() const { return count_; }
  const std::vector<PlotMark>& shown() const { return marks_; }
  // Of a mark that is shown, by its index: a, b, to z, A to Z.
  static char letter(std::size_t index);

  // A line of letters at their places, '*' where several fall on one. `parts_in_cell`: that a character shows.
  std::string letters(std::size_t width, std::size_t parts_in_cell) const;
  // Puts `ink` into the blank cells of a strip where marks are. `line` is UTF-8, of which each character takes a cell.
  void draw_over(std::string& line, std::size_t parts_in_cell, const std::string& ink) const;

 private:
  std::vector<PlotMark> marks_;
  std::size_t count_ = 0;
};

// The column of marks, if the file has one.
std::optional<Column> mark_column(const ParquetFile& file);

}  // namespace mpq_tool
