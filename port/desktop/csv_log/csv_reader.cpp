#include "csv_reader.h"

#include <algorithm>
#include <utility>

#include "not_csv.h"

namespace csv_log {

namespace {

bool is_empty_line(std::string_view line) { return line.find_first_not_of("\r\n\x1A") == line.npos; }

// Without the characters that end a line.
std::string_view without_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) {
    line.remove_suffix(1);
  }
  return line;
}

constexpr std::string_view kTwoErased = "\xFF\xFF";

// The run of NUL or 0xFF that begins first at or after `from`; its end is its begin if there is none. A single 0xFF is a letter of
// another encoding.
struct Run {
  std::size_t begin;
  std::size_t end;
};

Run next_run(std::string_view line, std::size_t from) {
  const std::size_t begin = std::min(line.find('\0', from), line.find(kTwoErased, from));
  if (begin == line.npos) {
    return {line.size(), line.size()};
  }
  const std::size_t end = line.find_first_not_of(std::string_view("\0\xFF", 2), begin);
  return {begin, end == line.npos ? line.size() : end};
}

// 1, "a, b": spaces in front of a quote are no part of the cell, which the quote opens.
std::string without_spaces_before_quotes(std::string_view line, char delimiter) {
  std::string text;
  bool quoted = false;
  bool at_begin = true;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (at_begin && line[i] == ' ') {
      const std::size_t next = line.find_first_not_of(' ', i);
      if (next != line.npos && line[next] == '"') {
        i = next;
      }
    }
    quoted = line[i] == '"' ? (quoted ? false : at_begin || (i != 0 && line[i - 1] == '"')) : quoted;
    at_begin = !quoted && line[i] == delimiter;
    text.push_back(line[i]);
  }
  return text;
}

}  // namespace

std::string_view without_mark(std::string_view first_line) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const bool has_mark = first_line.substr(0, kByteOrderMark.size()) == kByteOrderMark;
  return first_line.substr(has_mark ? kByteOrderMark.size() : 0);
}

std::size_t arrow_in(std::string_view line) {
  constexpr std::string_view kArrow = " -> ";
  constexpr std::size_t kLongestTime = 30;
  const std::size_t at = line.substr(0, kLongestTime).find(kArrow);
  const bool is = at != line.npos && line.front() >= '0' && line.front() <= '9' &&
                  line.substr(0, at).find_first_not_of("0123456789:.-/T ") == line.npos &&
                  line.substr(0, at).find(':') != line.npos;
  return is ? at : line.npos;
}

bool is_quoted_line(std::string_view line) {
  line = without_end(line);
  if (line.size() < 3 || line.front() != '"' || line.back() != '"') {
    return false;
  }
  line = line.substr(1, line.size() - 2);
  for (std::size_t at = line.find('"'); at != line.npos; at = line.find('"', at + 2)) {
    if (at + 1 == line.size() || line[at + 1] != '"') {
      return false;
    }
  }
  return line.find_first_of(",;\t") != line.npos;
}

std::string name_of_delimiter(const Dialect& dialect) {
  switch (dialect.delimiter) {
    case ',': return "commas";
    case ';': return "semicolons";
    case '\t': return "tabs";
    case '|': return "bars";
    case ' ': return "spaces";
    default: return std::string("'") + dialect.delimiter + "'";
  }
}

std::string option_of_delimiter(const Dialect& dialect) {
  return dialect.delimiter == '\t' ? "\\t" : std::string(1, dialect.delimiter);
}

std::string_view Row::cell(std::size_t index) const {
  if (index >= ends_.size()) {
    return {};
  }
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1] + between_;
  return std::string_view(text_).substr(begin, ends_[index] - begin);
}

CsvReader::CsvReader(Lines& lines, Dialect dialect)
    : lines_(lines),
      dialect_(std::move(dialect)),
      quoted_(dialect_.delimiter),
      line_(dialect_.lines_before) {}

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
    line = without_mark(line);
  }
  if (dialect_.quoted_lines && !inside_row_ && is_quoted_line(line)) {
    line = without_quotes(line);
  }
  if (dialect_.has_arrows && !inside_row_) {
    line = without_arrow(line);
  }
  const Run run = inside_row_ ? Run{line.size(), line.size()} : next_run(line, 0);
  filled = run.begin == line.size() ? take_line(line, row) : take_pieces(line, row);
  return ReadResult::kRow;
}

// Requires: is_quoted_line().
std::string_view CsvReader::without_quotes(std::string_view line) {
  const std::string_view inside = without_end(line);
  unquoted_.clear();
  for (std::size_t i = 1; i + 1 < inside.size(); ++i) {
    unquoted_.push_back(inside[i]);
    i += inside[i] == '"' ? 1U : 0U;
  }
  unquoted_.append(line.substr(inside.size()));
  return unquoted_;
}

