#include "csv_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "microparquet/text/quoted.h"

namespace csv_log {

namespace {

constexpr std::size_t kBufferBytes = 64 << 10;
constexpr int kIdleMs = 20;

}  // namespace

LineSource::LineSource(const std::string& path)
    : path_(path),
      descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      buffer_(kBufferBytes) {
  if (descriptor_ < 0) {
    throw Failure(path + ": " + (errno == ENOENT ? "no such file; check the name" : std::strerror(errno)));
  }
  struct stat information = {};
  if (fstat(descriptor_, &information) == 0) {
    if (S_ISDIR(information.st_mode)) {
      throw Failure(path + ": it is a folder; give the name of a CSV file");
    }
    can_rewind_ = path != "-" && S_ISREG(information.st_mode);
    bytes_ = can_rewind_ ? static_cast<std::uint64_t>(information.st_size) : 0;
  }
}

LineSource::~LineSource() {
  if (descriptor_ != STDIN_FILENO) {
    static_cast<void>(::close(descriptor_));
  }
}

LineResult LineSource::next(std::string_view& line) {
  std::size_t searched = begin_;
  while (true) {
    const void* const found = std::memchr(buffer_.data() + searched, '\n', end_ - searched);
    if (found != nullptr) {
      const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) + 1;
      line = {buffer_.data() + begin_, end - begin_};
      begin_ = end;
      return LineResult::kLine;
    }
    const std::size_t behind = end_ - begin_;  // without a line end so far
    const LineResult result = read_more();
    searched = begin_ + behind;
    if (result == LineResult::kEnd && behind != 0) {
      line = {buffer_.data() + begin_, behind};
      begin_ = end_;
      return LineResult::kLine;
    }
    if (result != LineResult::kLine) {
      return result;
    }
  }
}

std::vector<std::string_view> LineSource::peek(std::size_t lines) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
  while (lines_held() < lines && end_ - begin_ < kMaxBytes && read_more() == LineResult::kLine) {
  }
  std::vector<std::string_view> seen;
  std::string_view rest(buffer_.data() + begin_, end_ - begin_);
  while (seen.size() < lines && !rest.empty()) {
    const std::size_t bytes = std::min(rest.find('\n'), rest.size() - 1) + 1;
    seen.push_back(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
  return seen;
}

std::size_t LineSource::lines_held() const {
  const auto* const begin = buffer_.data() + begin_;
  return static_cast<std::size_t>(std::count(begin, buffer_.data() + end_, '\n'));
}

// kLine: there is more in the buffer now.
LineResult LineSource::read_more() {
  if (failed_) {
    return LineResult::kFailed;
  }
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    buffer_.resize(2 * buffer_.size());
  }
  failed_ = !wait();
  if (failed_) {
    return LineResult::kFailed;
  }
  const ssize_t bytes = ::read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
  if (bytes < 0) {
    error_ = errno;
    failed_ = true;
    return LineResult::kFailed;
  }
  end_ += static_cast<std::size_t>(bytes);
  return bytes == 0 ? LineResult::kEnd : LineResult::kLine;
}

// Waits until there is something to read; false: error_ has the reason.
bool LineSource::wait() {
  pollfd input = {descriptor_, POLLIN, 0};
  while (idle_) {
    const int ready = poll(&input, 1, kIdleMs);
    if (ready > 0) {
      break;
    }
    if (ready < 0 || !idle_()) {
      error_ = ready < 0 ? errno : EINTR;
      return false;
    }
  }
  return true;
}

void LineSource::rewind() {
  begin_ = 0;
  end_ = 0;
  if (lseek(descriptor_, 0, SEEK_SET) != 0) {
    throw Failure(path_ + ": " + std::strerror(errno));
  }
}

bool LineSource::is(const std::string& path) const {
  struct stat ours = {};
  struct stat other = {};
  return fstat(descriptor_, &ours) == 0 && stat(path.c_str(), &other) == 0 && S_ISREG(ours.st_mode) &&
         ours.st_dev == other.st_dev && ours.st_ino == other.st_ino;
}

namespace {

// Rows as far as delimiters are counted: lines without those that are passed over, joined where a quote is open.
std::vector<std::string> rows_of(const std::vector<std::string_view>& lines, const Dialect& dialect) {
  std::vector<std::string> rows;
  bool open = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = i == 0 ? without_mark(lines[i]) : lines[i];
    if (!open && (dialect.passes_over(line, i + 1) || line.find_first_not_of("\r\n") == line.npos)) {
      continue;
    }
    if (!open) {
      rows.emplace_back();
    }
    rows.back().append(line);
    open = open != (std::count(line.begin(), line.end(), '"') % 2 != 0);
  }
  if (open) {
    rows.pop_back();  // its end is not known
  }
  return rows;
}

