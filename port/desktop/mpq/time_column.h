// Which column of a log says when a row was taken.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parquet_file.h"

namespace mpq_tool {

struct TimeColumn {
  Column column;
  std::int64_t units_per_second =
      1;  // of what the values count; floating point counts seconds, and is taken in nanoseconds
  bool since_1970 = false;  // else since any start, as a device's boot
  bool utc = false;         // with `since_1970`: else local time
};

// The column called `name`; for none the first timestamp or, without one, the first number that is called as times are:
// time, timestamp, t, ts or epoch, with _s, _ms, _us or _ns or such a unit in brackets, "Time (s)". None: there is no such column. Throws
// Failure: `name` is no column, or none that can be times.
std::optional<TimeColumn> find_time_column(ParquetFile& file, const std::string& name);

// The column that numbers the rows when they are taken, so that missing ones show: number, seq, sequence, counter or
// sample. None: there is none.
std::optional<Column> find_number_column(ParquetFile& file);

}  // namespace mpq_tool