std::string_view CsvReader::without_arrow(std::string_view line) {
  const std::size_t at = arrow_in(line);
  if (at == line.npos) {
    return line;
  }
  unarrowed_.assign(line.substr(0, at));
  unarrowed_.push_back(dialect_.delimiter);
  unarrowed_.append(line.substr(at + kArrowBytes));
  return unarrowed_;
}

// What a card left in the line parts it: in front of it, or where its end was lost.
bool CsvReader::take_pieces(std::string_view line, Row& row) {
  std::size_t begin = 0;
  while (begin < line.size()) {
    const Run run = next_run(line, begin);
    bytes_of_cards_ += run.end - run.begin;
    Row piece;
    if (run.begin != begin && take_line(line.substr(begin, run.begin - begin), piece)) {
      piece.whole_ = run.begin == line.size() && line.back() == '\n';
      ready_.push_back(std::move(piece));
    } else if (inside_row_ && run.begin != line.size()) {
      parse("\n");  // the quote was never closed
    }
    begin = run.end;
  }
  static_cast<void>(row);
  return false;
}

bool CsvReader::take_line(std::string_view line, Row& row) {
  if (!inside_row_) {
    if (dialect_.passes_over(line, line_)) {
      return false;
    }
    building_.line_ = line_;
    if (dialect_.one_column && is_empty_line(line)) {
      take_cell({});
      take_row();
      return false;
    }
    if (split(line, row)) {
      return true;
    }
  }
  if (!inside_row_ && is_empty_line(line)) {
    return false;
  }
  if (!inside_row_ && dialect_.delimiter != ' ') {
    unspaced_ = without_spaces_before_quotes(line, dialect_.delimiter);
    line = unspaced_;
  }
  inside_row_ = !is_empty_line(line) || inside_row_;
  parse(line);
  if (!line.empty() && !is_empty_line(line.substr(line.size() - 1))) {
    inside_row_ = true;  // the file ends without a line end
  }
  return false;
}

// A line without quotes is a row, whose cells stand between delimiters. False: it is for the parser.
bool CsvReader::split(std::string_view line, Row& row) {
  const bool whole = !line.empty() && line.back() == '\n';
  line = without_end(line);
  if (line.empty() || is_empty_line(line) || line.find('"') != line.npos || line.find('\r') != line.npos) {
    return false;
  }
  row.line_ = line_;
  row.whole_ = whole;
  row.ends_.clear();
  if (dialect_.delimiter == ' ') {
    split_at_spaces(line, row);
  } else {
    split_at_delimiters(line, row);
  }
  return true;
}

void CsvReader::split_at_delimiters(std::string_view line, Row& row) const {
  row.text_.assign(line);
  row.between_ = 1;
  for (std::size_t end = line.find(dialect_.delimiter); end != line.npos;
       end = line.find(dialect_.delimiter, end + 1)) {
    row.ends_.push_back(end);
  }
  row.ends_.push_back(line.size());
}

// Spaces at the beginning and the end of the line part nothing; a tab is as good as the longest run.
void CsvReader::split_at_spaces(std::string_view line, Row& row) const {
  row.text_.clear();
  row.between_ = 0;
  std::size_t begin = line.find_first_not_of(" \t");
  while (begin < line.size()) {
    std::size_t end = 0;
    std::size_t next = begin;
    do {
      end = std::min(line.find_first_of(" \t", next), line.size());
      next = std::min(line.find_first_not_of(" \t", end), line.size());
    } while (next != line.size() && next - end < dialect_.spaces && line[end] != '\t');
    row.text_.append(line.substr(begin, end - begin));
    row.ends_.push_back(row.text_.size());
    begin = next;
  }
}

void CsvReader::check_kind(std::string_view first_line) const {
  if (const std::string why = why_no_csv(first_line, lines_.path()); !why.empty()) {
    throw Failure((lines_.path() == "-" ? "standard input" : lines_.path()) + why);
  }
}

// The last line may lack its end. A line end that ends no row is one inside quotes.
ReadResult CsvReader::end_of_file() {
  if (inside_row_) {
    building_.whole_ = false;
    parse("\n");
  }
  return inside_row_ ? ReadResult::kUnclosedQuote : ReadResult::kEnd;
}

void CsvReader::parse(std::string_view text) {
  quoted_.parse(text, [this](std::string_view cell) { take_cell(cell); }, [this] { take_row(); });
}

void CsvReader::take_cell(std::string_view text) {
  building_.text_.append(text);
  building_.ends_.push_back(building_.text_.size());
}

void CsvReader::take_row() {
  ready_.push_back(building_);
  building_.text_.clear();
  building_.ends_.clear();
  inside_row_ = false;
}

}  // namespace csv_log
