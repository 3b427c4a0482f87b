#include "first_rows.h"

#include <algorithm>
#include <array>
#include <map>

#include "cell.h"

namespace csv_log {

namespace {

constexpr std::size_t kMostCellsLookedAt =
    200'000;  // so that tables of many columns cost no more than others
constexpr std::size_t kClasses = 5;

// "# a comment"; a column may be called "#".
bool begins_as_comment(std::string_view first_cell) {
  const std::string_view text = trimmed(first_cell);
  return text.size() > 1 &&
         (std::string_view("#!").find(text.front()) != text.npos || text.substr(0, 2) == "//");
}

// Whether the cells from `from` on are text, and there are such.
bool is_all_text(const std::vector<CellClass>& classes, std::size_t from) {
  return classes.size() > from &&
         std::all_of(classes.begin() + static_cast<std::ptrdiff_t>(from), classes.end(),
                     [](CellClass kind) { return kind == CellClass::kText; });
}

}  // namespace

FirstRows::FirstRows(const std::vector<std::string_view>& lines, const std::string& path,
                     const Dialect& dialect)
    : dialect_(dialect) {
  ShownLines shown(lines, path);
  CsvReader reader(shown, dialect);
  FirstRow first;
  std::size_t cells = 0;
  while (cells < kMostCellsLookedAt && reader.next(first.row) == ReadResult::kRow) {
    first.classes.clear();
    first.is_comment = begins_as_comment(first.row.cell(0));
    cells += first.row.size();
    rows_.push_back(first);
  }
  const auto comments = static_cast<std::size_t>(
      std::count_if(rows_.begin(), rows_.end(), [](const FirstRow& row) { return row.is_comment; }));
  if (2 * comments > rows_.size()) {  // it is what rows begin with
    for (FirstRow& row : rows_) {
      row.is_comment = false;
    }
  }
  find_width();
  for (FirstRow& row : rows_) {
    for (std::size_t i = 0; i < row.row.size(); ++i) {
      row.classes.push_back(class_of(row.row.cell(i)));
    }
    if (dialect.has_arrows && is_all_text(row.classes, 1)) {
      row.classes.front() = CellClass::kText;  // names have a time before them, too
    }
  }
  find_classes();
  const double typed = typed_share();
  const bool few_but_typed = typed >= 0.3 && rows_of_width_ >= 3 && 10 * rows_of_width_ >= rows_.size();
  if (width_ > 1 && (few_but_typed || 2 * rows_of_width_ >= rows_.size())) {
    score_ = static_cast<double>(rows_of_width_) * (0.25 + typed);
  } else {
    width_ = 1;
    find_classes();
  }
}

void FirstRows::find_width() {
  std::map<std::size_t, std::size_t> counts;
  for (const FirstRow& row : rows_) {
    if (row.row.size() > 1 && !row.is_comment) {
      ++counts[row.row.size()];
    }
  }
  for (const auto& [width, count] : counts) {
    if (count >= rows_of_width_) {
      width_ = width;
      rows_of_width_ = count;
    }
  }
}

void FirstRows::find_classes() {
  std::vector<std::size_t> of_width;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].row.size() == width_ && !rows_[i].is_comment) {
      of_width.push_back(i);
    }
  }
  find_classes(of_width.empty() ? 0 : of_width[of_width.size() / 2]);
  if (!has_typed_columns() && !of_width.empty()) {
    find_classes(of_width.back());
  }
}

// By the rows of the usual width from the row `from` on.
void FirstRows::find_classes(std::size_t from) {
  std::vector<std::array<std::size_t, kClasses>> counts(width_);
  for (std::size_t i = from; i < rows_.size(); ++i) {
    if (rows_[i].row.size() == width_ && !rows_[i].is_comment) {
      for (std::size_t column = 0; column < width_; ++column) {
        ++counts[column][static_cast<std::size_t>(rows_[i].classes[column])];
      }
    }
  }
  classes_.assign(width_, CellClass::kText);
  for (std::size_t column = 0; column < width_; ++column) {
    std::size_t values = 0;
    for (const CellClass kind : {CellClass::kNumber, CellClass::kTime, CellClass::kBool, CellClass::kText}) {
      values += counts[column][static_cast<std::size_t>(kind)];
    }
    classes_[column] = values == 0 ? CellClass::kNothing : CellClass::kText;
    for (const CellClass kind : {CellClass::kNumber, CellClass::kTime, CellClass::kBool}) {
      if (10 * counts[column][static_cast<std::size_t>(kind)] >= 7 * values && values != 0) {
        classes_[column] = kind;
      }
    }
  }
}

bool FirstRows::has_typed_columns() const {
  return std::any_of(classes_.begin(), classes_.end(), [](CellClass kind) {
    return kind == CellClass::kNumber || kind == CellClass::kTime || kind == CellClass::kBool;
  });
}

// Of the cells with a value, in rows of the usual width but the first.
double FirstRows::typed_share() const {
  std::size_t typed = 0;
  std::size_t values = 0;
  bool first = rows_of_width_ > 1;
  for (const FirstRow& row : rows_) {
    if (row.row.size() != width_ || row.is_comment) {
      continue;
    }
    for (const CellClass kind : row.classes) {
      values += !first && kind != CellClass::kNothing ? 1U : 0U;
      typed += !first && kind != CellClass::kNothing && kind != CellClass::kText ? 1U : 0U;
    }
    first = false;
  }
  return values == 0 ? 0 : static_cast<double>(typed) / static_cast<double>(values);
}

Agreement FirstRows::agreement(std::size_t row) const {
  Agreement found;
  const std::vector<CellClass>& cells = rows_[row].classes;
  for (std::size_t i = 0; i < std::min(cells.size(), classes_.size()); ++i) {
    if (classes_[i] != CellClass::kText && classes_[i] != CellClass::kNothing &&
        cells[i] != CellClass::kNothing) {
      ++(cells[i] == classes_[i] ? found.good : found.bad);
    }
  }
  return found;
}

bool FirstRows::is_data(std::size_t row) const {
  const Agreement found = agreement(row);
  return found.good != 0 && found.bad == 0 && !rows_[row].is_comment;
}

bool FirstRows::is_text(std::size_t row) const {
  const Agreement found = agreement(row);
  return found.good == 0 && found.bad != 0;
}

}  // namespace csv_log
