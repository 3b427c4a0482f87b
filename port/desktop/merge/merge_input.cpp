#include "merge_input.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include "log_timing.h"
#include "microparquet/schema.h"
#include "read_failure.h"
#include "time_choice.h"
#include "type_text.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
using mpq::LogicalKind;
using mpq::SchemaElement;

bool has_written_type(const SchemaElement& element) {
  return element.logical.kind == LogicalKind::kNull || !mpq::is_read_only(element.logical.kind);
}

// A node in words that differ where nodes do.
std::string node_text(const SchemaElement& element) {
  std::string text = std::to_string(element.depth) + ' ' +
                     std::to_string(static_cast<int>(element.repetition)) + ' ' +
                     std::to_string(element.children) + ' ';
  text += element.leaf ? physical_text(element) + ' ' : "group ";
  text += logical_text(element) + ' ' + std::to_string(element.converted_type) + ' ' +
          std::to_string(element.name.size()) + ' ';
  text += element.name;
  return text + '\n';
}

constexpr std::uint64_t kTextInMemory = 64;

// Bytes that a row takes in memory: by the footer, which says little of a text that comes again and again.
std::uint64_t row_bytes_of(ParquetFile& file) {
  std::uint64_t bytes = 0;
  for (const Column& column : file.columns()) {
    const std::uint64_t width = mpq::value_bytes(column.element.type, column.element.type_length);
    bytes += width != 0 ? width : kTextInMemory;
  }
  std::uint64_t stored = 0;
  std::uint64_t rows = 0;
  constexpr int kSomeGroups = 4;
  for (int i = 0; i < kSomeGroups && file.next_row_group(); ++i) {
    rows += file.reader().row_group_rows();
    for (const Column& column : file.columns()) {
      stored += file.column_chunk(column.number).uncompressed_bytes;
    }
  }
  return std::max(bytes, stored / std::max<std::uint64_t>(rows, 1));
}

// Times of the first row and the last.
std::vector<std::int64_t> times_at_the_ends(ParquetFile& file, const TimeColumn& time) {
  std::vector<Column> columns;
  const TimeCells cells(time, columns);
  std::vector<std::int64_t> times;
  file.choose(columns);
  for (std::uint64_t row = 0; times.empty() && file.next_row(); ++row) {
    if (const auto units = cells.time(file.reader(), row)) {
      times.push_back(*units);
    }
  }
  if (const std::uint64_t rows = file.reader().rows(); rows > 1) {
    file.choose(columns);
    file.pass_rows(rows - 1);
    if (const auto units = file.next_row() ? cells.time(file.reader(), rows - 1) : std::nullopt) {
      times.push_back(*units);
    }
  }
  return times;
}

bool is_number_of_time(const TimeColumn& time) {
  const SchemaElement& element = time.sources.front().column.element;
  const LogicalKind kind = element.logical.kind;
  return time.is_one_column() && element.type != mpq::Type::kByteArray &&
         (kind == LogicalKind::kNone || kind == LogicalKind::kInteger);
}

// The dates that counts become are in UTC: those of local time, as a spreadsheet's, stay counts.
bool is_dated_number(const TimeColumn& time) { return is_number_of_time(time) && is_utc(time); }

// Finds out whether every row has a date, which no row has of a clock that began again within the file: nobody knows when that was.
void find_dates(ParquetFile& file, MergeTime& time) {
  const auto timing = read_timing(file, time.column, {});
  if (!timing || timing->rows != file.reader().rows()) {
    return;
  }
  const bool wraps = timing->first > timing->last;
  const bool goes_on = timing->restarts == 0 && !(timing->habits.newest_first && wraps);
  time.makes_dates = time.column.since_1970() || goes_on;
  time.interval = timing->interval;
  time.begin = timing->first;
  time.end = timing->sets == 0 ? timing->first + (timing->axis_last - timing->axis_first) : timing->last;
}

}  // namespace

std::shared_ptr<const MergeSchema> MergeInputs::schema_of(ParquetFile& file) {
  auto schema = std::make_shared<MergeSchema>();
  std::set<std::string> names;
  file.visit_schema([&](const SchemaElement& element) {
    if (element.depth == 0) {
      return;
    }
    schema->text += node_text(element);
    const bool is_flat = element.depth == 1 && element.leaf && element.max_repetition_level == 0;
    const bool has_name = !element.name.empty() && element.name.size() <= mpq::kMaxNameBytes &&
                          names.insert(std::string(element.name)).second;
    schema->is_flat = schema->is_flat && is_flat && has_name && has_written_type(element);
  });
  const auto [known, is_new] = schemas_.try_emplace(schema->text);
  if (is_new) {
    schema->columns = file.columns();
    known->second = std::move(schema);
  }
  return known->second;
}

MergeTime MergeInputs::time_of(ParquetFile& file, const Facts& facts) {
  std::optional<TimeColumn> column;
  try {
    column = find_time_column(file, request_, facts);
    right_ = true;
  } catch (const WrongRequest& wrong) {
    wrong_ = wrong;
    column = find_time_column(file, TimeRequest(), facts);
  }
  MergeTime time;
  if (!column) {
    return time;
  }
  const std::vector<std::int64_t> times = times_at_the_ends(file, *column);
  if (times.empty()) {
    return time;
  }
  time.is_known = true;
  time.column = *column;
  time.first = *std::min_element(times.begin(), times.end());
  time.is_dated = times_ == Times::kDates && is_dated_number(*column);
  if (time.is_dated) {
    find_dates(file, time);
  }
  return time;
}

