// Rows of a CSV file (RFC 4180), one after another.
#pragma once

#include <csv.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "dialect.h"
#include "line_source.h"

namespace csv_log {

// A row and the text of its cells. Copy it to keep it.
class Row {
 public:
  // The line of the file it begins on, from 1: a cell in quotes may hold further lines.
  std::uint64_t line() const { return line_; }
  std::size_t size() const { return ends_.size(); }
  // Without quotes. Valid until the row changes.
  std::string_view cell(std::size_t index) const;

 private:
  friend class CsvReader;
  std::uint64_t line_ = 0;
  std::string text_;               // of all cells, one after another
  std::vector<std::size_t> ends_;  // of each in text_
  std::size_t between_ = 0;        // bytes of text_ between two cells
};

enum class ReadResult : std::uint8_t {
  kRow,
  kEnd,
  kUnclosedQuote,  // the file ended inside quotes, which began on row.line()
  kFailed,         // error() says why
};

// Empty lines between rows are passed over, unless the file has one column: there they are empty cells. A
// byte order mark of UTF-8 is no part of the first cell.
class CsvReader {
 public:
  // `lines` is the caller's, and must stay.
  CsvReader(LineSource& lines, Dialect dialect);
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;
  ~CsvReader();

  // On anything but kRow the content of `row` is of no use, but for its line. Throws Failure when the file is
  // of another kind, such as a compressed one.
  ReadResult next(Row& row);

  // errno of the read that failed.
  int error() const { return lines_.error(); }

  // Taken from the file so far.
  std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  ReadResult read_line(Row& row, bool& filled);
  bool split(std::string_view line, Row& row);
  void check_kind(std::string_view first_line) const;
  ReadResult end_of_file();
  void parse(std::string_view text);
  void take_cell(std::string_view text);
  void take_row();
  static void on_cell(void* text, std::size_t bytes, void* reader);
  static void on_row(int terminator, void* reader);

  LineSource& lines_;
  const Dialect dialect_;
  csv_parser parser_ = {};
  std::uint64_t line_ = 0;  // of the line read last
  std::uint64_t bytes_read_ = 0;
  std::size_t columns_ = 0;            // of the first row; 0 before it
  bool inside_row_ = false;            // the last line ended inside quotes
  ReadResult end_ = ReadResult::kRow;  // what comes after the rows in ready_
  Row building_;
  std::deque<Row> ready_;
};

}  // namespace csv_log
