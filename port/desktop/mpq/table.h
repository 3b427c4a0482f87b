// Text in aligned columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "output.h"

namespace mpq_tool {

class Table {
 public:
  enum class Align : unsigned char { kLeft, kRight };

  // At least `width` wide.
  void add_column(std::string title, Align align, std::size_t width = 0);
  // A cell for each column.
  void add_row(std::vector<std::string> cells);

  // Prints the table, each line after `indent` spaces. `width` is that of the terminal, 0 for no limit:
  // columns that have no place in it are left out, and the first is cut where it has none. Returns how many
  // were left out.
  std::size_t print(Output& output, std::size_t indent, std::size_t width);

  // For a table too long to be kept: prints the titles and returns as above; print_row() then prints each row
  // at once. Cells wider than their column are shortened.
  std::size_t begin(Output& output, std::size_t indent, std::size_t width);
  void print_row(Output& output, const std::vector<std::string>& cells) const;

 private:
  struct Column {
    std::string title;
    Align align;
    std::size_t width;
  };
  std::size_t columns_within(std::size_t width, std::size_t indent) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::size_t indent_ = 0;
  std::vector<std::size_t> widths_;  // of the columns that are printed
};

}  // namespace mpq_tool
