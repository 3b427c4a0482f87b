#include "time_choice.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "calendar.h"
#include "file_facts.h"
#include "microparquet/text/quoted.h"
#include "microparquet/text/time_name.h"
#include "read_failure.h"
#include "time_parts.h"
#include "time_probe.h"

namespace mpq_tool {

namespace {

namespace text = microparquet::text;
using microparquet::LogicalKind;
using microparquet::Type;
using text::ClockUnit;
using text::nanos_in;
using text::shell_word;
using text::unit_name;

constexpr std::array<ClockUnit, 4> kCountedUnits = {ClockUnit::kSeconds, ClockUnit::kMillis,
                                                    ClockUnit::kMicros, ClockUnit::kNanos};
constexpr std::array<std::string_view, 6> kNumberNames = {"number",  "seq",    "sequence",
                                                          "counter", "sample", "sample number"};

bool is_flat(const Column& column) { return column.element.max_repetition_level == 0; }

NamedColumn named(const Column& column, const Facts& facts) {
  NamedColumn result{column, text::time_name(column.name), std::nullopt, TimeForm::kNone};
  if (const auto unit = facts.units.find(column.name); unit != facts.units.end()) {
    result.said = text::clock_unit(unit->second);
  }
  return result;
}

TimeColumn one_source(const Column& column, TimeSource::Kind kind, std::int64_t factor) {
  TimeColumn time;
  time.sources.push_back({column, kind, factor});
  return time;
}

// Takes a number as days since a date, in microseconds: a fraction of a day in floating point has no more.
TimeColumn days_since(std::int64_t first, const Column& column) {
  constexpr std::int64_t kMicrosOfSecond = 1'000'000;
  const std::int64_t per_second = is_floating_column(column) ? kMicrosOfSecond : 1;
  TimeColumn time = one_source(column, TimeSource::Kind::kCount, kSecondsOfDay * per_second);
  time.sources.front().offset = first * time.sources.front().factor;
  time.units_per_second = per_second;
  time.kind = TimeColumn::Kind::kSince1970;
  return time;
}

// Takes a number as a count of `unit`; floating point is taken in nanoseconds.
TimeColumn count_of(const Column& column, ClockUnit unit) {
  if (const auto first = text::first_day(unit)) {
    return days_since(*first, column);
  }
  const std::int64_t nanos = nanos_in(unit);
  if (is_floating_column(column)) {
    TimeColumn time = one_source(column, TimeSource::Kind::kCount, nanos);
    time.units_per_second = kNanosOfSecond;
    return time;
  }
  TimeColumn time =
      one_source(column, TimeSource::Kind::kCount, std::max<std::int64_t>(nanos / kNanosOfSecond, 1));
  time.units_per_second = std::max<std::int64_t>(kNanosOfSecond / nanos, 1);
  if (unit == ClockUnit::kMillis || unit == ClockUnit::kMicros) {
    time.wraps_at = std::int64_t{1} << 32;
  }
  return time;
}

// A time by a column's type alone. None: it is a number, or something else.
std::optional<TimeColumn> typed_time(const Column& column) {
  const microparquet::LogicalType& logical = column.element.logical;
  if (!is_flat(column)) {
    return std::nullopt;
  }
  TimeColumn time = one_source(column, TimeSource::Kind::kCount, 1);
  time.kind = TimeColumn::Kind::kSince1970;
  if (column.element.type == Type::kInt96) {
    time.sources.front().kind = TimeSource::Kind::kInt96;
    time.units_per_second = kNanosOfSecond;
    return time;
  }
  switch (logical.kind) {
    case LogicalKind::kDate: time.sources.front().factor = nanos_in(ClockUnit::kDays) / kNanosOfSecond; break;
    case LogicalKind::kTimestamp:
      time.units_per_second = units_per_second(logical.unit);
      time.utc = logical.utc;
      break;
    case LogicalKind::kTime:
      time.units_per_second = units_per_second(logical.unit);
      time.kind = TimeColumn::Kind::kTimeOfDay;
      break;
    default: return std::nullopt;
  }
  return time;
}

// A time whose texts all have one form. None: it has no such texts.
std::optional<TimeColumn> text_time(const NamedColumn& named) {
  if (named.form == TimeForm::kNone) {
    return std::nullopt;
  }
  TimeColumn time = one_source(named.column, TimeSource::Kind::kText, 1);
  time.sources.front().form = named.form;
  time.units_per_second = kNanosOfSecond;
  time.kind =
      named.form == TimeForm::kTimeOfDay ? TimeColumn::Kind::kTimeOfDay : TimeColumn::Kind::kSince1970;
  time.utc = named.form == TimeForm::kZoned;
  time.assumed = named.column.name + " has its times as text";
  return time;
}

// The unit in which numbers lie near now, `known` if there is one.
std::optional<ClockUnit> unit_near_now(const ProbedValues& values, std::optional<ClockUnit> known) {
  for (const ClockUnit unit : kCountedUnits) {
    const double second = static_cast<double>(kNanosOfSecond) / static_cast<double>(nanos_in(unit));
    // Microseconds since a start may look like seconds since 1970, but whoever counts seconds has rows more often, or at
    // whole minutes.
    constexpr double kOften = 1'000;
    const bool may_be =
        known || unit != ClockUnit::kSeconds || values.interval() < kOften || values.are_multiples_of(60);
    if ((!known || *known == unit) && is_near_now(values.median() / second) && may_be) {
      return unit;
    }
  }
  return std::nullopt;
}

// Whether the values may be the days of a spreadsheet from 2000 to 2040. Later ones may as well be Modified Julian Days of now.
bool may_be_serial_days(const ProbedValues& values) {
  constexpr double kYear2000 = 36'526;
  constexpr double kYear2041 = 51'544;
  return !values.values.empty() && std::all_of(values.values.begin(), values.values.end(), [](double value) {
    return value >= kYear2000 && value < kYear2041;
  });
}

// They are where they are called dates and have parts of days: whole numbers may be a date's digits.
std::optional<TimeColumn> serial_days(const NamedColumn& named, const ProbedValues& values) {
  if (!named.name.is_date || !is_floating_column(named.column) || values.are_whole() ||
      !may_be_serial_days(values)) {
    return std::nullopt;
  }
  TimeColumn time = count_of(named.column, ClockUnit::kExcel);
  time.assumed = named.column.name + " counts days since 1899-12-30, as spreadsheets do";
  return time;
}

// A number as a time, by its unit or its values; without these floating point counts seconds. `any`: somebody says that it is a
// time.
std::optional<TimeColumn> number_time(const NamedColumn& named, const ProbedValues& values,
                                      std::optional<ClockUnit> given, bool any) {
  const std::optional<ClockUnit> unit = given ? given : named.unit();
  if (const auto days = unit ? std::nullopt : serial_days(named, values)) {
    return days;
  }
  if (!any && !named.name.is_time && !(unit && text::first_day(*unit) && named.name.is_date)) {
    return std::nullopt;
  }
  if (const auto near = unit_near_now(values, unit)) {
    TimeColumn time = count_of(named.column, *near);
    time.kind = TimeColumn::Kind::kSince1970;
    time.utc = true;
    time.wraps_at = 0;
    time.assumed =
        named.column.name + " counts " + unit_name(*near) + " since 1970, as its values lie near now";
    return time;
  }
  if (unit) {
    return count_of(named.column, *unit);
  }
  if (!any && !is_floating_column(named.column)) {
    return std::nullopt;
  }
  TimeColumn time = count_of(named.column, ClockUnit::kSeconds);
  time.wraps_at = 0;
  time.in_doubt = values.are_whole() && values.interval() > 1;
  time.may_be_serial_days = may_be_serial_days(values);
  time.assumed = named.column.name + " counts s, as nothing says its unit";
  return time;
}

// Ways to take the times of a file, the best first.
enum class Way : std::uint8_t {
  kCalledTimestamp,
  kTimestamp,
  kText,
  kParts,
  kNearNow,
  kWithUnit,
  kFloating,
  kTimeOfDay,
  kDate,
  kRising,
  kConstant
};

struct Candidate {
  TimeColumn time;
  Way way = Way::kConstant;
};

Way way_of_type(const NamedColumn& named) {
  switch (named.column.element.logical.kind) {
    case LogicalKind::kTime: return Way::kTimeOfDay;
    case LogicalKind::kDate: return Way::kDate;
    default: return named.name.is_time ? Way::kCalledTimestamp : Way::kTimestamp;
  }
}

Way way_of_text(const NamedColumn& named) {
  return named.form == TimeForm::kTimeOfDay ? Way::kTimeOfDay
         : named.form == TimeForm::kDate    ? Way::kDate
                                            : Way::kText;
}

class TimeFinder {
 public:
  // All columns of the file that may be times.
  TimeFinder(ParquetFile& file, const Facts& facts) : TimeFinder(file, facts, file.columns(), false) {}
  // Just these, of which somebody says that they are.
  TimeFinder(ParquetFile& file, const Facts& facts, const std::vector<Column>& asked)
      : TimeFinder(file, facts, asked, true) {}

