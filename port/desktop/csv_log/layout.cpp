#include "layout.h"

#include <algorithm>
#include <map>
#include <set>

#include "cell.h"
#include "first_rows.h"

namespace csv_log {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// "sep=;", which a spreadsheet writes for others of its kind.
char told_by_sep_line(const std::vector<std::string_view>& lines) {
  std::string_view line = lines.empty() ? std::string_view() : without_mark(lines.front());
  line = line.substr(0, std::min(line.find_last_not_of("\r\n\" ") + 1, line.size()));
  line.remove_prefix(std::min(line.find_first_not_of('"'), line.size()));
  constexpr std::size_t kBytes = 5;
  const bool is = line.size() == kBytes && (line.substr(0, 4) == "sep=" || line.substr(0, 4) == "SEP=");
  return is ? line.back() : '\0';
}

// Whether each line is one cell in quotes that holds the line's cells. A column of such texts has a name above.
bool have_quoted_lines(const std::vector<std::string_view>& lines) {
  const auto is = [](std::string_view line) {
    return is_quoted_line(line) || line.find_first_not_of("\r\n") == line.npos;
  };
  return lines.size() > 1 && is_quoted_line(lines.front()) && std::all_of(lines.begin(), lines.end(), is);
}

// Whether a serial monitor has put times and arrows before the lines.
bool have_arrows(const std::vector<std::string_view>& lines) {
  std::size_t with = 0;
  for (const std::string_view line : lines) {
    with += arrow_in(line) != line.npos ? 1U : 0U;
  }
  return with > 1 && 2 * with > lines.size();
}

std::string lines_text(std::uint64_t first, std::uint64_t last) {
  return first == last ? "line " + std::to_string(first)
                       : "lines " + std::to_string(first) + " to " + std::to_string(last);
}

// Finds names, units and the first row of data in rows that are split.
class Finder {
 public:
  Finder(const FirstRows& rows, const ToldLayout& told) : rows_(rows), told_(told) {}

  Layout find();
  std::uint64_t line_of_wider_table() const;
  bool has_told_names() const { return !told_.names.empty() && with_told_names() != kNone; }

 private:
  std::size_t cells_of(std::size_t row) const;
  bool is_empty(std::size_t row, std::size_t cell) const;
  std::size_t empties(std::size_t row) const;
  bool is_of_units(std::size_t row) const;
  std::size_t units_in(std::size_t row) const;
  bool has_twins(std::size_t row) const;
  bool may_name(std::size_t row) const;
  bool is_full_text(std::size_t row) const;
  bool has_full_names_above(std::size_t row) const;
  bool stands_under_names(std::size_t row) const;
  std::size_t data_between(std::size_t begin, std::size_t end) const;
  std::size_t first_data() const;
  bool has_names_before(std::size_t end) const;
  bool has_word_for_number(std::size_t row) const;
  bool looks_like_later_rows(std::size_t row) const;
  std::size_t with_told_names() const;
  void find_by_told_names(std::size_t names);
  void find_in_one_column();
  void find_names();
  void find_units();
  std::string name_of_arrow_times() const;
  void take_names();
  void take_widths();
  void say();

  const FirstRows& rows_;
  const ToldLayout& told_;
  std::size_t width_ = 0;
  std::size_t data_ = 0;       // the first row of data
  std::size_t names_ = kNone;  // the row with the names
  std::size_t units_ = kNone;  // the row with the units
  Layout layout_;
};

// Without empty ones at the end.
std::size_t Finder::cells_of(std::size_t row) const {
  std::size_t cells = rows_[row].row.size();
  while (cells != 0 && is_empty(row, cells - 1)) {
    --cells;
  }
  return cells;
}

bool Finder::is_empty(std::size_t row, std::size_t cell) const {
  return trimmed(rows_[row].row.cell(cell)).empty();
}

std::size_t Finder::empties(std::size_t row) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < cells_of(row); ++i) {
    count += is_empty(row, i) ? 1U : 0U;
  }
  return count;
}

