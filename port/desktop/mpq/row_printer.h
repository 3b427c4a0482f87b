// Rows in the formats that mpq prints, and text in aligned columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "output.h"
#include "parquet_file.h"
#include "physical_values.h"

namespace mpq_tool {

// Text in aligned columns.
class Table {
 public:
  enum class Align : unsigned char { kLeft, kRight };

  // Adds a column at least `width` wide.
  void add_column(std::string title, Align align, std::size_t width = 0);
  // A cell for each column.
  void add_row(std::vector<std::string> cells);

  // Prints the table, each line after `indent` spaces. `width` is that of the terminal, 0 for no limit:
  // columns that have no place in it are left out, and the first is cut where it has none. Returns how many
  // were left out.
  std::size_t print(Output& output, std::size_t indent, std::size_t width);

  // Prints the titles of a table too long to be kept, and returns as above; print_row() then prints each row
  // at once. Cells wider than their column are shortened.
  std::size_t begin(Output& output, std::size_t indent, std::size_t width);
  void print_row(Output& output, const std::vector<std::string>& cells) const;

 private:
  struct Column {
    std::string title;
    Align align;
    std::size_t width;
  };
  std::size_t columns_within(std::size_t width, std::size_t indent) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::size_t indent_ = 0;
  std::vector<std::size_t> widths_;  // widths of the printed columns
};

// The text of a cell; none: null.
using CellText = std::optional<std::string>;

// Takes rows one after another.
class RowPrinter {
 public:
  virtual ~RowPrinter() = default;
  virtual void begin() = 0;
  virtual void row(const RowView& row) = 0;
  // A row that is text already, for JSON as JSON.
  virtual void cells(const std::vector<CellText>& cells) = 0;
  virtual void end() = 0;
};

// Comma-separated values (RFC 4180) after a line of names. A null is an empty cell, an empty string one of
// two quotes.
class CsvPrinter final : public RowPrinter {
 public:
  CsvPrinter(const std::vector<Column>& columns, Output& output) : columns_(columns), output_(output) {}
  void begin() override;
  void row(const RowView& row) override;
  void cells(const std::vector<CellText>& cells) override;
  void end() override {}

 private:
  const std::vector<Column>& columns_;
  Output& output_;
  std::string line_;
};

// An object a line, which a terminal shows as it is. Of columns of one name the later ones get a number.
class JsonPrinter final : public RowPrinter {
 public:
  JsonPrinter(const std::vector<Column>& columns, Output& output);
  void begin() override {}
  void row(const RowView& row) override;
  void cells(const std::vector<CellText>& cells) override;
  void end() override {}

 private:
  const std::vector<Column>& columns_;
  Output& output_;
  std::vector<std::string> names_;  // names as JSON strings, with the colon
  std::string line_;
};

// Aligned columns in a terminal, of rows that come for ever: the head is always on the screen.
class LivePrinter final : public RowPrinter {
 public:
  LivePrinter(const std::vector<Column>& columns, Output& output);
  void begin() override;
  void row(const RowView& row) override;
  void cells(const std::vector<CellText>& cells) override;
  void end() override {}

 private:
  void print(const std::vector<std::string>& cells);

  const std::vector<Column>& columns_;
  Output& output_;
  Table table_;
  bool has_head_ = false;
  std::size_t below_head_ = 0;  // rows
};

// Aligned columns, for people. Keeps all rows until the end.
class TablePrinter final : public RowPrinter {
 public:
  TablePrinter(const std::vector<Column>& columns, Output& output) : columns_(columns), output_(output) {}
  void begin() override {}
  void row(const RowView& row) override;
  void cells(const std::vector<CellText>& cells) override;
  void end() override;

 private:
  const std::vector<Column>& columns_;
  Output& output_;
  std::vector<std::vector<std::string>> rows_;
};

// `columns` and `output` must stay.
std::unique_ptr<RowPrinter> make_row_printer(RowFormat format, const std::vector<Column>& columns,
                                             Output& output);

}  // namespace mpq_tool