  std::optional<TimeColumn> best() {
    std::vector<Candidate> all = candidates();
    const auto found = std::min_element(all.begin(), all.end(),
                                        [](const Candidate& a, const Candidate& b) { return a.way < b.way; });
    // A time that stands still is worse than a number that is meant to be one.
    if (found == all.end() || (found->way == Way::kConstant && !bare_numbers().empty())) {
      return std::nullopt;
    }
    return found->time;
  }

  // The best of those that count from the start of each boot.
  std::optional<TimeColumn> from_start() {
    std::vector<Candidate> all = candidates();
    const auto is_other = [](const Candidate& one) {
      return one.time.kind != TimeColumn::Kind::kFromStart || !one.time.is_one_column();
    };
    all.erase(std::remove_if(all.begin(), all.end(), is_other), all.end());
    const auto found = std::min_element(all.begin(), all.end(),
                                        [](const Candidate& a, const Candidate& b) { return a.way < b.way; });
    return found == all.end() ? std::nullopt : std::optional(found->time);
  }

  // The column that somebody says is one. Requires: it is the only one.
  std::optional<TimeColumn> only(std::optional<ClockUnit> given) const {
    if (columns_.empty()) {
      return std::nullopt;
    }
    const NamedColumn& each = columns_.front();
    if (const auto typed = typed_time(each.column)) {
      return given ? std::nullopt : typed;
    }
    if (is_text_column(each.column)) {
      return given ? std::nullopt : text_time(each);
    }
    return is_number_column(each.column) ? number_time(each, probe_.of(each.column), given, true)
                                         : std::nullopt;
  }

