// Finds the column of a log that has the times of the rows.
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
  std::optional<std::int64_t> start;  // time 0 since 1970, by the key-value `started_at`

  // Whether its values count from 1970; else from any start, as a device's boot.
  bool since_1970() const { return column.element.logical.kind == microparquet::LogicalKind::kTimestamp; }
};

// A value of it, or of a column of numbers, in the units of TimeColumn. None: it is null, or no time.
std::optional<std::int64_t> counted_time(const microparquet::Cell& cell, microparquet::Type type);

// Such a time counted from 1970. None: it is not known when that is.
std::optional<std::int64_t> since_1970(const TimeColumn& time, std::int64_t units);

// Whether that is in UTC; else it is local time.
inline bool is_utc(const TimeColumn& time) { return time.start || time.column.element.logical.utc; }

// The column called `name`; for none the first timestamp or, without one, the first number that is called as times are:
// time, timestamp, t, ts or epoch, with _s, _ms, _us or _ns or such a unit in brackets, "Time (s)". None: there is no such column. Throws
// Failure: `name` is no column, or none that can be times.
std::optional<TimeColumn> find_time_column(ParquetFile& file, const std::string& name);

// The column that numbers the rows when they are taken, so that missing ones show: number, seq, sequence, counter or
// sample. None: there is none.
std::optional<Column> find_number_column(ParquetFile& file);

}  // namespace mpq_tool
