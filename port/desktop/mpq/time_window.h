// The rows between two times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parquet_file.h"
#include "row_source.h"
#include "time_column.h"
#include "where_parser.h"

namespace mpq_tool {

struct TimeWindow {
  std::optional<std::int64_t> from;  // first time in the window, in the column's units
  std::optional<std::int64_t> to;    // last time in the window
};

// A time in a column's units: of times since 1970 a date and a time by ISO 8601, else seconds since the start, or, where
// `started_at` says when that was, either. `option` is for the message. Throws WrongRequest.
std::int64_t window_time(const std::string& option, const std::string& text, const TimeColumn& time);

// Throws Failure where a file claims more rows in its bytes than anybody would wait for.
void refuse_endless_rows(ParquetFile& file);

// Goes through the rows of a file whose timestamps lie in a window, without reading what cannot have such rows by statistics and
// page indexes.
class WindowRows {
 public:
  // Chooses `columns`, the reader's cells in that order. `file` must stay. Requires: the window is empty, or the times are those of
  // a timestamp or of a number.
  WindowRows(ParquetFile& file, const std::vector<Column>& columns, const TimeColumn& time,
             const TimeWindow& window);

  // False after the last one.
  bool next() { return source_.next(); }

 private:
  Condition condition_;
  RowSource source_;
};

}  // namespace mpq_tool