// Half of the cells are units, or all are units, kinds and formats.
bool Finder::is_of_units(std::size_t row) const {
  std::size_t values = 0;
  std::size_t units = 0;
  std::size_t alike = 0;
  for (std::size_t i = 0; i < cells_of(row); ++i) {
    const std::string_view cell = rows_[row].row.cell(i);
    values += is_empty(row, i) ? 0U : 1U;
    units += is_unit(cell) ? 1U : 0U;
    alike += is_unit_like(cell) ? 1U : 0U;
  }
  return values != 0 && (2 * units >= values || alike == values);
}

std::size_t Finder::units_in(std::size_t row) const {
  std::size_t units = 0;
  for (std::size_t i = 0; i < cells_of(row); ++i) {
    units += is_unit(rows_[row].row.cell(i)) ? 1U : 0U;
  }
  return units;
}

bool Finder::has_twins(std::size_t row) const {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < cells_of(row); ++i) {
    if (!is_empty(row, i) && !seen.insert(trimmed(rows_[row].row.cell(i))).second) {
      return true;
    }
  }
  return false;
}

// A line of text with as many cells as the rows; a row may end in a delimiter that a header lacks.
bool Finder::may_name(std::size_t row) const {
  const std::size_t cells = rows_[row].row.size();
  const auto text = static_cast<std::size_t>(
      std::count(rows_[row].classes.begin(), rows_[row].classes.end(), CellClass::kText));
  const bool wide = cells >= width_ || (cells + 1 == width_ && rows_.classes().back() == CellClass::kNothing);
  return wide && cells_of(row) > 1 && text != 0 && 2 * text >= cells_of(row) - empties(row) &&
         3 * rows_.agreement(row).good <= rows_.agreement(row).bad;
}

bool Finder::is_full_text(std::size_t row) const {
  return may_name(row) && empties(row) == 0 && !is_of_units(row) && !has_twins(row) && !rows_[row].is_comment;
}

// Whether a line of text without gaps stands in the block of lines above that is as wide.
bool Finder::has_full_names_above(std::size_t row) const {
  for (std::size_t above = row; above != 0; --above) {
    const std::size_t i = above - 1;
    if (!may_name(i) || rows_[i].row.size() < width_) {
      return false;
    }
    if (is_full_text(i)) {
      return true;
    }
  }
  return false;
}

// Whether it is a line of units, each under a name: names such as T and H are letters of units, too.
bool Finder::stands_under_names(std::size_t row) const {
  if (!is_of_units(row)) {
    return false;
  }
  for (std::size_t above = row; above-- > 0;) {
    bool names_all = may_name(above);
    for (std::size_t i = 0; names_all && i < cells_of(row); ++i) {
      names_all = is_empty(row, i) || !is_empty(above, i) || is_form_of_date(trimmed(rows_[row].row.cell(i)));
    }
    if (names_all) {
      return true;
    }
  }
  return false;
}

std::size_t Finder::data_between(std::size_t begin, std::size_t end) const {
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    count += rows_.is_data(i) ? 1U : 0U;
  }
  return count;
}

bool Finder::has_names_before(std::size_t end) const {
  for (std::size_t i = 0; i < end; ++i) {
    if (may_name(i)) {
      return true;
    }
  }
  return false;
}

// The first row of the longest run of rows of data. A line of text that came before does not end a run: a logger that starts again
// writes its names again.
std::size_t Finder::first_data() const {
  constexpr std::size_t kFew = 3;
  std::set<std::string> seen;
  std::size_t begin = kNone;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool wide = rows_[i].row.size() >= layout_.least_cells;
    if (begin == kNone && wide && rows_.is_data(i)) {
      begin = i;
    }
    if (wide && rows_.is_text(i) && may_name(i) && seen.insert(key_of(rows_[i].row)).second &&
        begin != kNone && data_between(begin, i) < kFew &&
        data_between(i, rows_.size()) > data_between(begin, i)) {
      begin = kNone;
    }
  }
  if (begin == kNone) {
    return kNone;
  }
  while (begin > 1 && has_names_before(begin - 1) && rows_[begin - 1].row.size() == width_ &&
         !rows_[begin - 1].is_comment && rows_.agreement(begin - 1).good != 0 &&
         rows_.agreement(begin - 1).good >= rows_.agreement(begin - 1).bad) {
    --begin;  // a row with a bad cell
  }
  return begin;
}

