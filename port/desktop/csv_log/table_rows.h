// The rows of a table among the lines of its file.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "csv_reader.h"
#include "layout.h"

namespace csv_log {

enum class Found : std::uint8_t {
  kRow,
  kBadLine,  // it is no row, and nothing explains it: why() says what it has
  kEnd,
  kUnclosedQuote,  // the file ended inside quotes, which began on row.line()
  kFailed,         // the input's error() says why
};

// Lines that were passed over since they are no data.
struct PassedOver {
  std::uint64_t headings = 0;       // times that the heading came again
  std::uint64_t first_heading = 0;  // line
  std::uint64_t comments = 0;
  std::uint64_t cut_lines = 0;  // that end before their row does
  std::uint64_t first_cut = 0;  // line
  std::uint64_t bytes = 0;      // NUL and 0xFF
};

// Passes over the heading, which may come again after a reboot, with lines of text in front of it; over comments, where the heading
// has some; and over lines that were cut off.
class TableRows {
 public:
  TableRows(Lines& lines, const Layout& layout);

  Found next(Row& row);
  // Why the line that came last is no row.
  std::string why(const Row& row) const;
  PassedOver passed_over() const;
  std::uint64_t bytes_read() const { return reader_.bytes_read(); }

 private:
  enum class Kind : std::uint8_t { kRow, kHeading, kComment, kCut, kBad, kFooter };

  Kind kind_of(const Row& row) const;
  bool fits(const Row& row) const;
  bool is_text_among_numbers(const Row& row) const;
  bool is_comment(const Row& row) const;
  void take(Kind kind, Row& row);
  bool has_word_for_time(const Row& row) const;
  void release_waiting(bool at_end);

  const Layout& layout_;
  CsvReader reader_;
  std::set<std::string> heading_;
  std::string first_name_;
  std::size_t probe_;  // a column of numbers; past the last: there is none
  std::size_t time_;   // the same of times
  std::string comment_marks_;
  std::size_t to_skip_;
  PassedOver passed_;
  bool in_heading_ = false;
  struct Waiting {
    Row row;
    bool may_be_footer = false;  // a row, unless it is one of the last: "Total", 435.0
  };
  std::deque<Waiting> waiting_;  // bad lines unless the heading follows, and rows unless the end does
  std::deque<std::pair<Found, Row>> ready_;
};

}  // namespace csv_log
