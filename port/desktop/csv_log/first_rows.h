// The first rows of an input, split in one way, and what their cells look like.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cell_class.h"
#include "csv_reader.h"
#include "dialect.h"

namespace csv_log {

struct FirstRow {
  Row row;
  std::vector<CellClass> classes;  // of its cells
  bool is_comment = false;         // begins as comments do
};

// How the cells of a row agree with the columns.
struct Agreement {
  std::size_t good = 0;  // cells of their column's class
  std::size_t bad = 0;   // cells of another
};

class FirstRows {
 public:
  FirstRows(const std::vector<std::string_view>& lines, const std::string& path, const Dialect& dialect);

  const std::vector<FirstRow>& rows() const { return rows_; }
  const FirstRow& operator[](std::size_t index) const { return rows_[index]; }
  std::size_t size() const { return rows_.size(); }
  const Dialect& dialect() const { return dialect_; }

  // The number of cells that most rows have, of those with two or more; 1: most have one.
  std::size_t width() const { return width_; }
  // The classes of the columns of that many cells: those of most cells in the later rows.
  const std::vector<CellClass>& classes() const { return classes_; }
  bool has_typed_columns() const;
  // How much speaks for this way of splitting; 0: nothing does.
  double score() const { return score_; }

  Agreement agreement(std::size_t row) const;
  // Whether the row has a cell of its column's class, and none of another.
  bool is_data(std::size_t row) const;
  // Whether the row has text where columns have something else, and nothing else there.
  bool is_text(std::size_t row) const;

 private:
  void find_width();
  void find_classes();
  void find_classes(std::size_t from);
  double typed_share() const;

  Dialect dialect_;
  std::vector<FirstRow> rows_;
  std::size_t width_ = 1;
  std::size_t rows_of_width_ = 0;
  std::vector<CellClass> classes_;
  double score_ = 0;
};

}  // namespace csv_log