std::vector<std::string> cells_of_row(const Row& row) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < row.size(); ++i) {
    cells.emplace_back(row.cell(i));
  }
  return cells;
}

// The row that has all the names of the file that is continued.
std::size_t Finder::with_told_names() const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::vector<std::string> names = distinct_names(cells_of_row(rows_[i].row));
    const std::set<std::string> found(names.begin(), names.end());
    if (std::all_of(told_.names.begin(), told_.names.end(),
                    [&](const std::string& name) { return found.count(name) != 0; })) {
      return i;
    }
  }
  return kNone;
}

void Finder::find_by_told_names(std::size_t names) {
  names_ = names;
  data_ = names + 1;
  while (data_ < rows_.size() && rows_[data_].row.size() == rows_[names].row.size() && is_of_units(data_)) {
    ++data_;
  }
}

// One column has no width that would tell lines of text from names.
void Finder::find_in_one_column() {
  data_ = 0;
  while (data_ < rows_.size() && rows_[data_].is_comment) {
    ++data_;
  }
  if (rows_.size() > 1 && data_ < rows_.size() && (rows_.is_data(data_) || looks_like_later_rows(data_))) {
    return;
  }
  names_ = data_ < rows_.size() ? data_ : 0;
  data_ = names_ + 1;
}

void Finder::find_names() {
  std::size_t fallback = kNone;
  for (std::size_t i = data_; i-- > 0 && names_ == kNone;) {
    if (!may_name(i)) {
      continue;
    }
    const bool above_is_better =
        ((empties(i) != 0 || has_twins(i)) && has_full_names_above(i)) ||
        (i != 0 && 3 * units_in(i) >= cells_of(i) && is_full_text(i - 1) && units_in(i - 1) == 0);
    if (stands_under_names(i) || above_is_better) {
      fallback = fallback == kNone ? i : fallback;
    } else {
      names_ = i;
    }
  }
  if (names_ == kNone || (fallback != kNone && rows_[names_].is_comment && !rows_[fallback].is_comment)) {
    names_ = fallback;
  }
  if (names_ == kNone && data_ != 0) {
    const std::size_t above = cells_of(data_ - 1);
    const bool close =
        above > 1 && above < width_ && 2 * above > width_ && rows_.agreement(data_ - 1).good == 0;
    const bool wide =
        rows_[data_ - 1].row.size() >= width_ && has_word_for_number(data_ - 1);  // "time", 1, 2, 3
    names_ = close || wide ? data_ - 1 : kNone;
  }
}

// Whether a cell begins with a letter where the column has numbers or times.
bool Finder::has_word_for_number(std::size_t row) const {
  for (std::size_t i = 0; i < rows_.width(); ++i) {
    const std::string_view cell = trimmed(rows_[row].row.cell(i));
    const bool typed = rows_.classes()[i] == CellClass::kNumber || rows_.classes()[i] == CellClass::kTime;
    if (typed && rows_[row].classes[i] == CellClass::kText &&
        static_cast<unsigned char>((cell.front() | 0x20) - 'a') < 26) {
      return true;
    }
  }
  return false;
}

// "t=0" for "t=17": digits stand where they do in other rows.
std::string shape_of(std::string_view text) {
  std::string shape;
  for (const char c : trimmed(text)) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit || shape.empty() || shape.back() != '9') {
      shape.push_back(digit ? '9' : c);
    }
  }
  return shape;
}

// Where all is text, whether a row has a cell with digits that has the shape of most cells in its column.
bool Finder::looks_like_later_rows(std::size_t row) const {
  for (std::size_t i = 0; i < rows_.width(); ++i) {
    const std::string shape = shape_of(rows_[row].row.cell(i));
    std::size_t alike = 0;
    std::size_t others = 0;
    for (std::size_t other = row + 1; other < rows_.size() && shape.find('9') != shape.npos; ++other) {
      ++(shape_of(rows_[other].row.cell(i)) == shape ? alike : others);
    }
    if (alike > others) {
      return true;
    }
  }
  return false;
}

