// Rows of a CSV file (RFC 4180).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "dialect.h"
#include "line_source.h"
#include "quoted_cells.h"

namespace csv_log {

// The mark that a file in UTF-8 may begin with taken off.
std::string_view without_mark(std::string_view first_line);

// Where the arrow lies that a serial monitor puts between the time of a line and the line: "10:15:00.123 -> 21.5,40"; npos: there is
// none.
std::size_t arrow_in(std::string_view line);
constexpr std::size_t kArrowBytes = 4;

// Whether a line as a whole is a cell in quotes that holds delimiters, as "time,temp" with its quotes.
bool is_quoted_line(std::string_view line);

// A row and the text of its cells. Copy it to keep it.
class Row {
 public:
  // The line of the file it begins on, from 1: a cell in quotes may hold further lines.
  std::uint64_t line() const { return line_; }
  std::size_t size() const { return ends_.size(); }
  // The cell without quotes; empty where the row has none. Valid until the row changes.
  std::string_view cell(std::size_t index) const;
  // All of it, as it can be compared with another row.
  std::string_view text() const { return text_; }
  // Whether the line of a row without quotes has its end.
  bool is_whole() const { return whole_; }

 private:
  friend class CsvReader;
  std::uint64_t line_ = 0;
  std::string text_;               // text of all cells, one after another
  std::vector<std::size_t> ends_;  // end of each cell in text_
  std::size_t between_ = 0;        // bytes of text_ between two cells
  bool whole_ = true;
};

enum class ReadResult : std::uint8_t {
  kRow,
  kEnd,
  kUnclosedQuote,  // the file ended inside quotes, which began on row.line()
  kFailed,         // error() says why
};

// Empty lines are passed over, unless the dialect says otherwise, and so are runs of the bytes that a card leaves in a file
// which was not closed, NUL and 0xFF: they end a line. A byte order mark of UTF-8 is no part of the first cell.
class CsvReader {
 public:
  // `lines` is the caller's, and must stay.
  CsvReader(Lines& lines, Dialect dialect);
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  // On anything but kRow the content of `row` is of no use, but for its line. Throws Failure when the file is
  // of another kind, such as a compressed one.
  ReadResult next(Row& row);

  // The number of the line read last.
  std::uint64_t lines_read() const { return line_; }
  // Taken from the file so far.
  std::uint64_t bytes_read() const { return bytes_read_; }
  // Bytes of runs that were passed over.
  std::uint64_t bytes_of_cards() const { return bytes_of_cards_; }

 private:
  ReadResult read_line(Row& row, bool& filled);
  std::string_view without_quotes(std::string_view line);
  std::string_view without_arrow(std::string_view line);
  bool take_line(std::string_view line, Row& row);
  bool take_pieces(std::string_view line, Row& row);
  bool split(std::string_view line, Row& row);
  void split_at_delimiters(std::string_view line, Row& row) const;
  void split_at_spaces(std::string_view line, Row& row) const;
  void check_kind(std::string_view first_line) const;
  ReadResult end_of_file();
  void parse(std::string_view text);
  void take_cell(std::string_view text);
  void take_row();

  Lines& lines_;
  const Dialect dialect_;
  QuotedCells quoted_;
  std::uint64_t line_;  // number of the line read last
  std::uint64_t bytes_read_ = 0;
  std::uint64_t bytes_of_cards_ = 0;
  bool inside_row_ = false;            // the last line ended inside quotes
  ReadResult end_ = ReadResult::kRow;  // result after the rows in ready_
  std::string unspaced_;               // the line last given to the parser
  std::string unarrowed_;              // the line read last, with a delimiter for its arrow
  std::string unquoted_;               // the line read last, without its quotes
  Row building_;
  std::deque<Row> ready_;
};

}  // namespace csv_log
