// Lines and rows of a CSV file (RFC 4180), and its dialect.
#pragma once

#include <csv.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microparquet/desktop/failure.h"

namespace csv_log {

// Why the program ends early.

using microparquet::desktop::Failure;

enum class LineResult : std::uint8_t {
  kLine,
  kEnd,
  kFailed,  // error() says why; EINTR: a signal came while it waited
};

// Lines of a file, a pipe or a terminal.
class LineSource {
 public:
  // `path` "-" is standard input. Throws Failure.
  explicit LineSource(const std::string& path);
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;
  ~LineSource();

  // The next line with its end, which the last one may lack. Valid until the next call.
  LineResult next(std::string_view& line);

  // Shows up to `lines` of the next lines, without taking them. It shows fewer when the input ends or fails
  // before, or when they have more bytes than a beginning should. Valid until the next call.
  std::vector<std::string_view> peek(std::size_t lines);

  // "-": standard input.
  const std::string& path() const { return path_; }

  // errno of the read that failed.
  int error() const { return error_; }

  // Calls `idle` every few milliseconds while there is nothing to read; when it returns false, next() fails
  // with EINTR.
  void while_waiting(std::function<bool()> idle) { idle_ = std::move(idle); }

  // Whether rewind() works: it is a file on a disk.
  bool can_rewind() const { return can_rewind_; }
  // Begins again with the first line. Throws Failure.
  void rewind();

  // Size of a file on a disk; otherwise 0.
  std::uint64_t bytes() const { return bytes_; }
  // Whether `path` is the same file.
  bool is(const std::string& path) const;

 private:
  LineResult read_more();
  bool wait();
  std::size_t lines_held() const;

  std::string path_;
  int descriptor_;
  int error_ = 0;
  bool failed_ = false;
  bool can_rewind_ = false;
  std::uint64_t bytes_ = 0;
  std::function<bool()> idle_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // begin of the bytes that are not yet given out
  std::size_t end_ = 0;
};

// Characters that divide a CSV file into lines and cells.
struct Dialect {
  char delimiter = ',';
  std::uint64_t skipped_lines = 0;  // before the header
  std::string comment;              // lines that begin so are passed over; empty: none are

  // Whether line `number`, from 1, has no cells.
  bool passes_over(std::string_view line, std::uint64_t number) const {
    return number <= skipped_lines || (!comment.empty() && line.substr(0, comment.size()) == comment);
  }
};

// A semicolon, a tab or a bar, when the header has no comma, and it and the `rows` first rows have the same number of them;
// else a comma. Takes nothing of `lines`.
char found_delimiter(LineSource& lines, const Dialect& dialect, std::size_t rows);

// The mark that a file in UTF-8 may begin with taken off.
std::string_view without_mark(std::string_view first_line);

// Says what a file that begins with the line `beginning` is, and what to do with it, as a sentence that
// continues after its name `path`, "-" for standard input; empty when it may be CSV.
std::string why_no_csv(std::string_view beginning, const std::string& path);

// A row and the text of its cells. Copy it to keep it.
class Row {
 public:
  // The line of the file it begins on, from 1: a cell in quotes may hold further lines.
  std::uint64_t line() const { return line_; }
  std::size_t size() const { return ends_.size(); }
  // The cell without quotes. Valid until the row changes.
  std::string_view cell(std::size_t index) const;

 private:
  friend class CsvReader;
  std::uint64_t line_ = 0;
  std::string text_;               // text of all cells, one after another
  std::vector<std::size_t> ends_;  // end of each cell in text_
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
  std::uint64_t line_ = 0;  // number of the line read last
  std::uint64_t bytes_read_ = 0;
  std::size_t columns_ = 0;            // cells of the first row; 0 before it
  bool inside_row_ = false;            // the last line ended inside quotes
  ReadResult end_ = ReadResult::kRow;  // result after the rows in ready_
  Row building_;
  std::deque<Row> ready_;
};

}  // namespace csv_log