void Finder::find_units() {
  if (names_ == kNone) {
    return;
  }
  for (std::size_t i = names_ + 1; i < data_ && units_ == kNone; ++i) {
    const std::size_t units = units_in(i);
    units_ = rows_[i].row.size() > 1 && 3 * units >= cells_of(i) - empties(i) && units != 0 ? i : kNone;
  }
  if (units_ == kNone && names_ != 0 && cells_of(names_ - 1) > 1 && may_name(names_ - 1) &&
      is_of_units(names_ - 1)) {
    units_ = names_ - 1;
  }
}

// "# time" is called time.
std::string without_comment_mark(std::string_view name) {
  const std::size_t begin = name.find_first_not_of("#!/ \t");
  return begin == name.npos ? std::string(name) : std::string(name.substr(begin));
}

// A name for the times of a serial monitor that no other column has.
std::string Finder::name_of_arrow_times() const {
  const auto is_taken = [&](std::string_view name) {
    return std::any_of(layout_.names.begin(), layout_.names.end(),
                       [&](const std::string& other) { return trimmed(other) == name; });
  };
  return is_taken("time") ? "received" : "time";
}

void Finder::take_names() {
  layout_.has_header = names_ != kNone;
  if (layout_.has_header) {
    layout_.names = cells_of_row(rows_[names_].row);
    layout_.names_line = rows_[names_].row.line();
    if (rows_[names_].is_comment) {
      layout_.names.front() = without_comment_mark(layout_.names.front());
    }
    if (layout_.dialect.has_arrows && class_of(layout_.names.front()) == CellClass::kTime) {
      layout_.names.front() = name_of_arrow_times();
    }
    if (layout_.names.size() == width_ + 1 && trimmed(layout_.names.front()) == "#") {  // "# time temp"
      layout_.names.erase(layout_.names.begin());
    }
  } else {
    layout_.names.resize(width_);
  }
  if (!layout_.has_header && told_.names.size() == width_) {
    layout_.names = told_.names;
  }
  const auto always_empty = [&](std::size_t cell) {
    for (std::size_t i = data_; i < rows_.size(); ++i) {
      if (cell < rows_[i].row.size() && rows_[i].row.size() <= layout_.names.size() && !is_empty(i, cell)) {
        return false;
      }
    }
    return true;
  };
  while (layout_.has_header && layout_.names.size() > 1 && trimmed(layout_.names.back()).empty() &&
         always_empty(layout_.names.size() - 1)) {
    layout_.names.pop_back();
  }
}

// The least that rows have, where a fifth of them end before the names do; and what they have beyond the names.
void Finder::take_widths() {
  constexpr std::size_t kSome = 3;
  const std::size_t names = layout_.names.size();
  std::map<std::size_t, std::size_t> counts;
  std::size_t rows = 0;
  for (std::size_t i = data_; i < rows_.size(); ++i) {
    const std::size_t cells =
        rows_[i].row.size() <= names ? rows_[i].row.size() : std::max(cells_of(i), names);
    ++counts[cells];
    ++rows;
  }
  layout_.least_cells = names;
  layout_.last_is_never_empty = data_ < rows_.size();
  for (std::size_t i = data_; i < rows_.size(); ++i) {
    const bool cut = i + 1 == rows_.size() && !rows_[i].row.is_whole();
    layout_.last_is_never_empty =
        layout_.last_is_never_empty && (cut || rows_[i].row.size() != names || !is_empty(i, names - 1));
  }
  const auto unnamed = [&](std::size_t cells) {
    layout_.names.insert(
        told_.extra == ToldLayout::Extra::kFirst ? layout_.names.begin() : layout_.names.end(), cells - names,
        std::string());
    layout_.least_cells = cells;
  };
  for (const auto& [cells, count] : counts) {
    if (cells < names && 5 * count >= rows && count >= kSome) {
      layout_.least_cells = std::min(layout_.least_cells, cells);
    }
    if (cells > names && 2 * count >= rows && layout_.has_header) {
      layout_.extra_cells = cells - names;
    }
  }
  if (layout_.extra_cells != 0 && told_.extra != ToldLayout::Extra::kAsk) {
    unnamed(names + layout_.extra_cells);
    layout_.extra_cells = 0;
  }
}

