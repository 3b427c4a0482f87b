#include "time_column.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>

#include "calendar.h"
#include "file_facts.h"
#include "read_failure.h"

namespace mpq_tool {

namespace {

using microparquet::LogicalKind;
using microparquet::Type;

constexpr std::int64_t kCountsOfNanos = 1'000'000'000;

struct NamedUnit {
  std::string_view suffix;
  std::int64_t units_per_second;
};
constexpr std::array<NamedUnit, 4> kUnits = {
    {{"_ms", 1'000}, {"_us", 1'000'000}, {"_ns", kCountsOfNanos}, {"_s", 1}}};
constexpr std::array<std::string_view, 7> kTimeNames = {"time",  "timestamp", "t",     "ts",
                                                        "epoch", "datetime",  "uptime"};
constexpr std::array<std::string_view, 6> kNumberNames = {"number",  "seq",    "sequence",
                                                          "counter", "sample", "sample_number"};

// The name in small letters; a unit in brackets becomes one after an underscore: "Time (s)" is "time_s".
std::string plain_name(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool separates = c == ' ' || c == '(' || c == '[' || c == '_';
    if (separates && (result.empty() || result.back() == '_')) {
      continue;
    }
    if (c != ')' && c != ']') {
      result += separates ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return result;
}

template <std::size_t kCount>
bool is_one_of(const std::array<std::string_view, kCount>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_flat(const Column& column) { return column.element.max_repetition_level == 0; }

bool is_integer(const Column& column) {
  const LogicalKind kind = column.element.logical.kind;
  return (column.element.type == Type::kInt32 || column.element.type == Type::kInt64) &&
         (kind == LogicalKind::kNone || kind == LogicalKind::kInteger);
}

bool is_floating(const Column& column) {
  return column.element.type == Type::kFloat || column.element.type == Type::kDouble;
}

// Takes a column as a time by its type, or else by its name; `any_name`: the caller knows that it is one.
std::optional<TimeColumn> as_time(const Column& column, bool any_name) {
  TimeColumn time;
  time.column = column;
  const microparquet::LogicalType& logical = column.element.logical;
  if (!is_flat(column)) {
    return std::nullopt;
  }
  if (logical.kind == LogicalKind::kTimestamp) {
    time.units_per_second = units_per_second(logical.unit);
    return time;
  }
  std::string name = plain_name(column.name);
  bool has_unit = false;
  for (const NamedUnit& unit : kUnits) {
    if (!has_unit && name.size() > unit.suffix.size() &&
        name.compare(name.size() - unit.suffix.size(), unit.suffix.size(), unit.suffix) == 0) {
      name.resize(name.size() - unit.suffix.size());
      time.units_per_second = unit.units_per_second;
      has_unit = true;
    }
  }
  const bool called_so = any_name || is_one_of(kTimeNames, name);
  if (is_floating(column) && called_so && time.units_per_second == 1) {
    time.units_per_second = kCountsOfNanos;
    return time;
  }
  return is_integer(column) && called_so && (has_unit || any_name) ? std::optional(time) : std::nullopt;
}

std::optional<TimeColumn> find_column_of_times(ParquetFile& file, const std::string& name) {
  if (!name.empty()) {
    const auto time = as_time(file.column_named(name), true);
    if (!time) {
      throw WrongRequest(
          "--time " + name +
          ": it holds no times; name a timestamp, or a number that counts seconds, or by the end of its "
          "name, _ms, _us or _ns, parts of them");
    }
    return time;
  }
  for (const bool by_type : {true, false}) {
    for (const Column& column : file.columns()) {
      const auto time = as_time(column, false);
      if (time && time->since_1970() == by_type) {
        return time;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> counted_time(const microparquet::Cell& cell, Type type) {
  if (cell.null()) {
    return std::nullopt;
  }
  switch (type) {
    case Type::kInt32: return cell.as<std::int32_t>();
    case Type::kInt64: return cell.as<std::int64_t>();
    default: break;
  }
  const double seconds = type == Type::kFloat ? static_cast<double>(cell.as<float>()) : cell.as<double>();
  constexpr double kMost = 9e9;  // largest number of seconds whose nanoseconds fit in 64 bits
  constexpr double kNanosOfSecond = 1e9;
  return std::abs(seconds) < kMost
             ? std::optional(static_cast<std::int64_t>(std::llround(seconds * kNanosOfSecond)))
             : std::nullopt;
}

std::optional<std::int64_t> since_1970(const TimeColumn& time, std::int64_t units) {
  if (time.since_1970()) {
    return units;
  }
  std::int64_t instant = 0;
  return time.start && !__builtin_add_overflow(*time.start, units, &instant) ? std::optional(instant)
                                                                             : std::nullopt;
}

std::optional<TimeColumn> find_time_column(ParquetFile& file, const std::string& name) {
  std::optional<TimeColumn> time = find_column_of_times(file, name);
  if (time && !time->since_1970()) {
    const std::optional<std::int64_t> nanos = read_facts(file).started_at;
    if (nanos) {
      time->start = *nanos / (kCountsOfNanos / time->units_per_second);
    }
  }
  return time;
}

std::optional<Column> find_number_column(ParquetFile& file) {
  for (const Column& column : file.columns()) {
    if (is_flat(column) && is_integer(column) && is_one_of(kNumberNames, plain_name(column.name))) {
      return column;
    }
  }
  return std::nullopt;
}

}  // namespace mpq_tool
