#include "table_rows.h"

#include <algorithm>

#include "cell.h"

namespace csv_log {

namespace {

constexpr std::size_t kMostWaiting = 64;  // lines that a device prints before its heading

bool is_letter(char c) {
  return static_cast<unsigned char>((c | 0x20) - 'a') < 26 || c == '#' || c == '"' || c == '[';
}

std::size_t first_column_of(CellClass kind, const Layout& layout) {
  const auto found = std::find(layout.classes.begin(), layout.classes.end(), kind);
  return static_cast<std::size_t>(found - layout.classes.begin());
}

// What comments of the heading begin with, if its names and the first row do not.
std::string marks_of(const Layout& layout) {
  std::string marks;
  for (const std::string& line : layout.heading) {
    if (line.size() > 1 && std::string_view("#!/").find(line.front()) != std::string_view::npos) {
      marks.push_back(line.front());
    }
  }
  return marks;
}

}  // namespace

TableRows::TableRows(Lines& lines, const Layout& layout)
    : layout_(layout),
      reader_(lines, layout.dialect),
      heading_(layout.heading.begin(), layout.heading.end()),
      first_name_(layout.has_header && layout.names.size() > 1 ? trimmed(layout.names.front())
                                                               : std::string_view()),
      probe_(first_column_of(CellClass::kNumber, layout)),
      time_(first_column_of(CellClass::kTime, layout)),
      comment_marks_(marks_of(layout)),
      to_skip_(layout.rows_before) {}

Found TableRows::next(Row& row) {
  while (ready_.empty()) {
    switch (reader_.next(row)) {
      case ReadResult::kRow: break;
      case ReadResult::kEnd:
        release_waiting(true);
        ready_.emplace_back(Found::kEnd, row);
        continue;
      case ReadResult::kUnclosedQuote:
        release_waiting(true);
        ready_.emplace_back(Found::kUnclosedQuote, row);
        continue;
      case ReadResult::kFailed:
        release_waiting(true);
        ready_.emplace_back(Found::kFailed, row);
        continue;
    }
    if (to_skip_ != 0) {
      --to_skip_;
      continue;
    }
    const Kind kind = kind_of(row);
    if (kind == Kind::kRow && waiting_.empty()) {
      in_heading_ = false;
      return Found::kRow;
    }
    take(kind, row);
  }
  const Found found = ready_.front().first;
  row = std::move(ready_.front().second);
  if (found == Found::kRow || found == Found::kBadLine) {
    ready_.pop_front();
  } else {
    ready_.front().second = row;
  }
  return found;
}

void TableRows::take(Kind kind, Row& row) {
  switch (kind) {
    case Kind::kHeading:
      waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(),  // what a device prints before it
                                    [](const Waiting& line) { return !line.may_be_footer; }),
                     waiting_.end());
      release_waiting(false);
      passed_.headings += in_heading_ ? 0 : 1;
      passed_.first_heading = passed_.first_heading == 0 ? row.line() : passed_.first_heading;
      in_heading_ = true;
      return;
    case Kind::kComment: ++passed_.comments; return;
    case Kind::kCut:
      ++passed_.cut_lines;
      passed_.first_cut = passed_.first_cut == 0 ? row.line() : passed_.first_cut;
      return;
    case Kind::kBad:
    case Kind::kFooter:
      waiting_.push_back({row, kind == Kind::kFooter});
      if (waiting_.size() > kMostWaiting) {
        release_waiting(false);
      }
      return;
    case Kind::kRow:
      in_heading_ = false;
      release_waiting(false);
      ready_.emplace_back(Found::kRow, row);
      return;
  }
}

void TableRows::release_waiting(bool at_end) {
  for (Waiting& line : waiting_) {
    ready_.emplace_back(line.may_be_footer && !at_end ? Found::kRow : Found::kBadLine, std::move(line.row));
  }
  waiting_.clear();
}

// Empty cells beyond the names are none: a delimiter at the end of the line makes them.
bool TableRows::fits(const Row& row) const {
  std::size_t cells = row.size();
  while (cells > layout_.names.size() && trimmed(row.cell(cells - 1)).empty()) {
    --cells;
  }
  return cells >= layout_.least_cells && cells <= layout_.names.size();
}

TableRows::Kind TableRows::kind_of(const Row& row) const {
  const bool is_cut = !row.is_whole() && layout_.last_is_never_empty && row.size() == layout_.names.size() &&
                      row.size() > 1 && trimmed(row.cell(row.size() - 1)).empty();
  const bool fits_table = fits(row) && !is_cut;
  const std::string_view probe =
      fits_table && probe_ < row.size() ? trimmed(row.cell(probe_)) : std::string_view();
  const bool footer = fits_table && has_word_for_time(row);
  const bool suspicious = !fits_table || footer || in_heading_ ||
                          (!probe.empty() && is_letter(probe.front())) ||
                          (!first_name_.empty() && trimmed(row.cell(0)) == first_name_);
  if (!suspicious) {
    return Kind::kRow;
  }
  if (heading_.count(key_of(row)) != 0) {
    return Kind::kHeading;
  }
  if (fits_table && !is_text_among_numbers(row)) {
    return footer ? Kind::kFooter : Kind::kRow;
  }
  if (is_comment(row)) {
    return Kind::kComment;
  }
  return !row.is_whole() && !fits_table ? Kind::kCut : Kind::kBad;
}

bool TableRows::is_text_among_numbers(const Row& row) const {
  std::size_t bad = 0;
  for (std::size_t i = 0; i < layout_.classes.size(); ++i) {
    const CellClass expected = layout_.classes[i];
    const CellClass found = class_of(row.cell(i));
    if (expected != CellClass::kText && expected != CellClass::kNothing && found != CellClass::kNothing) {
      if (found == expected) {
        return false;
      }
      ++bad;
    }
  }
  return bad > 1;
}

bool TableRows::has_word_for_time(const Row& row) const {
  const std::string_view cell = time_ < row.size() ? trimmed(row.cell(time_)) : std::string_view();
  return !cell.empty() && is_letter(cell.front()) && class_of(cell) == CellClass::kText;
}

bool TableRows::is_comment(const Row& row) const {
  const std::string_view first = trimmed(row.cell(0));
  return !first.empty() && comment_marks_.find(first.front()) != std::string::npos;
}

std::string TableRows::why(const Row& row) const {
  if (fits(row)) {
    return is_text_among_numbers(row) ? "text where the columns have numbers and times"
                                      : quoted(row.cell(time_)) + " where the other lines have a time";
  }
  const std::size_t names = layout_.names.size();
  return std::to_string(row.size()) + (row.size() == 1 ? " cell" : " cells") + " where the " +
         (layout_.has_header ? "header has " : "other lines have ") + std::to_string(names);
}

PassedOver TableRows::passed_over() const {
  PassedOver passed = passed_;
  passed.bytes = reader_.bytes_of_cards();
  return passed;
}

}  // namespace csv_log
