// Rows of a file, of flat columns and of nested ones, all or those that a condition is true of.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "condition.h"
#include "matching_rows.h"
#include "nested_rows.h"
#include "parquet_file.h"
#include "predicate.h"
#include "row_printer.h"

namespace mpq_tool {

// Throws Failure as ParquetFile does.
class RowSource {
 public:
  // Chooses `leaves` of `file`, which must stay, and what the condition asks, which `text` says; no condition: null.
  // Whether a leaf is a printed column, or several are one, depends on how they are printed.
  RowSource(ParquetFile& file, const std::vector<Column>& leaves, RowStyle style,
            const Condition* condition = nullptr, const std::string& text = {});
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

  // What is printed.
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
  std::optional<Predicate> predicate_;
  std::optional<MatchingRows> matching_;  // of flat columns
  std::unique_ptr<NestedRows> nested_;    // none: the columns are flat
};

}  // namespace mpq_tool