  TimeColumn together() const { return time_from(columns_, probe_); }

  // Numbers that are called as times or dates are and may be days of a spreadsheet.
  std::vector<Column> serial_numbers() const {
    std::vector<Column> serial;
    for (const NamedColumn& each : columns_) {
      if (is_number_column(each.column) && (each.name.is_time || each.name.is_date) && !each.unit() &&
          may_be_serial_days(probe_.of(each.column))) {
        serial.push_back(each.column);
      }
    }
    return serial;
  }

  // Numbers that are called as times are, and that nothing says the unit of.
  std::vector<Column> bare_numbers() const {
    std::vector<Column> bare;
    for (const NamedColumn& each : columns_) {
      if (is_number_column(each.column) && each.name.is_time && !each.unit() &&
          probe_.of(each.column).vary()) {
        bare.push_back(each.column);
      }
    }
    return bare;
  }

 private:
  TimeFinder(ParquetFile& file, const Facts& facts, const std::vector<Column>& columns, bool asked)
      : file_(file), facts_(facts), columns_(possible(columns, asked)), probe_(file, plain_columns()) {
    for (NamedColumn& each : columns_) {
      each.form = probe_.of(each.column).form;
    }
  }

  std::vector<NamedColumn> possible(const std::vector<Column>& columns, bool asked) const {
    std::vector<NamedColumn> possible;
    for (const Column& column : columns) {
      const NamedColumn each = named(column, facts_);
      const bool is_called =
          each.name.is_time || each.name.is_date || each.said || each.name.part != text::TimePart::kNone;
      const bool is_part =
          is_text_column(column) && ((each.name.is_plain && is_called) || each.name.mentions);
      if ((asked && is_flat(column)) || typed_time(column) || (is_number_column(column) && is_called) ||
          is_part) {
        possible.push_back(each);
      }
    }
    return possible;
  }