MergeInput MergeInputs::read(const std::string& path) {
  MergeInput input;
  input.file = std::make_shared<InputFile>(path);
  ParquetFile file(*input.file);
  input.schema = schema_of(file);
  input.rows = file.reader().rows();
  file.visit_key_values([&](const mpq::KeyValue& pair) {
    input.key_values.emplace_back(std::string(pair.key), std::string(pair.value));
  });
  input.facts = facts_in(input.key_values);
  take_key_values(input.key_values, input.about);
  if (input.rows != 0 && !file.columns().empty()) {
    input.row_bytes = row_bytes_of(file);
    if (times_ != Times::kNone) {
      input.time = time_of(file, input.facts);
    }
  }
  input.after_footer = file.rows_after_footer();
  return input;
}

void MergeInputs::check_time() const {
  if (wrong_ && !right_) {
    throw WrongRequest(*wrong_);
  }
}

namespace {

// A number in digits, or text: numbers come first, in their order.
using OrderKey = std::tuple<bool, std::size_t, std::string>;

OrderKey order_key(const std::string& text) {
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (!is_number) {
    return {true, 0, text};
  }
  const std::string digits = text.substr(std::min(text.find_first_not_of('0'), text.size()));
  return {false, digits.size(), digits};
}

// Parts of a path without its ending: numbers, and what is between them.
std::vector<OrderKey> name_keys(const std::string& path) {
  const std::string name = std::filesystem::path(path).replace_extension().string();
  std::vector<OrderKey> keys;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (auto begin = name.begin(); begin != name.end();) {
    const bool digits = is_digit(*begin);
    const auto end = std::find_if(begin, name.end(), [&](char c) { return is_digit(c) != digits; });
    keys.push_back(order_key({begin, end}));
    begin = end;
  }
  return keys;
}

// The first time in seconds; comparable with those of the same kind.
struct FirstTime {
  TimeColumn::Kind kind = TimeColumn::Kind::kFromStart;
  long double seconds = 0;

  bool operator<(const FirstTime& other) const { return seconds < other.seconds; }
};

FirstTime first_time(const MergeTime& time) {
  const auto instant = since_1970(time.column, time.first);
  FirstTime first;
  first.kind = instant ? TimeColumn::Kind::kSince1970 : time.column.kind;
  first.seconds = static_cast<long double>(instant.value_or(time.first)) /
                  static_cast<long double>(time.column.units_per_second);
  return first;
}

bool have_comparable_times(const std::vector<MergeInput>& inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [&](const MergeInput& input) {
    return input.time.is_known && inputs.front().time.is_known &&
           first_time(input.time).kind == first_time(inputs.front().time).kind;
  });
}

bool is_before(const MergeInput& a, const MergeInput& b) {
  const auto key = [](const MergeInput& input) {
    return std::tuple(order_key(input.about.device), order_key(input.about.session),
                      order_key(input.about.split));
  };
  return key(a) < key(b);
}

}  // namespace

void sort_by_session(std::vector<MergeInput>& inputs) {
  std::stable_sort(inputs.begin(), inputs.end(), is_before);
}

void sort_by_name(std::vector<std::string>& paths) {
  std::stable_sort(paths.begin(), paths.end(),
                   [](const std::string& a, const std::string& b) { return name_keys(a) < name_keys(b); });
}

std::string put_in_order(std::vector<MergeInput>& inputs) {
  const bool by_time = have_comparable_times(inputs);
  const bool by_session = std::all_of(inputs.begin(), inputs.end(),
                                      [](const MergeInput& input) { return !input.about.session.empty(); });
  if (by_time) {
    std::stable_sort(inputs.begin(), inputs.end(), [](const MergeInput& a, const MergeInput& b) {
      return first_time(a.time) < first_time(b.time);
    });
  }
  if (by_session) {
    sort_by_session(inputs);
  }
  return by_session ? "in order of session and split" : by_time ? "in order of time" : "in the order given";
}

namespace {

bool is_clock_that_wraps(const MergeInput& input) {
  return input.time.makes_dates && input.time.column.wraps_at != 0 && !input.about.session.empty();
}

bool is_same_clock(const MergeInput& a, const MergeInput& b) {
  return a.about.device == b.about.device && a.about.session == b.about.session &&
         a.about.started_at == b.about.started_at && a.time.column.name() == b.time.column.name() &&
         a.time.column.units_per_second == b.time.column.units_per_second;
}

}  // namespace

void continue_clocks(std::vector<MergeInput>& inputs) {
  constexpr std::int64_t kFarGap = 1'000;  // times an interval
  const MergeInput* before = nullptr;
  for (MergeInput& input : inputs) {
    if (!is_clock_that_wraps(input)) {
      continue;
    }
    MergeTime& time = input.time;
    if (before != nullptr && is_same_clock(*before, input)) {
      const std::int64_t end = before->time.end + before->time.offset;
      const std::int64_t turn = time.column.wraps_at;
      const std::int64_t far = kFarGap * std::max<std::int64_t>(time.interval, 1);
      time.offset = before->time.offset;
      while (time.begin + time.offset < end - time.interval) {
        time.offset += turn;
      }
      time.makes_dates = time.offset == before->time.offset || time.begin + time.offset <= end + far;
    }
    before = time.makes_dates ? &input : before;
  }
}

}  // namespace mpq_tool
