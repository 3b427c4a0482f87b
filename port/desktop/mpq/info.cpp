#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "commands.h"
#include "file_facts.h"
#include "file_summary.h"
#include "health_text.h"
#include "input_file.h"
#include "log_timing.h"
#include "microparquet/facts.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/quoted.h"
#include "microparquet/text/utf8.h"
#include "output.h"
#include "parquet_file.h"
#include "read_failure.h"
#include "row_printer.h"
#include "time_choice.h"
#include "timing_text.h"
#include "type_text.h"
#include "value_text.h"

namespace mpq_tool {

namespace {

using Json = nlohmann::ordered_json;
using microparquet::text::counted;
using microparquet::text::grouped_digits;

struct FileFacts {
  std::string name;
  std::uint64_t rows = 0;
  std::uint64_t rows_after_footer = 0;
  std::uint64_t rows_safe = 0;  // of these: rows that a save has made safe
  std::uint64_t rows_dropped = 0;
  std::uint64_t bytes = 0;
  std::uint32_t row_groups = 0;
  std::map<std::string, std::string> key_values;
  Facts said;  // facts in the key-values
  std::vector<Column> columns;
  std::optional<LogTiming> timing;
  TimeProposals proposals;  // what may be a time, where there is none
};

FileFacts facts_of(const std::string& path, const TimeRequest& time) {
  const InputFile input(path);
  ParquetFile file(input);
  FileFacts facts;
  facts.name = file.name();
  facts.rows = file.reader().rows();
  const microparquet::recovery::RowsAfterFooter after = file.rows_behind_footer();
  facts.rows_after_footer = after.rows;
  facts.rows_safe = after.safe;
  facts.rows_dropped = dropped_rows(file);
  facts.bytes = file.reader().file_bytes();
  facts.row_groups = file.reader().row_groups();
  facts.columns = file.columns();
  file.visit_key_values(
      [&](const microparquet::KeyValue& pair) { facts.key_values.emplace(pair.key, pair.value); });
  facts.said = read_facts(file);
  const auto column = find_time_column(file, time, facts.said);
  facts.timing = column ? read_timing(file, *column, {}) : std::nullopt;
  if (!facts.timing) {
    facts.proposals = propose_times(file);
  }
  return facts;
}

// Empty: there is none.
std::string value_of(const FileFacts& facts, std::string_view key) {
  const auto found = facts.key_values.find(std::string(key));
  return found == facts.key_values.end() ? "" : found->second;
}

// The device, also by the key that our own examples have.
std::string device_of(const FileFacts& facts) {
  const std::string device = value_of(facts, microparquet::facts::kDevice);
  return device.empty() ? value_of(facts, "device") : device;
}

// Text as Json takes it: with U+FFFD in place of wrong bytes.
std::string utf8(const std::string& text) { return Json::parse(json_string(text)); }

Json json_of(const LogTiming& timing) {
  const auto per_second = static_cast<double>(timing.time.units_per_second);
  Json json;
  json["column"] = utf8(timing.time.name());
  json["assumed"] = timing.time.assumed.empty() ? Json() : Json(utf8(timing.time.assumed));
  json["first"] = instant_text(timing.time, timing.first);
  json["last"] = instant_text(timing.time, timing.last);
  json["seconds"] = span_seconds(timing);
  json["interval_seconds"] = static_cast<double>(timing.interval) / per_second;
  json["jitter_seconds"] = timing.jitter / per_second;
  json["regular"] = timing.regular;
  json["gaps"] = timing.gaps;
  json["longest_gap_seconds"] = static_cast<double>(timing.longest_gap) / per_second;
  json["longest_gap_after_row"] = timing.longest_gap_row;
  json["missing_rows"] = timing.missing;
  json["missing_numbers"] = timing.numbers_missing ? Json(*timing.numbers_missing) : Json();
  json["steps_back"] = timing.steps_back;
  json["restarts"] = timing.restarts;
  json["rows_without_date"] = timing.undated;
  json["clock_sets"] = timing.sets;
  json["newest_first"] = timing.habits.newest_first;
  return json;
}

Json json_of(const Column& column, const Facts& said) {
  Json json = {{"name", utf8(column.name)}, {"type", type_text(column.element)}};
  if (const auto unit = said.units.find(column.name); unit != said.units.end()) {
    json["unit"] = utf8(unit->second);
  }
  if (const auto scale = said.scales.find(column.name); scale != said.scales.end()) {
    json["scale"] = scale->second;
  }
  if (const auto offset = said.offsets.find(column.name); offset != said.offsets.end()) {
    json["offset"] = offset->second;
  }
  return json;
}

Json json_of(const FileFacts& facts) {
  Json json;
  json["file"] = utf8(facts.name);
  json["rows"] = facts.rows;
  json["rows_after_footer"] = facts.rows_after_footer;
  json["rows_safe_after_footer"] = facts.rows_safe;
  json["rows_dropped"] = facts.rows_dropped;
  json["row_groups"] = facts.row_groups;
  json["bytes"] = facts.bytes;
  json["time"] = facts.timing ? json_of(*facts.timing) : Json();
  if (!facts.timing) {
    json["time_may_be"] = Json::array();
    for (const std::string& option : facts.proposals.options) {
      json["time_may_be"].push_back(utf8(option));
    }
  }
  json["columns"] = Json::array();
  for (const Column& column : facts.columns) {
    json["columns"].push_back(json_of(column, facts.said));
  }
  json["key_values"] = Json::object();
  for (const auto& [key, value] : facts.key_values) {
    json["key_values"][utf8(key)] = utf8(value);
  }
  return json;
}

class FileTable {
 public:
  // Names in `folder` are shown without it.
  explicit FileTable(std::string folder) : folder_(std::move(folder)) {
    for (const char* const title : {"file", "from", "for"}) {
      table_.add_column(title, Table::Align::kLeft);
    }
    for (const char* const title : {"rows", "rate", "gaps", "missing", "after footer", "bytes"}) {
      table_.add_column(title, Table::Align::kRight);
    }
  }