Layout Finder::find() {
  layout_.dialect = rows_.dialect();
  width_ = rows_.width();
  const std::size_t told_names = told_.names.empty() ? kNone : with_told_names();
  const std::size_t begin = rows_.has_typed_columns() ? first_data() : kNone;
  if (told_.names_first || rows_.size() == 0) {
    names_ = 0;
    data_ = told_.units_row ? 2 : 1;
    units_ = told_.units_row ? 1 : kNone;
  } else if (told_names != kNone) {
    find_by_told_names(told_names);
  } else if (told_.no_header) {
    data_ = 0;
  } else if (width_ == 1) {
    find_in_one_column();
  } else if (begin != kNone) {
    data_ = begin;
    find_names();
    find_units();
  } else {
    for (names_ = 0; names_ + 1 < rows_.size() && rows_[names_].row.size() < width_;) {
      ++names_;
    }
    const bool is_row = looks_like_later_rows(names_);
    data_ = is_row ? names_ : names_ + 1;
    names_ = is_row ? kNone : names_;
  }
  data_ = std::min(data_, rows_.size());
  if (rows_.size() == 0) {
    return layout_;
  }
  take_names();
  take_widths();
  say();
  return layout_;
}

// The line with the names of a wider table that stands below rows of a narrower one; 0: there is none.
std::uint64_t Finder::line_of_wider_table() const {
  constexpr std::size_t kFew = 3;
  for (std::size_t i = data_ + 1; i + kFew < rows_.size(); ++i) {
    const bool is_wider =
        rows_[i].row.size() == width_ && rows_[i - 1].row.size() < width_ && is_full_text(i);
    if (is_wider && data_between(i + 1, i + 1 + kFew) == kFew) {
      return rows_[i].row.line();
    }
  }
  return 0;
}

void Finder::say() {
  layout_.rows_before = data_;
  layout_.data_line = data_ < rows_.size() ? rows_[data_].row.line() : 0;
  layout_.classes = rows_.classes();
  layout_.classes.resize(layout_.names.size(), CellClass::kNothing);
  for (std::size_t i = 0; i < data_; ++i) {
    layout_.heading.push_back(key_of(rows_[i].row));
  }
  if (units_ != kNone && units_ < rows_.size()) {
    layout_.units = cells_of_row(rows_[units_].row);
    layout_.units_line = rows_[units_].row.line();
  }
  std::vector<std::string>& why = layout_.why;
  if (layout_.names.size() > 1) {
    why.push_back("cells stand between " + name_of_delimiter(layout_.dialect) + ": " +
                  std::to_string(data_between(data_, rows_.size())) + " of the first " +
                  std::to_string(rows_.size()) + " lines have " + std::to_string(width_) +
                  " each, of one kind a column");
  }
  const std::size_t top = names_ != kNone ? names_ : data_;
  layout_.passed_over = top;
  for (std::size_t i = 0; i < top && width_ > 1 && names_ != kNone; ++i) {
    const std::string_view first = trimmed(rows_[i].row.cell(0));
    layout_.rivals += rows_[i].row.size() == rows_[names_].row.size() && is_full_text(i) && !first.empty() &&
                              first.back() != ':'
                          ? 1U
                          : 0U;
  }
  if (top != 0) {
    why.push_back(lines_text(rows_[0].row.line(), rows_[top - 1].row.line()) +
                  ": passed over, they stand above the " + (names_ != kNone ? "names" : "rows"));
  }
  if (layout_.dialect.quoted_lines) {
    why.push_back("each line stands in quotes, which are taken off");
  }
  if (layout_.dialect.has_arrows) {
    why.push_back(
        "a time and an arrow stand before each line, as a serial monitor puts them: the time is a column");
  }
  if (names_ != kNone) {
    why.push_back("line " + std::to_string(layout_.names_line) + ": the names, " +
                  (names_ + 1 < data_ ? "above the units" : "right above the rows"));
  } else {
    why.push_back("there are no names: the first row has what the columns have");
  }
  if (layout_.units_line != 0) {
    why.push_back("line " + std::to_string(layout_.units_line) + ": the units");
  }
  if (layout_.data_line != 0) {
    why.push_back("line " + std::to_string(layout_.data_line) + ": the first row");
  }
}