  std::vector<Column> plain_columns() const {
    std::vector<Column> columns;
    for (const NamedColumn& each : columns_) {
      columns.push_back(each.column);
    }
    return columns;
  }

  std::vector<Candidate> candidates() {
    std::vector<Candidate> all;
    for (const NamedColumn& each : columns_) {
      if (auto typed = typed_time(each.column)) {
        all.push_back({*typed, way_of_type(each)});
      } else if (is_text_column(each.column)) {
        const bool is_clear = each.form == TimeForm::kLocal || each.form == TimeForm::kZoned;
        if (const auto text = text_time(each); text && (is_clear || each.name.is_time || each.name.is_date)) {
          all.push_back({*text, way_of_text(each)});
        }
      } else if (auto number = number_time(each, probe_.of(each.column), std::nullopt, false)) {
        const bool near = number->since_1970();
        all.push_back({*number, near ? Way::kNearNow : each.unit() ? Way::kWithUnit : Way::kFloating});
      } else if (each.said && probe_.of(each.column).go_one_way()) {
        all.push_back({count_of(each.column, *each.said), Way::kRising});
      }
    }
    for (Candidate& candidate : all) {
      const bool varies = probe_.varies(file_, candidate.time.sources.front().column);
      candidate.way = varies ? candidate.way : Way::kConstant;
    }
    if (auto parts = time_of_parts(columns_, probe_)) {
      all.push_back({*parts, Way::kParts});
    }
    return all;
  }

