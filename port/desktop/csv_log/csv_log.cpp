// csv_log IN.csv OUT.parquet: replays any CSV file with a header as if its rows came from a sensor.
//
// It shows a schema that is built at run time: the columns' types come from the data, the array of Field from
// the types (column_type.cpp), the memory for the writer from Writer::required_bytes, and rows go in as
// arrays of Value (replay.cpp). On a disk the file is written in place; standard output and pipes get it
// strictly forward.
//
// Needs CLI11 and utf8proc (Debian: libcli11-dev, libutf8proc-dev).
#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

#include "advice.h"
#include "cell.h"
#include "csv_settings.h"
#include "explain.h"
#include "further_tables.h"
#include "layout.h"
#include "line_source.h"
#include "microparquet/desktop/program.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/printed_text.h"
#include "microparquet/text/progress_line.h"
#include "microparquet/text/utf8.h"
#include "next_name.h"
#include "output_file.h"
#include "replay.h"
#include "signals.h"
#include "table_plan.h"
#include "table_rows.h"
#include "types_table.h"
#include "writer_setup.h"

namespace csv_log {

namespace {

using microparquet::text::grouped_digits;
using microparquet::text::print_line;
using microparquet::text::To;

// Writing begins before the last of the input is read.
void check_files(const LineSource& input, const Output& output, const Settings& settings) {
  if (input.is(settings.output)) {
    throw Failure(settings.output + ": IN and OUT are the same file; give OUT another name");
  }
  if (settings.append && !output.can_seek()) {
    throw Failure(output.name() + ": rows can only be added to a file on a disk; leave out --append");
  }
}

void tell(const std::string& message) { print_line(To::kErrors, "csv_log: " + message); }

// What was found in the layout that nobody has said and a person might not expect.
void say_layout(const Layout& layout, const TablePlan& plan, const Settings& settings) {
  const bool told = settings.delimiter_told || plan.cells == 1;
  if (layout.dialect.delimiter != ',' && !told) {
    tell(settings.input + ": its cells stand between " + name_of_delimiter(layout.dialect) +
         "; if they do not, give --delimiter ,");
  }
  if (layout.has_header && layout.passed_over != 0 && settings.dialect.skipped_lines == 0) {
    tell(settings.input + ":" + std::to_string(layout.names_line) + ": the names stand in this line" +
         (layout.rivals != 0 ? "; if they are in another, give --skip with the number of lines before it"
                             : ""));
  }
  if (!layout.has_header && !settings.no_header && layout.data_line != 0) {
    tell(settings.input + ":" + std::to_string(layout.data_line) +
         ": this line is the first row, as its cells are what the columns hold; if it has names, give "
         "--skip " +
         std::to_string(layout.data_line - 1));
  }
  for (const std::string& name : plan.renamed) {
    tell(settings.input + ":" + std::to_string(layout.names_line) + ": several columns have one name: \"" +
         name + "\" is a later one of them");
  }
}

std::string times_text(std::uint64_t count, const char* one, const char* many) {
  return count == 1 ? std::string("1 ") + one : grouped_digits(count) + " " + many;
}

void say_passed_over(const Outcome& outcome, const Settings& settings) {
  const PassedOver& passed = outcome.passed_over;
  const std::string where = settings.input == "-" ? "standard input" : settings.input;
  if (passed.headings != 0) {
    tell(where + ":" + std::to_string(passed.first_heading) + ": the header again, " +
         times_text(passed.headings, "time", "times") + "; no row");
  }
  if (passed.cut_lines != 0) {
    tell(where + ":" + std::to_string(passed.first_cut) + ": the line is cut; no row");
  }
  if (passed.bytes != 0) {
    tell(where + ": " + times_text(passed.bytes, "byte", "bytes") +
         " of zeros or ones between lines or at the end, as in a file that was not closed");
  }
  if (outcome.bad_lines.count != 0 && settings.skip_bad_lines) {
    tell(where + ":" + std::to_string(outcome.bad_lines.first_line) + ": " + outcome.bad_lines.first_why +
         "; " + times_text(outcome.bad_lines.count, "such line was", "such lines were") + " left out");
  }
}

void print_summary(const Outcome& outcome, const TablePlan& plan, const Output& output,
                   const Settings& settings, To to) {
  print_line(to, output.name());
  print_line(to, "  rows        " + grouped_digits(outcome.rows));
  if (settings.append) {
    print_line(to, "  added       " + grouped_digits(outcome.rows - outcome.rows_before));
  }
  print_line(to, "  row groups  " + grouped_digits(outcome.row_groups));
  print_line(to, "  bytes       " + grouped_digits(outcome.bytes));
  print_line(to, "  memory      " + grouped_digits(outcome.arena_bytes) + " bytes");
  print_types(to, plan, outcome.bad_cells);
  microparquet::text::flush(to);
}

// Describes the file that a run which ended early has left.
std::string remains(const Outcome& outcome, const Output& output) {
  const std::string rows = outcome.rows == 1 ? "row" : grouped_digits(outcome.rows) + " rows";
  if (outcome.old_is_kept) {
    return output.name() + " is left as it was";
  }
  if (outcome.is_removed) {
    return output.name() + " was not complete, and is removed";
  }
  if (!outcome.has_name) {
    return "the file that was there is complete with the " + rows +
           " before that, if it has another name now";
  }
  return output.name() + " is complete with the " + rows + " before that";
}

Layout look_at(LineSource& input, const Settings& settings, const std::optional<ExistingFile>& existing,
               std::vector<std::string_view>& lines);

// Command lines for who takes the text for Latin-1, with what that person may have to decide besides.
void say_latin1_tries(Settings settings) {
  const bool overwrite = Output(settings.output).exists() && !settings.append;
  settings.latin1 = true;
  settings.options.insert(settings.options.end(), {"--charset", "latin1"});
  std::vector<std::string> tries;
  LineSource again(settings.input);
  if (again.can_rewind()) {
    again.take_latin1();
    std::vector<std::string_view> lines;
    const Layout layout = look_at(again, settings, std::nullopt, lines);
    TablePlan plan = plan_table(layout, settings);
    TableRows rows(again, layout);
    microparquet::text::ProgressLine progress;
    settle_types(rows, plan, settings, true, again.bytes(), progress);
    progress.clear();
    tries = command_lines(plan, layout, settings, overwrite);
  }
  if (tries.empty()) {
    tries = {command_line(settings, overwrite)};
  }
  for (const std::string& line : tries) {
    print_line(To::kErrors, line);
  }
}

void say_tries(const TablePlan& plan, const Layout& layout, const Settings& settings) {
  const bool exists = Output(settings.output).exists();
  for (const std::string& line : command_lines(plan, layout, settings, exists && !settings.append)) {
    print_line(To::kErrors, line);
  }
}

int finish(const Outcome& outcome, const TablePlan& plan, const Layout& layout, const Output& output,
           const Settings& settings) {
  if (!outcome.old_is_kept && !outcome.is_removed && outcome.has_name) {
    print_summary(outcome, plan, output, settings,
                  output.name() == "standard output" ? To::kErrors : To::kOutput);
  }
  say_passed_over(outcome, settings);
  if (!outcome.stopped.empty()) {
    tell(outcome.stopped + (outcome.advice.empty() ? "" : "; ") + outcome.advice);
    tell(remains(outcome, output));
  }
  for (std::size_t i = 0; i < outcome.bad_cells.size(); ++i) {
    const SeenCell& first = outcome.bad_cells[i].first;
    if (!microparquet::text::is_utf8(first.text)) {
      tell((settings.input == "-" ? "standard input" : settings.input) + ":" + std::to_string(first.line) +
           ": column " + quoted(plan.columns[i].name) +
           ": not UTF-8; if it is Latin-1, give --charset latin1");
    }
  }
  if (outcome.not_utf8) {
    say_latin1_tries(settings);
  } else {
    say_tries(plan, layout, settings);
  }
  if (outcome.stopped.empty()) {
    return 0;
  }
  return outcome.signal != 0 ? 128 + outcome.signal : 1;
}

// A live log continues in the last of its files.
void find_last_file(Settings& settings) {
  const unsigned number = settings.append && settings.input == "-" ? last_number(settings.output) : 0;
  settings.first_output = settings.output;
  if (number > 1) {
    settings.output = numbered_name(settings.output, number);
    tell(settings.output + ": the log continues here, in the last of its files");
  }
}

// The file that --append continues, opened; none if it is to be made.
std::optional<ExistingFile> open_existing(Output& output, const Settings& settings) {
  if (!settings.append || !output.exists()) {
    return std::nullopt;
  }
  output.open_for_append();
  return read_existing(output.file(), output.name());
}

std::vector<std::string> names_of(const std::optional<ExistingFile>& existing) {
  std::vector<std::string> names;
  for (std::size_t i = 0; existing && i < existing->columns.size(); ++i) {
    names.push_back(existing->columns[i].name);
  }
  return names;
}

bool has_names_of(const ExistingFile& existing, const Layout& layout) {
  const std::vector<std::string> found = distinct_names(layout.names);
  return std::all_of(existing.columns.begin(), existing.columns.end(), [&](const ColumnPlan& column) {
    return std::find(found.begin(), found.end(), column.name) != found.end();
  });
}

std::vector<std::string_view> first_lines(LineSource& input, const Settings& settings, std::size_t rows) {
  constexpr double kMsPerSecond = 1000;
  constexpr double kUsualSeconds = 60;
  const double seconds = settings.checkpoint_seconds.value_or(0);
  const std::chrono::milliseconds patience(static_cast<std::int64_t>(
      (seconds > 0 ? std::min(seconds, kUsualSeconds) : kUsualSeconds) * kMsPerSecond));
  return input.peek(std::min<std::uint64_t>(settings.dialect.skipped_lines, 1'000'000) + rows, patience);
}

// Finds the layout by the first lines. A log that is continued has the names already: no more lines than needed to find them.
Layout look_at(LineSource& input, const Settings& settings, const std::optional<ExistingFile>& existing,
               std::vector<std::string_view>& lines) {
  constexpr std::size_t kRows = 1'000;
  constexpr std::size_t kMostBeforeNames = 100;
  const ToldLayout told = told_layout(settings, names_of(existing));
  for (std::size_t rows = 1; existing && !input.can_rewind() && rows < kMostBeforeNames; ++rows) {
    lines = first_lines(input, settings, rows);
    Layout layout = find_layout(lines, settings.input, told);
    if (has_names_of(*existing, layout) || lines.size() < rows) {
      return layout;
    }
  }
  lines = first_lines(input, settings, kRows);
  return find_layout(lines, settings.input, told);
}

// Refuses rows with more cells than there are names: nobody knows which column has none.
int refuse_extra_cells(const TablePlan& plan, const Layout& layout, const Settings& settings) {
  tell(settings.input + ":" + std::to_string(layout.data_line) + ": " +
       std::to_string(layout.names.size() + layout.extra_cells) + " cells where the header has " +
       std::to_string(layout.names.size()) + "; say which column has no name, the first or the last");
  say_tries(plan, layout, settings);
  return 1;
}

// What the columns of the next file have that those of this one have not.
std::string prepare_next(const Outcome& outcome, TablePlan& plan) {
  ColumnPlan& column = plan.columns[outcome.column];
  const std::string name = "column " + quoted(column.name);
  for (ColumnPlan& each : plan.columns) {
    each.optional = true;
  }
  switch (outcome.goes_on) {
    case GoesOn::kWider: {
      const std::string before = to_string(stored(column.type));
      widen(column, outcome.strangers);
      return name + ": ten values are not of type " + before + ", the last of them " +
             quoted(outcome.strangers.back()) + "; it is " + to_string(stored(column.type)) + " there";
    }
    case GoesOn::kNullable: return name + ": a cell without a value, and the file has none";
    case GoesOn::kLonger:
      column.longest = outcome.strangers.front().size();
      return name + ": a text longer than a page";
    default: return "the file is at its limits";
  }
}

// Those of two files, the earlier ones first.
BadLines with(const BadLines& earlier, const BadLines& later) {
  BadLines both = earlier.count != 0 ? earlier : later;
  both.count = earlier.count + later.count;
  return both;
}

// Writes the rows into OUT and, where a live log does not fit into it any more, into further files.
Outcome write_files(TableRows& rows, LineSource& input, TablePlan& plan, Settings& settings,
                    std::optional<ExistingFile> existing, std::unique_ptr<Output>& output,
                    microparquet::text::ProgressLine& progress) {
  Acknowledgement acknowledgement(settings.ack);
  Outcome outcome;
  BadLines left_out;
  Row next;
  bool has_next = false;
  while (true) {
    outcome = replay(rows, input, plan, settings, existing ? &*existing : nullptr, *output, progress,
                     acknowledgement, has_next ? &next : nullptr, false);
    progress.clear();
    if (outcome.goes_on == GoesOn::kNot) {
      outcome.bad_lines = with(left_out, outcome.bad_lines);
      return outcome;
    }
    print_summary(outcome, plan, *output, settings,
                  To::kErrors);  // on standard output it continues with "durable N"
    left_out = with(left_out, outcome.bad_lines);
    acknowledgement.go_on(outcome.rows);
    const std::string why = prepare_next(outcome, plan);
    existing.reset();
    settings.append = false;
    settings.overwrite = false;
    settings.output = numbered_name(settings.first_output, last_number(settings.first_output) + 1);
    tell("standard input:" + std::to_string(outcome.next.line()) + ": " + why + "; the log continues in " +
         settings.output);
    output = std::make_unique<Output>(settings.output);
    next = outcome.next;
    has_next = true;
  }
}

// One pass over a file with the types of its first rows, if all others fit. None: they do not, or nobody can know before the last.
std::optional<Outcome> write_by_first_rows(LineSource& input, const std::vector<std::string_view>& lines,
                                           const Layout& layout, TablePlan& plan, const Settings& settings,
                                           std::unique_ptr<Output>& output,
                                           microparquet::text::ProgressLine& progress) {
  // Lines that are left out may be another table, which is looked for when all were seen.
  if (!input.can_rewind() || input.has_ended() || settings.append || settings.ack || !output->can_seek() ||
      settings.skip_bad_lines || (settings.table != 0 && !settings.is_part)) {
    return std::nullopt;
  }
  TablePlan first = plan;
  ShownLines shown(lines, settings.input);
  TableRows first_rows(shown, layout);
  settle_types(first_rows, first, settings, true, 0, progress);
  const bool open = std::any_of(first.columns.begin(), first.columns.end(),
                                [](const ColumnPlan& column) { return column.open; });
  if (open || first.rows == 0 || (first.bad_lines.count != 0 && !settings.skip_bad_lines)) {
    return std::nullopt;
  }
  Acknowledgement acknowledgement(false);
  TableRows rows(input, layout);
  Outcome outcome =
      replay(rows, input, first, settings, nullptr, *output, progress, acknowledgement, nullptr, true);
  progress.clear();
  if (outcome.goes_on != GoesOn::kNot) {
    output = std::make_unique<Output>(settings.output);
    input.rewind();
    return std::nullopt;
  }
  first.bad_lines = outcome.bad_lines;
  plan = std::move(first);
  return outcome;
}

int run(Settings& settings);

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + std::string(trimmed(names[i]));
  }
  return text + (names.size() > kMost ? " and others" : "");
}

