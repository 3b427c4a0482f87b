#include "table.h"

#include <algorithm>
#include <utility>

namespace mpq_tool {

namespace {
constexpr std::size_t kGap = 2;
}

void Table::add_column(std::string title, Align align) {
  const std::size_t width = width_of(title);
  columns_.push_back({std::move(title), align, width});
}

void Table::add_row(std::vector<std::string> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    columns_[i].width = std::max(columns_[i].width, width_of(cells[i]));
  }
  rows_.push_back(std::move(cells));
}

std::size_t Table::columns_within(std::size_t width, std::size_t indent) const {
  if (width == 0) {
    return columns_.size();
  }
  std::size_t used = indent;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    used += columns_[i].width + (i == 0 ? 0 : kGap);
    if (used > width) {
      return std::max<std::size_t>(i, 1);
    }
  }
  return columns_.size();
}

void Table::print_line(Output& output, std::size_t indent, const std::vector<std::string>& cells,
                       const std::vector<std::size_t>& widths) const {
  std::string line(indent, ' ');
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::string cell = shortened(cells[i], widths[i]);
    const std::string padding(widths[i] - width_of(cell), ' ');
    line += columns_[i].align == Align::kRight ? padding + cell : cell + padding;
    line.append(kGap, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  output.print(line + "\n");
}

std::size_t Table::print(Output& output, std::size_t indent, std::size_t width) const {
  const std::size_t count = columns_within(width, indent);
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    widths.push_back(column.width);
  }
  widths.resize(count);
  if (count == 1 && width != 0) {
    widths.front() = std::min(widths.front(), width - std::min(width, indent));
  }
  print_line(output, indent, titles, widths);
  for (const auto& row : rows_) {
    print_line(output, indent, row, widths);
  }
  return columns_.size() - count;
}

}  // namespace mpq_tool