  void add(const FileFacts& facts) {
    ++files_;
    rows_ += facts.rows;
    bytes_ += facts.bytes;
    after_footer_ += facts.rows_after_footer;
    if (const std::string device = device_of(facts); !device.empty()) {
      devices_.insert(device);
      sessions_.insert(device + '\0' + value_of(facts, microparquet::facts::kSession));
    }
    const bool is_inside = !folder_.empty() && facts.name.compare(0, folder_.size(), folder_) == 0;
    std::vector<std::string> cells = {is_inside ? facts.name.substr(folder_.size()) : facts.name,
                                      "-",
                                      "-",
                                      grouped_digits(facts.rows),
                                      "-",
                                      "-",
                                      "-",
                                      grouped_digits(facts.rows_after_footer),
                                      grouped_digits(facts.bytes)};
    if (facts.timing) {
      add_timing(*facts.timing, cells);
    }
    table_.add_row(std::move(cells));
  }

  // A file that could not be read.
  void add_unread(std::string why) { unread_.push_back(std::move(why)); }

  // What could not be read is said last.
  void print(Output& output) {
    if (files_ != 0) {
      print_files(output);
    }
    output.flush();
    for (const std::string& why : unread_) {
      tell(why);
    }
  }

 private:
  void print_files(Output& output) {
    if (table_.print(output, 0, terminal_width()) != 0) {
      output.line("(more in a wider terminal, or by: mpq info FILE... | cat)");
    }
    std::string sum = grouped_digits(files_) + " files, " + grouped_digits(rows_) + " rows, " +
                      grouped_digits(bytes_) + " bytes";
    if (!devices_.empty()) {
      sum += "; " + counted(devices_.size(), "device", "devices") + ", " +
             counted(sessions_.size(), "session", "sessions");
    }
    if (!unread_.empty()) {
      sum += "; " + counted(unread_.size(), "more file", "more files") + " could not be read";
    }
    output.line("");
    output.line(sum);
    if (seconds_ > 0) {
      output.line(duration_text(seconds_) + " in all, " + counted(missing_, "row", "rows") + " missing");
    }
    if (after_footer_ != 0) {
      output.line(grouped_digits(after_footer_) + " rows more after last footers: `mpq recover` adds them");
    }
  }

  void add_timing(const LogTiming& timing, std::vector<std::string>& cells) {
    const double seconds = span_seconds(timing);
    seconds_ += seconds;
    cells[1] = instant_text(timing.time, timing.first);
    cells[2] = duration_text(seconds);
    if (timing.regular) {
      missing_ += timing.missing;
      cells[4] = rate_in_brief(timing);
      cells[5] = grouped_digits(timing.gaps);
      cells[6] = grouped_digits(timing.missing);
    }
  }