// Only one table goes to standard output.
int ask_for_table(const std::vector<FoundTable>& tables, const Settings& settings) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    Settings own = settings;
    own.options.insert(own.options.end(), {"--table", std::to_string(i + 1)});
    print_line(To::kErrors, command_line(own, false));
  }
  return 1;
}

// Writes each table of the file, or the one that is asked for: the second one into NAME-2.parquet.
int write_tables(const std::vector<FoundTable>& tables, const Settings& settings) {
  if (settings.table > tables.size()) {
    throw Failure(settings.input + ": it has " + std::to_string(tables.size()) + " tables, and no table " +
                  std::to_string(settings.table) + "; give another --table");
  }
  const bool all = settings.table == 0;
  for (std::size_t i = 1; all && i < tables.size(); ++i) {
    tell(settings.input + ":" + std::to_string(tables[i].names_line) +
         ": another table begins here: " + names_text(tables[i].names) +
         (settings.output == "-"
              ? "; standard output takes one of them"
              : "; it goes to " + numbered_name(settings.output, static_cast<unsigned>(i + 1))));
  }
  if (all && settings.output == "-") {
    return ask_for_table(tables, settings);
  }
  for (unsigned number = 2; all && number <= tables.size(); ++number) {
    const Output other(numbered_name(settings.output, number));
    if (other.exists() && !settings.overwrite && !settings.append) {
      throw Failure(other.name() + " exists; give OUT another name, or --overwrite");
    }
  }
  int code = 0;
  for (unsigned number = 1; number <= tables.size() && interrupted() == 0; ++number) {
    if (!all && number != settings.table) {
      continue;
    }
    Settings own = settings;
    own.part = tables[number - 1].part;
    own.is_part = true;
    own.dialect.skipped_lines = number == 1 ? settings.dialect.skipped_lines : 0;
    if (all) {
      own.output = numbered_name(settings.output, number);
      own.options.insert(own.options.end(), {"--table", std::to_string(number)});
    }
    code = std::max(code, run(own));
  }
  return code;
}

