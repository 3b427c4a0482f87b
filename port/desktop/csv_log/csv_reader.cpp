#include "csv_reader.h"

#include <new>
#include <utility>

#include "csv_failure.h"
#include "file_kind.h"

namespace csv_log {

namespace {

// Spaces are part of a cell (RFC 4180, section 2.4).
int nothing_is_space(unsigned char) { return 0; }

bool is_empty_line(std::string_view line) { return line.find_first_not_of("\r\n") == line.npos; }

}  // namespace

std::string_view Row::cell(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1] + between_;
  return std::string_view(text_).substr(begin, ends_[index] - begin);
}

CsvReader::CsvReader(LineSource& lines, Dialect dialect) : lines_(lines), dialect_(std::move(dialect)) {
  if (csv_init(&parser_, 0) != 0) {
    throw std::bad_alloc();
  }
  csv_set_delim(&parser_, static_cast<unsigned char>(dialect_.delimiter));
  csv_set_space_func(&parser_, &nothing_is_space);
}

CsvReader::~CsvReader() { csv_free(&parser_); }

ReadResult CsvReader::next(Row& row) {
  while (ready_.empty()) {
    if (end_ != ReadResult::kRow) {
      row.line_ = building_.line_;
      return end_;
    }
    bool filled = false;
    end_ = read_line(row, filled);
    if (filled) {
      return ReadResult::kRow;
    }
  }
  row = std::move(ready_.front());
  ready_.pop_front();
  return ReadResult::kRow;
}

// The parser is given line after line, so that the number of the line is known when it reports a row. `filled`: it was
// not needed.
ReadResult CsvReader::read_line(Row& row, bool& filled) {
  std::string_view line;
  switch (lines_.next(line)) {
    case LineResult::kLine: break;
    case LineResult::kEnd: return end_of_file();
    case LineResult::kFailed: return ReadResult::kFailed;
  }
  ++line_;
  bytes_read_ += line.size();
  if (line_ == 1) {
    check_kind(line);
  }
  if (line_ == 1) {
    line = without_mark(line);
  }
  if (!inside_row_) {
    if (dialect_.passes_over(line, line_)) {
      return ReadResult::kRow;
    }
    building_.line_ = line_;
    if (columns_ == 1 && is_empty_line(line)) {
      take_cell({});
      take_row();
      return ReadResult::kRow;
    }
    filled = split(line, row);
    if (filled) {
      return ReadResult::kRow;
    }
  }
  inside_row_ = !is_empty_line(line) || inside_row_;
  parse(line);
  if (!line.empty() && !is_empty_line(line.substr(line.size() - 1))) {
    inside_row_ = true;  // the file ends without a line end
  }
  return ReadResult::kRow;
}

// A line without quotes is a row, whose cells stand between delimiters. False: it is for the parser.
bool CsvReader::split(std::string_view line, Row& row) {
  if (!line.empty() && line.back() == '\n') {
    line.remove_suffix(1);
  }
  if (!line.empty() && line.back() == '\r') {
    line.remove_suffix(1);
  }
  if (line.empty() || line.find('"') != line.npos || line.find('\r') != line.npos) {
    return false;
  }
  row.line_ = line_;
  row.text_.assign(line);
  row.ends_.clear();
  row.between_ = 1;
  for (std::size_t end = line.find(dialect_.delimiter); end != line.npos;
       end = line.find(dialect_.delimiter, end + 1)) {
    row.ends_.push_back(end);
  }
  row.ends_.push_back(line.size());
  columns_ = columns_ == 0 ? row.size() : columns_;
  return true;
}

void CsvReader::check_kind(std::string_view first_line) const {
  if (const std::string why = why_no_csv(first_line, lines_.path()); !why.empty()) {
    throw Failure((lines_.path() == "-" ? "standard input" : lines_.path()) + why);
  }
}

// The last line may lack its end. A line end that ends no row is one inside quotes.
ReadResult CsvReader::end_of_file() {
  if (inside_row_) {
    parse("\n");
  }
  return inside_row_ ? ReadResult::kUnclosedQuote : ReadResult::kEnd;
}

void CsvReader::parse(std::string_view text) {
  if (csv_parse(&parser_, text.data(), text.size(), &on_cell, &on_row, this) != text.size()) {
    throw std::bad_alloc();  // not strict: nothing else can go wrong
  }
}

void CsvReader::take_cell(std::string_view text) {
  building_.text_.append(text);
  building_.ends_.push_back(building_.text_.size());
}

void CsvReader::take_row() {
  columns_ = columns_ == 0 ? building_.size() : columns_;
  ready_.push_back(building_);
  building_.text_.clear();
  building_.ends_.clear();
  inside_row_ = false;
}

void CsvReader::on_cell(void* text, std::size_t bytes, void* reader) {
  static_cast<CsvReader*>(reader)->take_cell({static_cast<const char*>(text), bytes});
}

void CsvReader::on_row(int, void* reader) { static_cast<CsvReader*>(reader)->take_row(); }

}  // namespace csv_log