  std::string folder_;
  Table table_;
  std::vector<std::string> unread_;
  std::uint64_t files_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t after_footer_ = 0;
  std::uint64_t missing_ = 0;
  double seconds_ = 0;
  std::set<std::string> devices_;
  std::set<std::string> sessions_;
};

int print_json_of(const std::vector<std::string>& files, const TimeRequest& time, Output& output) {
  Guard guard(output);
  for (const std::string& path : files) {
    guard.run(
        [&] { output.data_line(microparquet::text::shown_json(json_of(facts_of(path, time)).dump())); });
  }
  return guard.code();
}

// "FOLDER/" where that is all that was given, else nothing.
std::string folder_of(const std::vector<std::string>& paths) {
  std::error_code ignored;
  if (paths.size() != 1 || !std::filesystem::is_directory(paths.front(), ignored)) {
    return {};
  }
  return paths.front().back() == '/' ? paths.front() : paths.front() + '/';
}

int print_table_of(const std::vector<std::string>& files, const InfoRequest& request, Output& output) {
  FileTable table(folder_of(request.paths));
  int code = 0;
  for (const std::string& path : files) {
    try {
      table.add(facts_of(path, request.time));
    } catch (const WrongRequest&) {
      throw;
    } catch (const Failure& failure) {
      table.add_unread(failure.what());
      code = 1;
    }
  }
  table.print(output);
  return code;
}

// Summaries of all columns, and the number of statistics that cannot be read; these count as none.
struct Summaries {
  std::deque<ColumnSummary> columns;
  std::uint64_t unreadable = 0;
};

Summaries summarise(ParquetFile& file) {
  Summaries summaries;
  for (const Column& column : file.columns()) {
    summaries.columns.emplace_back(column.element);
  }
  std::vector<std::byte> buffer;
  while (file.next_row_group()) {
    for (const Column& column : file.columns()) {
      const auto chunk = file.column_chunk(column.number);
      const auto statistics = file.column_statistics(column.number, buffer);
      summaries.columns[column.number].add(chunk, statistics.value_or(microparquet::ColumnStatistics()));
      summaries.unreadable += statistics ? 0U : 1U;
    }
  }
  return summaries;
}

std::string encoding_text(const ColumnSummary& summary) {
  std::string text = encoding_names(summary.encodings());
  for (unsigned codec = 1; codec < 256; ++codec) {  // 0: uncompressed
    if (summary.uses(static_cast<microparquet::CodecId>(codec))) {
      text += " " + codec_name(static_cast<microparquet::CodecId>(codec));
    }
  }
  return text;
}

std::string bound_text(const microparquet::SchemaElement& element, const std::optional<Bound>& bound) {
  constexpr std::size_t kMax = 32;
  if (!bound) {
    return "-";
  }
  const std::string text = value_text(element, *bound);
  return text == "-0.0" ? "0" : shortened(text, kMax);  // a zero bound has a sign by convention only
}

// Keeps the end, too, which tells apart names that begin alike, where it is plain letters.
std::string shortened_inside(const std::string& name, std::size_t width) {
  constexpr std::size_t kEnd = 5;
  constexpr std::size_t kLeast = 12;
  const std::string end = name.substr(name.size() - std::min(name.size(), kEnd));
  const bool is_plain = std::all_of(end.begin(), end.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (width_of(name) <= width || width < kLeast || !is_plain) {
    return shortened(name, width);
  }
  return shortened(name, width - kEnd) + end;
}

// Shortens names and bounds until these fit in the terminal together with types and nulls, the second and the third of the cells.
void fit(std::vector<std::vector<std::string>>& rows) {
  constexpr std::size_t kLeast = 8;
  constexpr std::size_t kBetween = 10;                  // spaces before and between five columns
  std::array<std::size_t, 5> widths = {6, 4, 5, 3, 3};  // those of the titles
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  }
  const std::size_t fixed = widths[1] + widths[2] + kBetween;
  const std::size_t room = std::max(terminal_width(), fixed + 3 * kLeast) - fixed;
  const std::size_t bounds = widths[3] + widths[4];
  if (widths[0] + bounds <= room) {
    return;
  }
  const std::size_t name = std::min(widths[0], std::max(room / 3, room - std::min(room, bounds)));
  for (std::vector<std::string>& row : rows) {
    row[0] = shortened_inside(row[0], name);
    row[3] = shortened(row[3], (room - name) / 2);
    row[4] = shortened(row[4], (room - name) / 2);
  }
}

void print_columns(ParquetFile& file, Output& output) {
  Table table;
  table.add_column("column", Table::Align::kLeft);
  table.add_column("type", Table::Align::kLeft);
  table.add_column("nulls", Table::Align::kRight);
  table.add_column("min", Table::Align::kLeft);
  table.add_column("max", Table::Align::kLeft);
  table.add_column("encoding", Table::Align::kLeft);
  table.add_column("bytes", Table::Align::kRight);
  const Facts facts = read_facts(file);
  if (facts.has_units()) {
    table.add_column("unit", Table::Align::kLeft);
  }
  Summaries summaries = summarise(file);
  std::vector<std::vector<std::string>> rows;
  for (const Column& column : file.columns()) {
    const ColumnSummary& summary = summaries.columns.front();
    std::vector<std::string> cells = {column.name,
                                      type_text(column.element),
                                      summary.nulls() ? grouped_digits(*summary.nulls()) : "-",
                                      bound_text(column.element, summary.min()),
                                      bound_text(column.element, summary.max()),
                                      encoding_text(summary),
                                      grouped_digits(summary.bytes())};
    if (facts.has_units()) {
      cells.push_back(facts.unit_text(column.name));
    }
    rows.push_back(std::move(cells));
    summaries.columns.pop_front();
  }
  if (terminal_width() != 0) {
    fit(rows);
  }
  for (std::vector<std::string>& row : rows) {
    table.add_row(std::move(row));
  }
  output.line("");
  if (table.print(output, 2, terminal_width()) != 0) {
    output.line("  (more in a wider terminal, or by: mpq info FILE | cat)");
  }
  if (summaries.unreadable != 0) {
    output.line("  (" + counted(summaries.unreadable, "column chunk has", "column chunks have") +
                " statistics that cannot be read; mpq verify says which)");
  }
}

// A line, which fits in the terminal.
void print_fact(const std::string& title, const std::string& text, Output& output) {
  constexpr std::size_t kTitle = 12;
  const std::string line = "  " + title + std::string(kTitle - title.size(), ' ') + text;
  output.line(terminal_width() == 0 ? line : shortened(line, terminal_width()));
}

// A fact in several lines.
void print_facts(std::string title, const std::vector<std::string>& lines, Output& output) {
  for (const std::string& line : lines) {
    print_fact(title, line, output);
    title.clear();
  }
}

// What to type for a file in which no times were found; whole, to be pasted.
void print_proposals(ParquetFile& file, const std::string& argument, Output& output) {
  const TimeProposals proposals = propose_times(file);
  if (proposals.why.empty()) {
    return;
  }
  print_fact("time", "none: " + proposals.why, output);
  for (const std::string& line : proposals.tries("info", argument)) {
    output.line("              " + line);
  }
}

// What is wrong with rows that cannot be read, other commands say.
void print_timing(ParquetFile& file, const std::string& argument, const std::optional<TimeColumn>& time,
                  Output& output) {
  std::optional<LogTiming> timing;
  try {
    timing = time ? read_timing(file, *time, {}) : std::nullopt;
  } catch (const Failure&) {
    print_fact("time", "(cannot be read: `mpq verify` says why)", output);
    return;
  }
  if (!timing) {
    print_proposals(file, argument, output);
    return;
  }
  print_fact("time",
             instant_text(timing->time, timing->first) + " to " + instant_text(timing->time, timing->last),
             output);
  const std::string columns = timing->time.sources.size() == 1 ? ", by column " : ", by columns ";
  print_fact("span", span_text(*timing) + columns + timing->time.name(), output);
  if (!timing->time.assumed.empty()) {
    print_fact("assumed", timing->time.assumed, output);
  }
  for (const std::string& line : other_units(timing->time).tries("info", argument)) {
    output.line("              " + line);
  }
  if (timing->interval > 0) {
    print_fact("rate", rate_text(*timing), output);
  }
  print_facts("clock", clock_text(*timing), output);
  print_facts("gaps", missing_text(*timing, dropped_rows(file)), output);
}

// Whole, however wide the terminal is.
void print_health(ParquetFile& file, Output& output) {
  file.visit_key_values([&output](const microparquet::KeyValue& pair) {
    const std::string text = pair.key == microparquet::facts::kHealth ? health_text(pair.value) : "";
    if (!text.empty()) {
      output.line("  health      " + text);
    }
  });
}

}  // namespace

int print_info(const InfoRequest& request, Output& output) {
  const std::vector<std::string> files = named_files(request.paths);
  if (request.json) {
    return print_json_of(files, request.time, output);
  }
  if (files.size() > 1) {
    return print_table_of(files, request, output);
  }
  const InputFile input(files.front());
  {
    // What is wrong with the request is said before a line is printed.
    ParquetFile rows(input);
    const std::optional<TimeColumn> time = find_time_column(rows, request.time);
    print_file(rows, output);
    print_timing(rows, files.front(), time, output);
    print_health(rows, output);
  }
  ParquetFile file(input);
  print_key_values(file, output);
  print_columns(file, output);
  return 0;
}

}  // namespace mpq_tool
