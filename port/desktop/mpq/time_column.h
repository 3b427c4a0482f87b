// The times of the rows of a log, which stand in a column or in several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "boot_clocks.h"
#include "calendar.h"
#include "microparquet/text/time_name.h"
#include "parquet_file.h"
#include "time_text.h"

namespace mpq_tool {

// A column that has a time or a part of it.
struct TimeSource {
  enum class Kind : std::uint8_t {
    kCount,  // its values times `factor` are to be added
    kInt96,
    kText,           // dates or times of day, in nanoseconds times `factor`
    kDateDigits,     // 20240331
    kClockDigits,    // 235959, with a fraction in floating point
    kClockMinutes,   // 2359
    kYearDayDigits,  // 2024091
    kDayOfYear,      // 1 is January 1; with a fraction in floating point
    kYear,
    kMonth,
    kDay
  };

  Column column;
  Kind kind = Kind::kCount;
  std::int64_t factor = 1;
  std::int64_t offset = 0;          // that is added then
  TimeForm form = TimeForm::kNone;  // of kText: a text of another one is no time
};

struct TimeColumn {
  enum class Kind : std::uint8_t {
    kSince1970,
    kFromStart,  // it counts from any start, as a device's boot
    kTimeOfDay   // it begins again at midnight
  };

  std::vector<TimeSource> sources;  // one, or parts of a time
  Kind kind = Kind::kFromStart;
  std::int64_t units_per_second = 1;  // of what counted_time() counts
  bool utc = false;                   // else it is local time
  std::optional<std::int64_t> start;  // time 0 since 1970, by the key-value `started_at`
  BootClocks clocks;  // with any, it counts from the start of each boot, and they say when that was
  // A column that counts from the start of each boot, beside a timestamp that is null until the device learned the time:
  // `clocks` say when its rows were.
  std::optional<TimeSource> ticks;
  std::int64_t ticks_per_second = 0;
  std::int64_t wraps_at = 0;        // units after which it begins again at 0, as 32 bits do; 0: it does not
  bool in_doubt = false;            // its unit may as well be another one than seconds
  bool may_be_serial_days = false;  // or that of a spreadsheet
  std::string assumed;              // what was taken for granted, for people; empty: nothing

  bool since_1970() const { return kind == Kind::kSince1970; }
  bool has(const Column& column) const;
  // Whether a timestamp tells all that is known.
  bool is_timestamp() const;
  // Whether its values are those of a column, as the file has them or times a factor.
  bool is_one_column() const {
    return sources.size() == 1 && sources.front().kind == TimeSource::Kind::kCount;
  }
  // "time", "Date and Time".
  std::string name() const;
};

// Takes the times of rows out of the cells that a reader shows.
class TimeCells {
 public:
  // Adds the columns that it needs and that are not `chosen` yet.
  TimeCells(const TimeColumn& time, std::vector<Column>& chosen);

  // Of row `row` of the file, counted from 0. None: a part of it is null, or it is no time, or of a boot that never knew it.
  std::optional<std::int64_t> time(const microparquet::Reader& reader, std::uint64_t row) const;

 private:
  std::size_t place(const TimeSource& source, std::vector<Column>& chosen);
  std::optional<std::int64_t> counted_time(const microparquet::Reader& reader) const;
  std::optional<std::int64_t> dated_tick(const microparquet::Cell& cell, const TimeSource& ticks,
                                         std::uint64_t row) const;

  const TimeColumn& time_;
  std::vector<std::size_t> cells_;
  std::size_t tick_cell_ = 0;
};

// An integer in a cell of the column, which may be written as text. None: it is null, or no integer.
std::optional<std::int64_t> integer_in(const microparquet::Cell& cell, const Column& column);

// A count in a cell in units of the time, with its factor. None: it is too large, or no number. Requires: not null; kCount.
std::optional<std::int64_t> counted_units(const microparquet::Cell& cell, const TimeSource& source);

// Such a time counted from 1970. None: it is not known when that is.
std::optional<std::int64_t> since_1970(const TimeColumn& time, std::int64_t units);

// Whether that is in UTC; else it is local time.
inline bool is_utc(const TimeColumn& time) { return time.start || time.utc; }

}  // namespace mpq_tool
