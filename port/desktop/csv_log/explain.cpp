#include "explain.h"

#include <algorithm>
#include <string>

#include "advice.h"
#include "cell.h"
#include "microparquet/text/printed_text.h"
#include "microparquet/text/terminal_text.h"
#include "types_table.h"

namespace csv_log {

namespace {

using microparquet::text::print_line;
using microparquet::text::To;

constexpr std::size_t kLinesShown = 12;   // from the first on, and around the first row
constexpr std::size_t kLongestLine = 60;  // bytes

std::string part_of(std::uint64_t line, const Layout& layout) {
  if (line == layout.names_line) {
    return "names";
  }
  if (line == layout.units_line) {
    return "units";
  }
  return layout.data_line == 0 || line < layout.data_line ? "passed over" : "row";
}

std::string number_text(std::uint64_t number) {
  constexpr std::size_t kWidth = 6;
  const std::string text = std::to_string(number);
  return std::string(kWidth - std::min(kWidth, text.size()), ' ') + text;
}

void print_lines(const std::vector<std::string_view>& lines, const Layout& layout) {
  constexpr std::size_t kRowsShown = 3;
  const std::uint64_t first_row = layout.data_line == 0 ? lines.size() : layout.data_line;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::uint64_t line = i + 1;
    const bool near_names = line + kLinesShown > first_row && line < first_row + kRowsShown;
    if (i >= kLinesShown && !near_names) {
      continue;
    }
    if (line >= first_row + kRowsShown) {
      break;
    }
    const std::string_view text =
        lines[i].substr(0, std::min(lines[i].find_last_not_of("\r\n") + 1, lines[i].size()));
    std::string part = part_of(line, layout);
    part.resize(std::max<std::size_t>(part.size(), 12), ' ');
    print_line(To::kOutput,
               number_text(line) + "  " + part + microparquet::text::shortened(text, kLongestLine));
  }
}

}  // namespace

void explain(const std::vector<std::string_view>& lines, const Layout& layout, const TablePlan& plan,
             const Settings& settings) {
  print_line(To::kOutput, settings.input == "-" ? "standard input" : settings.input);
  print_lines(lines, layout);
  for (const std::string& why : layout.why) {
    print_line(To::kOutput, "  " + why);
  }
  print_types(To::kOutput, plan, std::vector<BadCells>(plan.columns.size()));
  if (plan.bad_lines.count != 0) {
    print_line(To::kOutput, "  line " + std::to_string(plan.bad_lines.first_line) +
                                " is no row: " + plan.bad_lines.first_why);
  }
  for (const std::string& line : command_lines(plan, layout, settings, false)) {
    print_line(To::kOutput, line);
  }
  microparquet::text::flush(To::kOutput);
}

}  // namespace csv_log
