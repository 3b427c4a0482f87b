// Times that stand in several columns: a date and a time of day, the parts of a date, seconds and a fraction.
#pragma once

#include <optional>
#include <vector>

#include "microparquet/text/time_name.h"
#include "time_column.h"
#include "time_probe.h"

namespace mpq_tool {

// What the file says of a column as a time.
struct NamedColumn {
  Column column;
  microparquet::text::TimeName name;
  std::optional<microparquet::text::ClockUnit> said;  // by the key-value `unit.NAME`
  TimeForm form = TimeForm::kNone;                    // of its texts

  std::optional<microparquet::text::ClockUnit> unit() const { return said ? said : name.unit; }
};

bool is_integer_column(const Column& column);
bool is_floating_column(const Column& column);
bool is_text_column(const Column& column);
inline bool is_number_column(const Column& column) {
  return is_integer_column(column) || is_floating_column(column);
}

// Whether that many seconds since 1970 lie in the years from 2000 to 2099.
bool is_near_now(double seconds_since_1970);

// The one that types, names and values make clear. None: there is none.
std::optional<TimeColumn> time_of_parts(const std::vector<NamedColumn>& columns, const TimeProbe& probe);

// The one of these columns. Throws WrongRequest: they make no time.
TimeColumn time_from(const std::vector<NamedColumn>& columns, const TimeProbe& probe);

}  // namespace mpq_tool