std::size_t count_outside_quotes(std::string_view row, char wanted) {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : row) {
    inside = inside != (c == '"');
    count += !inside && c == wanted ? 1 : 0;
  }
  return count;
}

bool splits_alike(const std::vector<std::string>& rows, char delimiter) {
  const std::size_t count = count_outside_quotes(rows.front(), delimiter);
  return count != 0 && std::all_of(rows.begin(), rows.end(), [&](const std::string& row) {
           return count_outside_quotes(row, delimiter) == count;
         });
}

// `wanted` rows, or all there are before too many lines.
std::vector<std::string> first_rows(LineSource& source, const Dialect& dialect, std::size_t wanted) {
  constexpr std::uint64_t kMaxSkipped = 1'000'000;
  std::size_t lines = wanted + std::min(dialect.skipped_lines, kMaxSkipped);
  while (true) {
    const std::vector<std::string_view> seen = source.peek(lines);
    std::vector<std::string> rows = rows_of(seen, dialect);
    if (rows.size() >= wanted || seen.size() < lines) {
      rows.resize(std::min(rows.size(), wanted));
      return rows;
    }
    lines += wanted - rows.size();
  }
}

}  // namespace

char found_delimiter(LineSource& lines, const Dialect& dialect, std::size_t rows) {
  const std::vector<std::string> header = first_rows(lines, dialect, 1);
  if (header.empty() || count_outside_quotes(header.front(), ',') != 0 ||
      header.front().find_first_of(";\t|") == std::string::npos) {
    return ',';  // without a wait for rows
  }
  const std::vector<std::string> first = first_rows(lines, dialect, 1 + rows);
  for (const char delimiter : {';', '\t', '|'}) {
    if (!first.empty() && splits_alike(first, delimiter)) {
      return delimiter;
    }
  }
  return ',';
}

std::string_view without_mark(std::string_view first_line) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const bool has_mark = first_line.substr(0, kByteOrderMark.size()) == kByteOrderMark;
  return first_line.substr(has_mark ? kByteOrderMark.size() : 0);
}

namespace {

using std::string_view_literals::operator""sv;

// `command` writes the file as CSV to standard output.
struct Unreadable {
  std::string_view magic;
  const char* name;
  const char* command;
};

constexpr Unreadable kUnreadable[] = {
    {"\xFF\xFE"sv, "UTF-16", "iconv -f utf-16 -t utf-8"},
    {"\xFE\xFF"sv, "UTF-16", "iconv -f utf-16 -t utf-8"},
    {"\x1F\x8B"sv, "compressed by gzip", "gzip -dc"},
    {"\x28\xB5\x2F\xFD"sv, "compressed by zstd", "zstd -dc"},
    {"\xFD\x37zXZ"sv, "compressed by xz", "xz -dc"},
    {"BZh91AY&SY"sv, "compressed by bzip2", "bzip2 -dc"},
    {"PK\x03\x04"sv, "a ZIP archive or a spreadsheet", nullptr},
};

std::string sentence(const Unreadable& file, const std::string& path) {
  const std::string what = std::string(" is ") + file.name + ", and no CSV in UTF-8; ";
  if (file.command == nullptr) {
    return what + "give a CSV file: spreadsheets save one as \"CSV UTF-8\"";
  }
  return what + "convert it on the way: " + file.command +
         (path == "-" ? " |" : " " + microparquet::text::shell_path(path) + " |") + " csv_log - OUT";
}

// UTF-16 without its mark: every second byte of a name in Latin letters is 0.
bool looks_like_utf16(std::string_view line, std::size_t zero) {
  return line.size() >= 4 && line[zero] == '\0' && line[zero + 2] == '\0' && line[1 - zero] != '\0';
}

}  // namespace

std::string why_no_csv(std::string_view beginning, const std::string& path) {
  for (const Unreadable& file : kUnreadable) {
    if (beginning.substr(0, file.magic.size()) == file.magic) {
      return sentence(file, path);
    }
  }
  for (const std::size_t zero : {std::size_t{0}, std::size_t{1}}) {
    if (looks_like_utf16(beginning, zero)) {
      return sentence({{}, "UTF-16", zero == 0 ? "iconv -f utf-16be -t utf-8" : "iconv -f utf-16le -t utf-8"},
                      path);
    }
  }
  return {};
}

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
