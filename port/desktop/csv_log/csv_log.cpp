// csv_log IN.csv OUT.parquet: replays any CSV file with a header as if its rows came from a sensor.
//
// It shows a schema that is built at run time: the columns' types come from the data, the array of Field from
// the types (column_type.cpp), the memory for the writer from Writer::required_bytes, and rows go in as
// arrays of Value (replay.cpp). On a disk the file is written in place; standard output and pipes get it
// strictly forward.
//
// Needs CLI11, utf8proc and libcsv (Debian: libcli11-dev, libutf8proc-dev, libcsv-dev).
#include <csignal>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>

#include "csv_reader.h"
#include "csv_settings.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/printed_text.h"
#include "microparquet/text/progress_line.h"
#include "output_file.h"
#include "replay.h"
#include "signals.h"
#include "table_plan.h"
#include "types_table.h"
#include "writer_setup.h"

namespace csv_log {

namespace {

using microparquet::text::grouped_digits;
using microparquet::text::print_line;
using microparquet::text::To;

constexpr std::uint64_t kRowsOfStream = 1'000;  // rows that settle the types if the input passes only once

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

void hint_at_delimiter(const TablePlan& plan, const Settings& settings) {
  const std::string& name = plan.columns.front().name;
  const char* other = name.find(';') != name.npos ? ";" : name.find('\t') != name.npos ? "\\t" : nullptr;
  if (plan.columns.size() == 1 && other != nullptr) {
    tell(settings.input + " has one column; if its cells stand between '" + other + "', give --delimiter '" +
         other + "'");
  }
}

// True: it is another than the comma, and nobody has said so. A file of one column that is continued may have semicolons
// in its name.
bool find_delimiter(LineSource& input, const std::optional<ExistingFile>& existing, Settings& settings) {
  constexpr std::size_t kRows = 20;
  if (settings.delimiter_told || (existing && existing->columns.size() == 1)) {
    return false;
  }
  settings.dialect.delimiter = found_delimiter(input, settings.dialect, existing ? 0 : kRows);
  return settings.dialect.delimiter != ',';
}

void say_delimiter(const TablePlan& plan, bool found, const Settings& settings) {
  if (found) {
    const std::string delimiter = settings.dialect.delimiter == '\t'  ? "tabs"
                                  : settings.dialect.delimiter == '|' ? "bars"
                                                                      : "semicolons";
    tell(settings.input + ": its cells stand between " + delimiter + "; if they do not, give --delimiter ,");
  } else if (!settings.delimiter_told && plan.cells == 1) {
    hint_at_delimiter(plan, settings);
  }
}

void print_summary(const Outcome& outcome, const TablePlan& plan, const Output& output,
                   const Settings& settings) {
  const To to = output.name() == "standard output" ? To::kErrors : To::kOutput;
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
  if (!outcome.has_name) {
    return "the file that was there is complete with the " + rows +
           " before that, if it has another name now";
  }
  return output.name() + " is complete with the " + rows + " before that";
}

int finish(const Outcome& outcome, const TablePlan& plan, const Output& output, const Settings& settings) {
  if (!outcome.old_is_kept && outcome.has_name) {
    print_summary(outcome, plan, output, settings);
  }
  if (outcome.stopped.empty()) {
    return 0;
  }
  tell(outcome.stopped + (outcome.advice.empty() ? "" : "; ") + outcome.advice);
  tell(remains(outcome, output));
  return outcome.signal != 0 ? 128 + outcome.signal : 1;
}

// The file that --append continues, opened; none if it is to be made.
std::optional<ExistingFile> open_existing(Output& output, const Settings& settings) {
  if (!settings.append || !output.exists()) {
    return std::nullopt;
  }
  output.open_for_append();
  return read_existing(output.file(), output.name());
}

// Two passes over a file; one over a stream, of which the first rows are kept until the types are settled.
int run(Settings& settings) {
  LineSource input(settings.input);
  Output output(settings.output);
  check_files(input, output, settings);
  const std::optional<ExistingFile> existing = open_existing(output, settings);
  const bool found = find_delimiter(input, existing, settings);
  auto reader = std::make_unique<CsvReader>(input, settings.dialect);
  TablePlan plan = read_header(*reader, settings);
  say_delimiter(plan, found, settings);
  std::vector<Row> kept;
  microparquet::text::ProgressLine progress;
  if (input.can_rewind()) {
    settle_types(*reader, plan, settings, std::numeric_limits<std::uint64_t>::max(), nullptr, input.bytes(),
                 progress);
    input.rewind();
    reader = std::make_unique<CsvReader>(input, settings.dialect);
    static_cast<void>(read_header(*reader, settings));
  } else {
    settle_types(*reader, plan, settings, existing ? 0 : kRowsOfStream, &kept, 0, progress);
  }
  if (interrupted() != 0 && kept.empty()) {
    throw Interrupted(output.name());
  }
  if (existing) {
    take_types(plan, *existing, settings);
  }
  RowSource rows{std::move(kept), *reader};
  const Outcome outcome =
      replay(rows, input, plan, settings, existing ? &*existing : nullptr, output, progress);
  progress.clear();
  return finish(outcome, plan, output, settings);
}

}  // namespace

}  // namespace csv_log

int main(int argc, char** argv) {
  try {
    csv_log::Settings settings;
    int exit_code = 0;
    if (!csv_log::parse_command_line(argc, argv, settings, exit_code)) {
      return exit_code;
    }
    csv_log::end_input_on_signals();
    return csv_log::run(settings);
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