// The tables of a file, if there are several, or one of them is asked for; else none.
std::vector<FoundTable> further_tables(const LineSource& input, const Layout& layout, const TablePlan& plan,
                                       const Settings& settings) {
  if (!input.can_rewind() || settings.is_part || (plan.bad_lines.count == 0 && settings.table == 0)) {
    return {};
  }
  std::vector<FoundTable> tables = find_tables(layout, settings);
  return tables.size() == 1 && settings.table == 0 ? std::vector<FoundTable>() : tables;
}

void set_up(LineSource& input, const Settings& settings) {
  if (settings.latin1) {
    input.take_latin1();
  }
  if (settings.is_part) {
    input.take_part(settings.part);
  }
}

int explain_first(const std::vector<std::string_view>& lines, const Layout& layout, TablePlan& plan,
                  const Settings& settings) {
  ShownLines shown(lines, settings.input);
  TableRows rows(shown, layout);
  microparquet::text::ProgressLine progress;
  settle_types(rows, plan, settings, true, 0, progress);
  explain(lines, layout, plan, settings);
  return 0;
}

// One or two passes over a file; one over a stream, whose first rows settle the types.
int run(Settings& settings) {
  LineSource input(settings.input);
  set_up(input, settings);
  if (settings.explain) {
    settings.append = false;
    settings.output = settings.output.empty() ? "OUT.parquet" : settings.output;
  }
  find_last_file(settings);
  auto output = std::make_unique<Output>(settings.output);
  check_files(input, *output, settings);
  const std::optional<ExistingFile> existing = open_existing(*output, settings);
  if (existing) {
    settings.structs = existing->structs;  // its columns decide
  }
  std::vector<std::string_view> lines;
  const Layout layout = look_at(input, settings, existing, lines);
  if (interrupted() != 0 && (existing || layout.data_line == 0)) {
    throw Interrupted(output->name());
  }
  if (!input.can_rewind() && input.error() != 0 && interrupted() == 0) {
    throw Failure(settings.input + ": " + microparquet::desktop::error_text(input.error()));
  }
  TablePlan plan = plan_table(layout, settings);
  microparquet::text::ProgressLine progress;
  if (settings.explain) {
    return explain_first(lines, layout, plan, settings);
  }
  if (layout.extra_cells != 0) {
    return refuse_extra_cells(plan, layout, settings);
  }
  say_layout(layout, plan, settings);
  if (const auto outcome = write_by_first_rows(input, lines, layout, plan, settings, output, progress)) {
    return finish(*outcome, plan, layout, *output, settings);
  }
  if (input.can_rewind()) {
    TableRows rows(input, layout);
    progress.begin_again();
    settle_types(rows, plan, settings, true, input.bytes(), progress);
    progress.begin_again();
    input.rewind();
    const std::vector<FoundTable> tables = further_tables(input, layout, plan, settings);
    if (!tables.empty() && interrupted() == 0) {
      progress.clear();
      output.reset();
      return write_tables(tables, settings);
    }
  } else {
    lines.resize(existing ? 0 : lines.size());  // its columns decide
    ShownLines shown(lines, settings.input);
    TableRows rows(shown, layout);
    settle_types(rows, plan, settings, false, 0, progress);
  }
  if (interrupted() != 0 && input.can_rewind()) {
    throw Interrupted(output->name());
  }
  if (existing) {
    take_types(plan, *existing, settings);
  }
  TableRows rows(input, layout);
  const Outcome outcome = write_files(rows, input, plan, settings, existing, output, progress);
  return finish(outcome, plan, layout, *output, settings);
}

int run_or_ask(Settings& settings) {
  try {
    return run(settings);
  } catch (const NotUtf8& failure) {
    tell(failure.what());
    say_latin1_tries(settings);
    return 1;
  }
}

}  // namespace

}  // namespace csv_log

int main(int argc, char** argv) {
  microparquet::desktop::begin_program();
  try {
    csv_log::Settings settings;
    int exit_code = 0;
    if (!csv_log::parse_command_line(argc, argv, settings, exit_code)) {
      return exit_code;
    }
    csv_log::end_input_on_signals();
    return csv_log::run_or_ask(settings);
  } catch (const csv_log::Interrupted& interruption) {
    csv_log::tell(interruption.what());
    return 128 + csv_log::interrupted();
  } catch (const std::bad_alloc&) {
    csv_log::tell("not enough memory; give smaller --page-bytes");
    return 1;
  } catch (const std::exception& error) {
    csv_log::tell(error.what());
    return 1;
  }
}
