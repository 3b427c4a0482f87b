// Rows of a file, all or those that a condition is true of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "microparquet/filter.h"
#include "microparquet/page_index.h"
#include "microparquet/row_ranges.h"
#include "nested_cells.h"
#include "parquet_file.h"
#include "physical_values.h"
#include "predicate.h"
#include "row_printer.h"
#include "where_parser.h"

namespace mpq_tool {

// Ascending and apart from each other.
using Ranges = std::vector<microparquet::RowRange>;

// Says which rows of a row group can match, by what the file says of row groups and pages. All calls throw Failure.
class RowChoice {
 public:
  // `file` and `predicate` must stay.
  RowChoice(ParquetFile& file, const Predicate& predicate);

  // Rows of the reader's row group that can match.
  Ranges possible_rows() { return possible_rows(predicate_); }

 private:
  void add_orders(const Predicate& predicate);
  Ranges possible_rows(const Predicate& predicate);
  Ranges possible_rows(const ColumnTest& test);
  bool row_group_may_hold(const ColumnTest& test, bool& nans);
  bool bloom_filter_may_hold(const ColumnTest& test);
  Ranges rows_of_pages(const ColumnTest& test, bool nans);
  bool read_pages(microparquet::PageIndex& pages, std::uint32_t column);

  ParquetFile& file_;
  const Predicate& predicate_;
  std::map<std::uint32_t, microparquet::ColumnRange> orders_;  // order of each column that is asked
  std::vector<std::byte> bounds_;
  std::vector<std::uint64_t> index_;  // memory of a page index
};

// Goes from one matching row to the next.
class MatchingRows {
 public:
  // The columns that the predicate asks have been chosen. `file` and `predicate` must stay.
  MatchingRows(ParquetFile& file, const Predicate& predicate)
      : file_(file), predicate_(predicate), choice_(file, predicate) {}

  // False after the last one. The reader's cells show it.
  bool next();

 private:
  bool next_possible();

  ParquetFile& file_;
  const Predicate& predicate_;
  RowChoice choice_;
  Ranges ranges_;                  // ranges in the current row group
  std::size_t range_ = 0;          // the current one
  std::uint64_t row_ = 0;          // the next one, in the row group
  std::uint64_t group_begin_ = 0;  // the row group's first row in the file
  std::uint32_t row_group_ = 0;    // the next one
};

// Throws Failure as ParquetFile does.
class RowSource {
 public:
  // Chooses `leaves` of `file`, which must stay, and what the condition asks, which `text` says; no condition: null.
  // Whether a leaf is a printed column, or several are one, depends on how they are printed.
  RowSource(ParquetFile& file, const std::vector<Column>& leaves, RowStyle style,
            const Condition* condition = nullptr, const std::string& text = {});
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

  // Columns that are printed.
  const std::vector<Column>& columns() const { return columns_; }

  // Passes the first `rows` rows. Requires: there are more, and no row has been read.
  void pass_rows(std::uint64_t rows);
  // Goes to the next row. False: there is none.
  bool next();
  // Has that row printed. `printer` was made for columns().
  void print(RowPrinter& printer) const;

 private:
  ParquetFile& file_;
  std::vector<Column> columns_;
  std::optional<PhysicalValues> physical_;
  std::optional<Predicate> predicate_;
  std::optional<MatchingRows> matching_;  // rows of flat columns
  std::unique_ptr<NestedRows> nested_;    // none: the columns are flat
};

}  // namespace mpq_tool
