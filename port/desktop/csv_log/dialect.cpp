#include "dialect.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace csv_log {

namespace {

// Rows as far as delimiters are counted: lines without those that are passed over, joined where a quote is open.
std::vector<std::string> rows_of(const std::vector<std::string_view>& lines, const Dialect& dialect) {
  std::vector<std::string> rows;
  bool open = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = i == 0 ? without_mark(lines[i]) : lines[i];
    if (!open && (dialect.passes_over(line, i + 1) || line.find_first_not_of("\r\n") == line.npos)) {
      continue;
    }
    if (!open) {
      rows.emplace_back();
    }
    rows.back().append(line);
    open = open != (std::count(line.begin(), line.end(), '"') % 2 != 0);
  }
  if (open) {
    rows.pop_back();  // its end is not known
  }
  return rows;
}

std::size_t count_outside_quotes(std::string_view row, char wanted) {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : row) {
    inside = inside != (c == '"');
    count += !inside && c == wanted ? 1 : 0;
  }
  return count;
}

bool splits_alike(const std::vector<std::string>& rows, char delimiter) {
  const std::size_t count = count_outside_quotes(rows.front(), delimiter);
  return count != 0 && std::all_of(rows.begin(), rows.end(), [&](const std::string& row) {
           return count_outside_quotes(row, delimiter) == count;
         });
}

// `wanted` rows, or all there are before too many lines.
std::vector<std::string> first_rows(LineSource& source, const Dialect& dialect, std::size_t wanted) {
  constexpr std::uint64_t kMaxSkipped = 1'000'000;
  std::size_t lines = wanted + std::min(dialect.skipped_lines, kMaxSkipped);
  while (true) {
    const std::vector<std::string_view> seen = source.peek(lines);
    std::vector<std::string> rows = rows_of(seen, dialect);
    if (rows.size() >= wanted || seen.size() < lines) {
      rows.resize(std::min(rows.size(), wanted));
      return rows;
    }
    lines += wanted - rows.size();
  }
}

}  // namespace

char found_delimiter(LineSource& lines, const Dialect& dialect, std::size_t rows) {
  const std::vector<std::string> header = first_rows(lines, dialect, 1);
  if (header.empty() || count_outside_quotes(header.front(), ',') != 0 ||
      header.front().find_first_of(";\t|") == std::string::npos) {
    return ',';  // without a wait for rows
  }
  const std::vector<std::string> first = first_rows(lines, dialect, 1 + rows);
  for (const char delimiter : {';', '\t', '|'}) {
    if (!first.empty() && splits_alike(first, delimiter)) {
      return delimiter;
    }
  }
  return ',';
}

std::string_view without_mark(std::string_view first_line) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const bool has_mark = first_line.substr(0, kByteOrderMark.size()) == kByteOrderMark;
  return first_line.substr(has_mark ? kByteOrderMark.size() : 0);
}

}  // namespace csv_log
