#include "plot_marks.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "microparquet/facts.h"
#include "time_parts.h"

namespace mpq_tool {

namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

std::size_t cell_of(const PlotMark& mark, std::size_t width, std::size_t parts_in_cell) {
  return std::min(width - 1, static_cast<std::size_t>(mark.place) / parts_in_cell);
}

// Where the character at `at` of UTF-8 ends.
std::size_t end_of_character(std::string_view text, std::size_t at) {
  constexpr unsigned kContinued = 0x80;
  constexpr unsigned kTopBits = 0xC0;
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & kTopBits) == kContinued) {
    ++end;
  }
  return end;
}

}  // namespace

void PlotMarks::add(PlotMark mark) {
  if (count_++ < kLetters.size()) {
    marks_.push_back(std::move(mark));
  }
}

char PlotMarks::letter(std::size_t index) { return kLetters[index]; }

std::string PlotMarks::letters(std::size_t width, std::size_t parts_in_cell) const {
  std::string line(width, ' ');
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    char& cell = line[cell_of(marks_[i], width, parts_in_cell)];
    cell = cell == ' ' ? letter(i) : '*';
  }
  return line;
}

void PlotMarks::draw_over(std::string& line, std::size_t parts_in_cell, const std::string& ink) const {
  constexpr std::string_view kBlankBraille = "\u2800";
  std::vector<std::string> cells;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = end_of_character(line, at);
    cells.push_back(line.substr(at, end - at));
    at = end;
  }
  for (const PlotMark& mark : marks_) {
    std::string& cell = cells[cell_of(mark, cells.size(), parts_in_cell)];
    cell = cell == " " || cell == kBlankBraille ? ink : cell;
  }
  line.clear();
  for (const std::string& cell : cells) {
    line += cell;
  }
}

std::optional<Column> mark_column(const ParquetFile& file) {
  for (const Column& column : file.columns()) {
    if (column.name == microparquet::facts::kMark && is_text_column(column)) {
      return column;
    }
  }
  return std::nullopt;
}

}  // namespace mpq_tool