// Spaces part cells only where the names are parted by them, too, or where there are three columns or more.
bool may_be_spaces(const FirstRows& rows, const ToldLayout& told) {
  if (rows.score() == 0 || !rows.has_typed_columns()) {
    return false;
  }
  std::size_t typed = 0;
  for (const CellClass kind : rows.classes()) {
    typed += kind != CellClass::kText ? 1U : 0U;
  }
  const Layout layout = Finder(rows, told).find();
  return 10 * typed >= 7 * rows.width() && layout.names.size() == rows.width() && layout.extra_cells == 0 &&
         (layout.has_header || rows.width() > 2);
}

FirstRows best_split(const std::vector<std::string_view>& lines, const std::string& path,
                     const ToldLayout& told) {
  constexpr double kLessForSpaces = 0.9;
  constexpr double kLessForTwo = 0.85;
  Dialect dialect = told.dialect;
  dialect.delimiter = ',';
  dialect.spaces = 1;
  FirstRows best(lines, path, dialect);
  double most = best.score();
  bool named = Finder(best, told).has_told_names();  // it has the names of the file that is continued
  const auto look = [&](char delimiter, std::size_t spaces, double part) {
    if (named) {
      return;
    }
    dialect.delimiter = delimiter;
    dialect.spaces = spaces;
    FirstRows rows(lines, path, dialect);
    const double score = part * rows.score();
    named = Finder(rows, told).has_told_names();
    if (named || (score > most && (delimiter != ' ' || may_be_spaces(rows, told)))) {
      best = std::move(rows);
      most = score;
    }
  };
  for (const char delimiter : {';', '\t', '|'}) {
    look(delimiter, 1, 1);
  }
  look(' ', 1, kLessForSpaces);
  look(' ', 2, kLessForTwo);
  return best;
}

}  // namespace

Layout find_layout(const std::vector<std::string_view>& lines, const std::string& path,
                   const ToldLayout& told) {
  ToldLayout known = told;
  const char by_line = told.delimiter_told ? '\0' : told_by_sep_line(lines);
  if (by_line != '\0') {
    known.dialect.delimiter = by_line;
    known.dialect.skipped_lines = std::max(known.dialect.skipped_lines, known.dialect.lines_before + 1);
  }
  known.dialect.quoted_lines = have_quoted_lines(lines);
  known.dialect.has_arrows = have_arrows(lines);
  FirstRows rows = told.delimiter_told || by_line != '\0' ? FirstRows(lines, path, known.dialect)
                                                          : best_split(lines, path, known);
  if (rows.width() == 1 && !rows.dialect().one_column) {
    Dialect dialect = rows.dialect();
    dialect.one_column = rows.dialect().delimiter != ' ';
    dialect.delimiter = told.delimiter_told ? dialect.delimiter : ',';
    rows = FirstRows(lines, path, dialect);
  }
  Finder finder(rows, known);
  Layout layout = finder.find();
  const std::uint64_t wider = layout.extra_cells != 0 ? finder.line_of_wider_table() : 0;
  if (wider > 1 && wider <= lines.size()) {  // what stands above it is a table of its own
    const auto end = lines.begin() + static_cast<std::ptrdiff_t>(wider - 1);
    return find_layout(std::vector<std::string_view>(lines.begin(), end), path, told);
  }
  return layout;
}

std::vector<std::string> distinct_names(const std::vector<std::string>& written) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& name : written) {
    taken.insert(std::string(trimmed(name)));
  }
  std::set<std::string> given;
  for (std::size_t i = 0; i < written.size(); ++i) {
    std::string name(trimmed(written[i]));
    name = name.empty() ? "column_" + std::to_string(i + 1) : name;
    const bool made = trimmed(written[i]).empty();
    std::string distinct = name;
    for (int number = 2; (made && taken.count(distinct) != 0) || given.count(distinct) != 0 ||
                         (number > 2 && taken.count(distinct) != 0);
         ++number) {
      distinct = name + "_" + std::to_string(number);
    }
    given.insert(distinct);
    names.push_back(distinct);
  }
  return names;
}

}  // namespace csv_log
