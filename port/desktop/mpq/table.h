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

  void add_column(std::string title, Align align);
  // A cell for each column, in printable text.
  void add_row(std::vector<std::string> cells);

  // Prints the table, each line behind `indent` spaces. `width` is that of the terminal, 0 for no limit:
  // columns that have no place in it are left out, and the first is cut where it has none. Returns how many
  // were left out.
  std::size_t print(Output& output, std::size_t indent, std::size_t width) const;

 private:
  struct Column {
    std::string title;
    Align align;
    std::size_t width;
  };
  std::size_t columns_within(std::size_t width, std::size_t indent) const;
  void print_line(Output& output, std::size_t indent, const std::vector<std::string>& cells,
                  const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace mpq_tool
