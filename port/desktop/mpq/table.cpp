#include "table.h"

#include <algorithm>
#include <utility>

namespace mpq_tool {

namespace {
constexpr std::size_t kGap = 2;
}

void Table::add_column(std::string title, Align align, std::size_t width) {
  const std::size_t least = std::max(width, width_of(title));
  columns_.push_back({std::move(title), align, least});
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

void Table::print_row(Output& output, const std::vector<std::string>& cells) const {
  std::string line(indent_, ' ');
  for (std::size_t i = 0; i < widths_.size(); ++i) {
    const std::string cell = shortened(cells[i], widths_[i]);
    const std::string padding(widths_[i] - width_of(cell), ' ');
    line += columns_[i].align == Align::kRight ? padding + cell : cell + padding;
    line.append(kGap, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  output.line(line);
}

std::size_t Table::begin(Output& output, std::size_t indent, std::size_t width) {
  indent_ = indent;
  widths_.clear();
  std::vector<std::string> titles;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    widths_.push_back(column.width);
  }
  widths_.resize(columns_within(width, indent));
  if (widths_.size() == 1 && width != 0) {
    widths_.front() = std::min(widths_.front(), width - std::min(width, indent));
  }
  print_row(output, titles);
  return columns_.size() - widths_.size();
}

std::size_t Table::print(Output& output, std::size_t indent, std::size_t width) {
  const std::size_t left_out = begin(output, indent, width);
  for (const auto& row : rows_) {
    print_row(output, row);
  }
  return left_out;
}

}  // namespace mpq_tool
