#include "types_table.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cell.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/terminal_text.h"

namespace csv_log {

namespace {

using microparquet::text::grouped_digits;
using microparquet::text::print_line;
using microparquet::text::To;
using microparquet::text::width_of;

constexpr std::size_t kMaxLines = 20;

struct TypeLine {
  std::string name;
  std::string type;
  std::string note;
};

std::string place_of(const SeenCell& cell) {
  return "line " + grouped_digits(cell.line) + ": " + quoted(cell.text);
}

std::string note_of(const ColumnPlan& column, const BadCells& bad) {
  if (bad.count != 0) {
    return grouped_digits(bad.count) +
           (bad.count == 1 ? " cell became null, in " : " cells became null, the first in ") +
           place_of(bad.first);
  }
  if (column.text_because) {
    const std::string& advice = column.text_because->advice;
    return "because of " + place_of(column.text_because->cell) + (advice.empty() ? "" : "; ") + advice;
  }
  if (column.read_by) {
    return column.read_by->what + ", by " + place_of(column.read_by->cell);
  }
  return column.has_values ? "" : "no cell has a value";
}

TypeLine line_of(const ColumnPlan& column, const BadCells& bad) {
  constexpr std::size_t kMaxName = 40;
  return {microparquet::text::shortened(column.name, kMaxName), to_string(stored(column.type)),
          note_of(column, bad)};
}

// Chooses the columns that get a line: those with a note before others.
std::vector<bool> chosen(const std::vector<ColumnPlan>& columns, const std::vector<BadCells>& bad_cells) {
  std::vector<bool> wanted(columns.size());
  std::size_t left = kMaxLines;
  for (const bool with_note : {true, false}) {
    for (std::size_t i = 0; i < columns.size() && left != 0; ++i) {
      if (!wanted[i] && (!with_note || !note_of(columns[i], bad_cells[i]).empty())) {
        wanted[i] = true;
        --left;
      }
    }
  }
  return wanted;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(text.size() + width - std::min(width, width_of(text)), ' ');
  return text;
}

void print_type_lines(To to, const std::vector<TypeLine>& lines) {
  std::size_t name_width = 0;
  std::size_t type_width = 0;
  for (const TypeLine& line : lines) {
    name_width = std::max(name_width, width_of(line.name));
    type_width = std::max(type_width, line.note.empty() ? 0 : line.type.size());
  }
  for (const TypeLine& line : lines) {
    const std::string type = line.note.empty() ? line.type : padded(line.type, type_width) + "  " + line.note;
    print_line(to, "    " + padded(line.name, name_width) + "  " + type);
  }
}

// "and 980 more: 900 double, 80 string"
void print_rest(To to, const std::vector<std::string>& types) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const std::string& type : types) {
    const auto known =
        std::find_if(counts.begin(), counts.end(), [&](const auto& count) { return count.first == type; });
    if (known != counts.end()) {
      ++known->second;
    } else {
      counts.emplace_back(type, 1);
    }
  }
  std::string text;
  for (const auto& [type, number] : counts) {
    text += (text.empty() ? "" : ", ") + grouped_digits(number) + " " + type;
  }
  print_line(to, "    and " + grouped_digits(types.size()) + " more: " + text);
}

}  // namespace

void print_types(To to, const TablePlan& plan, const std::vector<BadCells>& bad_cells) {
  print_line(to, "  columns     " + grouped_digits(plan.columns.size()));
  const std::vector<bool> wanted = chosen(plan.columns, bad_cells);
  std::vector<TypeLine> lines;
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    if (wanted[i]) {
      lines.push_back(line_of(plan.columns[i], bad_cells[i]));
    } else {
      rest.push_back(to_string(stored(plan.columns[i].type)));
    }
  }
  print_type_lines(to, lines);
  if (!rest.empty()) {
    print_rest(to, rest);
  }
}

}  // namespace csv_log
