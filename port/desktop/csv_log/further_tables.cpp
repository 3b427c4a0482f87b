#include "further_tables.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

#include "cell.h"
#include "cell_class.h"
#include "csv_reader.h"

namespace csv_log {

namespace {

constexpr std::size_t kMostTables = 50;
constexpr std::size_t kMostLooks = 1'000;  // for names: a file may have any number of hurt lines
constexpr std::size_t kLines = 16;         // that show a table
constexpr std::size_t kLeastRows = 3;

// Whether a row fits into the table of `layout`, by its width and its numbers and times.
bool fits(const Row& row, const Layout& layout) {
  if (row.size() < layout.least_cells || row.size() > layout.names.size()) {
    return false;
  }
  std::size_t bad = 0;
  for (std::size_t i = 0; i < std::min(row.size(), layout.classes.size()); ++i) {
    const CellClass expected = layout.classes[i];
    const CellClass found = class_of(row.cell(i));
    const bool tells = expected != CellClass::kText && expected != CellClass::kNothing;
    if (tells && found == expected) {
      return true;
    }
    bad += tells && found != CellClass::kNothing ? 1U : 0U;
  }
  return bad < 2;
}

// Whether names are those of the table, or were until a few characters were lost.
bool are_names_of(const Layout& layout, const std::vector<std::string>& names) {
  if (names.size() != layout.names.size()) {
    return false;
  }
  std::size_t same = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    same += trimmed(names[i]) == trimmed(layout.names[i]) ? 1U : 0U;
  }
  return 2 * same >= names.size();
}

class TableFinder {
 public:
  TableFinder(const Layout& layout, const Settings& settings) : settings_(settings), layout_(layout) {
    tables_.push_back({settings.part, layout.names_line, layout.names});
  }

  std::vector<FoundTable> run() {
    FilePart rest = settings_.part;
    while (tables_.size() < kMostTables && find_next(rest)) {
      tables_.back().part.end_byte = rest.begin_byte;
      Layout next;
      if (!has_table(rest, next)) {
        break;  // cannot be: it was just there
      }
      layout_ = next;
      tables_.push_back({rest, layout_.names_line, layout_.names});
    }
    return tables_;
  }

 private:
  // Goes to the begin of the next table in what is left of the file. False: there is none.
  bool find_next(FilePart& rest) {
    LineSource source(settings_.input);
    prepare(source, rest);
    Dialect dialect = layout_.dialect;
    dialect.lines_before = rest.lines_before;
    CsvReader reader(source, dialect);
    Row row;
    bool was_bad = false;
    bool has_rows = false;
    std::size_t in_heading = layout_.rows_before;
    FilePart at = rest;
    const std::uint64_t begin = rest.begin_byte;
    while (reader.next(row) == ReadResult::kRow) {
      const bool is_bad = in_heading == 0 && !fits(row, layout_);
      in_heading -= in_heading == 0 ? 0 : 1;
      Layout next;
      if (is_bad && has_rows && (!was_bad || has_names(row)) && looks_ < kMostLooks && has_table(at, next)) {
        rest = at;
        return true;
      }
      was_bad = is_bad;
      has_rows = has_rows || (in_heading == 0 && !is_bad);
      at.begin_byte = begin + source.bytes_given();
      at.lines_before = reader.lines_read();
    }
    return false;
  }

  static bool has_names(const Row& row) {
    std::size_t names = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      names += class_of(row.cell(i)) == CellClass::kText ? 1U : 0U;
    }
    return names > 1 && 2 * names > row.size();
  }

  // Whether a table with names of its own begins there, lines of text in front of them included.
  bool has_table(const FilePart& part, Layout& next) {
    ++looks_;
    LineSource source(settings_.input);
    prepare(source, part);
    const std::vector<std::string_view> lines = source.peek(kLines, std::chrono::milliseconds(0));
    ToldLayout told;
    told.dialect = settings_.dialect;
    told.dialect.lines_before = part.lines_before;
    told.delimiter_told = settings_.delimiter_told;
    try {
      next = find_layout(lines, settings_.input, told);
    } catch (const Failure&) {
      return false;
    }
    const bool typed = std::any_of(next.classes.begin(), next.classes.end(), [](CellClass each) {
      return each != CellClass::kText && each != CellClass::kNothing;
    });
    return next.has_header && next.names.size() > 1 && typed && next.extra_cells == 0 &&
           rows_in(lines, next) >= kLeastRows && !are_names_of(layout_, next.names) &&
           begins_with_it(lines, next);
  }

  std::size_t rows_in(const std::vector<std::string_view>& lines, const Layout& next) const {
    ShownLines shown(lines, settings_.input);
    CsvReader reader(shown, next.dialect);
    Row row;
    std::size_t rows = 0;
    for (std::size_t number = 0; reader.next(row) == ReadResult::kRow; ++number) {
      rows += number >= next.rows_before && row.size() == next.names.size() && fits(row, next) ? 1U : 0U;
    }
    return rows;
  }

  // No row of the table before stands in front of the names.
  bool begins_with_it(const std::vector<std::string_view>& lines, const Layout& next) const {
    ShownLines shown(lines, settings_.input);
    Dialect dialect = layout_.dialect;
    dialect.lines_before = next.dialect.lines_before;
    CsvReader reader(shown, dialect);
    Row row;
    while (reader.next(row) == ReadResult::kRow && row.line() < next.names_line) {
      if (fits(row, layout_)) {
        return false;
      }
    }
    return true;
  }

  void prepare(LineSource& source, const FilePart& part) const {
    if (settings_.latin1) {
      source.take_latin1();
    }
    source.take_part(part);
  }

  const Settings& settings_;
  Layout layout_;  // of the last table found
  std::vector<FoundTable> tables_;
  std::size_t looks_ = 0;
};

}  // namespace

std::vector<FoundTable> find_tables(const Layout& layout, const Settings& settings) {
  return TableFinder(layout, settings).run();
}

}  // namespace csv_log