  ParquetFile& file_;
  const Facts& facts_;
  std::vector<NamedColumn> columns_;
  TimeProbe probe_;
};

// "NAME" or "NAME:UNIT"; a column may have a colon in its name.
std::optional<TimeColumn> asked_time(ParquetFile& file, const Facts& facts, const std::string& asked) {
  std::string name = asked;
  std::optional<ClockUnit> unit;
  const std::size_t colon = asked.rfind(':');
  if (colon != asked.npos && file.find_column(asked) == nullptr) {
    unit = text::clock_unit(asked.substr(colon + 1));
    name = unit ? asked.substr(0, colon) : asked;
  }
  const auto time = TimeFinder(file, facts, {file.column_named(name)}).only(unit);
  if (!time) {
    throw WrongRequest(
        "--time " + asked +
        (unit ? ": its type says what it counts; leave out the unit"
              : ": it holds no times; name a timestamp, a time of day, or a number and its unit, "
                "as in --time NAME:ms (s, ms, us, ns)"));
  }
  return time;
}

// Rows of a timestamp that are null have a date by the clocks' ticks, where the file counts them.
void add_ticks(ParquetFile& file, const Facts& facts, TimeColumn& time) {
  if (time.sources.front().column.element.max_definition_level == 0) {
    return;
  }
  if (const auto ticks = TimeFinder(file, facts).from_start()) {
    time.ticks = ticks->sources.front();
    time.ticks_per_second = ticks->units_per_second;
    time.clocks = facts.clocks;
  }
}

}  // namespace

std::optional<TimeColumn> find_time_column(ParquetFile& file, const TimeRequest& request) {
  return find_time_column(file, request, read_facts(file));
}

std::optional<TimeColumn> find_time_column(ParquetFile& file, const TimeRequest& request,
                                           const Facts& facts) {
  std::optional<TimeColumn> time;
  if (!request.from.empty()) {
    const std::vector<Column> columns = file.columns_named({request.from});
    time = TimeFinder(file, facts, columns).together();
  } else if (!request.column.empty()) {
    time = asked_time(file, facts, request.column);
  } else {
    time = TimeFinder(file, facts).best();
  }
  if (time && time->kind == TimeColumn::Kind::kFromStart) {
    if (facts.clocks.any()) {
      time->clocks = facts.clocks;
      time->kind = TimeColumn::Kind::kSince1970;
      time->utc = true;
      time->wraps_at = 0;
    } else if (facts.started_at) {
      time->start = *facts.started_at / (kNanosOfSecond / time->units_per_second);
    }
  }
  if (time && facts.clocks.any() && time->is_timestamp() && time->utc) {
    add_ticks(file, facts, *time);
  }
  return time;
}

namespace {

constexpr std::size_t kMostOptions = 5;
constexpr std::size_t kMostColumns = 100;  // that are looked at

bool counts_on(const ProbedValues& values) {
  constexpr std::size_t kLeast = 3;
  return values.values.size() >= kLeast && values.go_one_way() && values.interval() != 0 &&
         values.interval() != 1;
}

// Integers that rise or fall from row to row, by more than rows are counted; in a file with many of them only those whose name
// has a word for times.
std::vector<Column> rising_integers(ParquetFile& file) {
  constexpr std::size_t kMany = 3;
  std::vector<Column> integers;
  for (const Column& column : file.columns()) {
    if (is_integer_column(column) && integers.size() < kMostColumns) {
      integers.push_back(column);
    }
  }
  const TimeProbe probe(file, integers);
  std::vector<Column> rising;
  for (const Column& column : integers) {
    if (counts_on(probe.of(column))) {
      rising.push_back(column);
    }
  }
  if (rising.size() >= kMany) {
    const auto is_other = [](const Column& column) { return !text::time_name(column.name).mentions; };
    rising.erase(std::remove_if(rising.begin(), rising.end(), is_other), rising.end());
  }
  return rising;
}

}  // namespace

std::vector<std::string> TimeProposals::tries(const std::string& verb, const std::string& path) const {
  std::vector<std::string> lines;
  for (const std::string& option : options) {
    lines.push_back("try: mpq " + verb + " " + option + " " + (path == "-" ? path : text::shell_path(path)));
  }
  return lines;
}

TimeProposals other_units(const TimeColumn& time) {
  TimeProposals proposals;
  for (const char* const unit : {"excel", "ms", "us"}) {
    if (unit == std::string_view("excel") ? time.may_be_serial_days : time.in_doubt) {
      proposals.options.push_back("--time " + shell_word(time.name() + ":" + unit));
    }
  }
  return proposals;
}

TimeProposals propose_times(ParquetFile& file) {
  TimeProposals proposals;
  const Facts facts = read_facts(file);
  const TimeFinder finder(file, facts);
  const std::vector<Column> serial = finder.serial_numbers();
  for (const Column& column : serial) {
    proposals.options.push_back("--time " + shell_word(column.name + ":excel"));
  }
  std::vector<Column> columns = finder.bare_numbers();
  if (columns.empty() && serial.empty()) {
    columns = rising_integers(file);
  }
  for (const Column& column : columns) {
    for (const char* const unit : {"ms", "us", "s", "ns"}) {
      if (proposals.options.size() < kMostOptions) {
        proposals.options.push_back("--time " + shell_word(column.name + ":" + unit));
      }
    }
  }
  columns.insert(columns.begin(), serial.begin(), serial.end());
  if (!columns.empty()) {
    proposals.why = columns.front().name + " may be one, and nothing says its unit";
  }
  return proposals;
}

std::optional<Column> find_number_column(ParquetFile& file) {
  for (const Column& column : file.columns()) {
    std::string name;
    for (const char c : column.name) {
      name += c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (is_integer_column(column) &&
        std::find(kNumberNames.begin(), kNumberNames.end(), name) != kNumberNames.end()) {
      return column;
    }
  }
  return std::nullopt;
}

}  // namespace mpq_tool
