#include "csv_settings.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <memory>

#include "cell.h"
#include "line_source.h"
#include "microparquet/desktop/command_line_answer.h"
#include "microparquet/desktop/help_format.h"
#include "microparquet/text/version_text.h"

namespace csv_log {

namespace {

// NAME=TYPE. A name may hold '=', a type does not.
NamedType parse_named_type(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == text.npos) {
    throw Failure("--type " + text + ": expected NAME=TYPE, such as temp=double");
  }
  const auto type = parse_column_type(std::string_view(text).substr(equals + 1));
  if (!type) {
    throw Failure("--type " + text + ": no such type; give one of " + column_type_names());
  }
  return {text.substr(0, equals), *type};
}

// NAME=STEP
NamedResolution parse_named_resolution(const std::string& text) {
  constexpr double kLeast = 1e-30;
  constexpr double kMost = 1e30;
  const std::size_t equals = text.rfind('=');
  const std::string step = equals == text.npos ? "" : text.substr(equals + 1);
  const auto number = parse_number<double>(step);
  if (!number || !(*number >= kLeast && *number <= kMost)) {
    throw Failure("--resolution " + text + ": expected NAME=STEP, such as temp=0.05");
  }
  return {text.substr(0, equals), step, microparquet::Resolution(*number)};
}

// NAME=UNIT. A name may hold '=', a unit does not.
NamedValue parse_unit(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == text.npos || equals == 0 || equals + 1 == text.size()) {
    throw Failure("--unit " + text + ": expected NAME=UNIT, such as millis=ms");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

NamedValue parse_key_value(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) {
    throw Failure("--kv " + text + ": expected KEY=VALUE, such as site=roof");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// A page has to keep place for what compression may add to it.
void check_page_bytes(const Settings& settings) {
  constexpr std::uint32_t kMultiple = 8;
  if (settings.page_bytes % kMultiple != 0) {
    throw Failure("--page-bytes " + std::to_string(settings.page_bytes) +
                  ": expected a multiple of 512, or at least of 8");
  }
  const microparquet::Compressor* const compressor = compressor_of(settings);
  const std::uint32_t least = compressor != nullptr ? 4 * compressor->growth().bytes : 0;
  if (settings.page_bytes != 0 && settings.page_bytes < least) {
    throw Failure("--page-bytes " + std::to_string(settings.page_bytes) + ": pages of this --codec have " +
                  std::to_string(least) + " bytes or more");
  }
}

// A message of CLI::PositiveNumber would show the largest double.
CLI::Range any_from(std::uint32_t least) { return {least, std::numeric_limits<std::uint32_t>::max()}; }

// Words of the command line about the dialect.
struct ToldDialect {
  std::optional<std::string> delimiter;
  std::optional<std::string> comment;
  std::string charset;
  std::string decimal;
  std::string thousands;
  std::string dates;
  std::string bad;
  std::string bad_lines;
  std::string unnamed;
};

void add_dialect_options(CLI::App& app, ToldDialect& told, Settings& settings) {
  app.add_option("--delimiter", told.delimiter,
                 "Character between cells (as the lines show it; \\t is a tab)")
      ->type_name("C");
  app.add_option("--charset", told.charset,
                 "What IN is written in (utf-8); latin1: lines that are no UTF-8, as Windows writes them")
      ->check(CLI::IsMember({"utf-8", "latin1"}))
      ->type_name("utf-8|latin1");
  app.add_option("--decimal", told.decimal,
                 "A comma or a point: before fractions (a point; with another delimiter as cells show it)")
      ->type_name("C");
  app.add_option("--thousands", told.thousands,
                 "A comma, a point, a space or ': what parts thousands in numbers (as cells show it)")
      ->type_name("C");
  app.add_option("--dates", told.dates,
                 "Day or month first in dates such as 03/04/2024 (as a day above 12 shows it)")
      ->check(CLI::IsMember({"dmy", "mdy"}))
      ->type_name("dmy|mdy");
  app.add_option("--table", settings.table,
                 "Which table of IN, where it has several (all: the second goes to NAME-2.parquet)")
      ->check(any_from(1))
      ->type_name("N");
  app.add_option("--skip", settings.dialect.skipped_lines, "Lines before the header (as the lines show it)")
      ->check(any_from(0))
      ->type_name("N");
  app.add_option("--comment", told.comment, "Lines that begin so are passed over, as those with #")
      ->type_name("TEXT");
  app.add_flag("--no-header", settings.no_header, "The first line is a row");
  app.add_flag("--units-row", settings.units_row,
               "The row under the header has units: they become key-values unit.NAME");
  app.add_flag("--cell-units", settings.cell_units,
               "Cells such as '20.5 C' and 'temp:20.5' are numbers: a unit becomes the key-value unit.NAME");
  app.add_option("--unnamed", told.unnamed, "Where the header has too few names: the columns without one")
      ->check(CLI::IsMember({"first", "last"}))
      ->type_name("first|last");
  app.add_option("--null", settings.cell_rules.nulls,
                 "A cell that is null, beside empty ones, NA, - and the like")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  app.add_option("--bad", told.bad,
                 "What becomes of a cell that is not of its column's type (refuse; null of standard input)")
      ->check(CLI::IsMember({"null", "refuse"}))
      ->type_name("null|refuse");
  app.add_option("--bad-lines", told.bad_lines,
                 "What becomes of a line that is no row (refuse; skip of standard input)")
      ->check(CLI::IsMember({"skip", "refuse"}))
      ->type_name("skip|refuse");
  app.add_option("--time-from", settings.time_from, "Two columns that make one time")->type_name("DATE,TIME");
  app.add_flag("--structs", settings.structs,
               "Columns such as fix.lat and fix.lon become members of a struct fix, deeper ones likewise");
  app.add_option("--columns", settings.columns, "Only these columns, in this order")
      ->allow_extra_args(false)
      ->type_name("NAME,...");
}

void take_number_form(const ToldDialect& told, Settings& settings) {
  if (!told.decimal.empty()) {
    if (told.decimal != "," && told.decimal != ".") {
      throw Failure("--decimal " + told.decimal + ": expected a comma or a point");
    }
    settings.decimal_comma = told.decimal == ",";
  }
  if (told.thousands.empty()) {
    return;
  }
  if (told.thousands.size() != 1 || std::string_view(",. '").find(told.thousands) == std::string_view::npos) {
    throw Failure("--thousands " + told.thousands + ": expected a comma, a point, a space or '");
  }
  if (told.thousands == told.decimal) {
    throw Failure("--thousands " + told.thousands + ": --decimal is the same; give one of them");
  }
  settings.thousands = told.thousands.front();
  if (settings.thousands == ',' || settings.thousands == '.') {
    settings.decimal_comma = settings.thousands == '.';
  }
}

void take_dialect(ToldDialect& told, Settings& settings) {
  settings.delimiter_told = told.delimiter.has_value();
  if (told.delimiter) {
    const std::string delimiter = *told.delimiter == "\\t" ? "\t" : *told.delimiter;
    if (delimiter.size() != 1 || delimiter == "\"" || delimiter == "\n" || delimiter == "\r") {
      throw Failure("--delimiter " + delimiter + ": expected one character, such as ';'");
    }
    settings.dialect.delimiter = delimiter.front();
  }
  settings.latin1 = told.charset == "latin1";
  take_number_form(told, settings);
  if (!told.dates.empty()) {
    settings.dates = told.dates == "dmy" ? DateOrder::kDay : DateOrder::kMonth;
  }
  if (told.comment && (told.comment->empty() || told.comment->front() == '"')) {
    throw Failure("--comment " + *told.comment + ": expected what such lines begin with, as #");
  }
  settings.dialect.comment = told.comment.value_or("");
  for (std::string& text : settings.cell_rules.nulls) {
    text = trimmed(text);
  }
  const bool live = settings.input == "-";
  settings.bad_null = told.bad.empty() ? live : told.bad == "null";
  settings.skip_bad_lines = told.bad_lines.empty() ? live : told.bad_lines == "skip";
  settings.unnamed = told.unnamed == "first"          ? ToldLayout::Extra::kFirst
                     : told.unnamed == "last" || live ? ToldLayout::Extra::kLast
                                                      : ToldLayout::Extra::kAsk;
}

constexpr const char* kFooter =
    "TYPE is bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float,\n"
    "double, decimal(PRECISION,SCALE), string, enum, json, binary, uuid, date, int96,\n"
    "time[_ms|_us|_ns], timestamp[_ms|_us|_ns][_utc|_local], or epoch_s, epoch_ms,\n"
    "epoch_us, epoch_ns: timestamps in UTC, in cells numbers counted from 1970.\n\n"
    "Types are those that all rows of IN show; of standard input, the first 1,000,\n"
    "or those of a minute. They are bool, int64, uint64, double, date, time, timestamp (a date\n"
    "and a time, and a zone such as Z, UTC, +02:00 or -0330; without one it is local\n"
    "time), and string for the rest. What is printed at the end says which, and which\n"
    "cell made a column text.\n\n"
    "Dates are YYYY-MM-DD, DD.MM.YYYY, DD/MM/YY, MM/DD/YYYY, 28-Mar-2024, those of\n"
    "ctime() and the like, with months in a dozen languages; a year of two digits is\n"
    "one from 1969 to 2068. Of DD/MM and MM/DD a day above 12 shows which, for all of\n"
    "its column; where none does, it stays text, and --dates decides. Times are\n"
    "HH:MM[:SS[.f]], with or without AM or PM; 24:00 ends a day. Numbers may have their thousands parted "
    "where the column shows by what, as\n"
    "1,234.5 or 1.234,5 or 1 234,5; 1,234 alone is text, and --thousands decides.\n\n"
    "A number too small for a double is 0, one too large makes a column text; second\n"
    "60 is the first of the next minute. An empty cell or NA is null.\n\n"
    "With --overwrite OUT stays as it is until all of IN is written. Of standard\n"
    "input, and with --ack, it is replaced by the first row.";

// Texts of the command line.
struct Told {
  std::vector<std::string> types;
  std::vector<std::string> units;
  std::vector<std::string> resolutions;
  std::vector<std::string> key_values;
  ToldDialect dialect;
};

void add_options(CLI::App& app, Told& told, Settings& settings) {
  constexpr std::uint32_t kMinPageBytes = 128;
  constexpr std::uint32_t kMaxPageBytes = 1 << 28;
  constexpr double kMaxSeconds = 1e6;
  app.add_option("IN", settings.input, "CSV file; - is standard input")->required();
  app.add_option("OUT", settings.output, "Parquet file; - is standard output");
  app.add_option("--type", told.types, "Type of a column, instead of what its values look like")
      ->allow_extra_args(false)
      ->type_name("NAME=TYPE");
  app.add_option("--resolution", told.resolutions,
                 "What the sensor tells apart: a float or double is rounded to such steps, or finer ones")
      ->allow_extra_args(false)
      ->type_name("NAME=STEP");
  app.add_option("--unit", told.units, "Unit of a column, kept as key-value unit.NAME: us, mV")
      ->allow_extra_args(false)
      ->type_name("NAME=UNIT");
  app.add_option("--kv", told.key_values, "Text to keep in the file beside the rows")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  app.add_option(
         "--file-id", settings.file_id,
         "Number by which recovery tells files apart; a given one makes the same OUT each time (random)")
      ->check(any_from(1))
      ->type_name("N");
  app.add_option("--rows-per-group", settings.rows_per_group, "Rows of a row group")
      ->check(any_from(1))
      ->type_name("N");
  add_encoding_options(app, settings);
  app.add_option("--page-bytes", settings.page_bytes,
                 "Size of a page, a multiple of 512 (4096; 512 with plain or delta; more for longer text)")
      ->check(CLI::Range(kMinPageBytes, kMaxPageBytes))
      ->type_name("N");
  app.add_option("--arena-bytes", settings.arena_bytes, "Memory the writer may have (what it needs)")
      ->check(any_from(1))
      ->type_name("N");
  add_dialect_options(app, told.dialect, settings);
  auto* overwrite = app.add_flag("--overwrite", settings.overwrite, "Replace OUT when it exists");
  app.add_flag("--append", settings.append,
               "Add the rows to OUT when it exists, also after a crash or power cut")
      ->excludes(overwrite);
  app.add_option("--checkpoint-rows", settings.checkpoint_rows, "Make rows durable when there are N new ones")
      ->check(any_from(1))
      ->type_name("N");
  app.add_option("--checkpoint-seconds", settings.checkpoint_seconds,
                 "Make rows durable at this age; 0: never (60 to 600, as it is worth the bytes)")
      ->check(CLI::Range(0.0, kMaxSeconds))
      ->type_name("S");
  app.add_flag("--explain", settings.explain,
               "Print how the first lines of IN are read, and why; write nothing");
  app.add_flag("--ack", settings.ack,
               "Print \"durable N\" when N rows of OUT are durable: no crash loses them");
}

// The options as they can be given again.
std::vector<std::string> words_of_options(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.parse_order()) {
    const std::string name = option->get_name();
    if (name.rfind("--", 0) != 0 || name == "--overwrite" || name == "--explain") {
      continue;
    }
    if (option->get_expected_min() == 0) {
      words.push_back(name);
    } else if (std::find(words.begin(), words.end(), name) == words.end()) {  // with all its values at once
      for (const std::string& value : option->results()) {
        words.push_back(name);
        words.push_back(value);
      }
    }
  }
  return words;
}

// Throws Failure.
void take_told(Told& told, Settings& settings) {
  for (const std::string& text : told.types) {
    settings.types.push_back(parse_named_type(text));
  }
  for (const std::string& text : told.resolutions) {
    settings.resolutions.push_back(parse_named_resolution(text));
  }
  if (told.key_values.size() > kMaxKeyValues) {
    throw Failure("--kv is given more than 254 times; put several texts into one");
  }
  for (const std::string& text : told.key_values) {
    settings.key_values.push_back(parse_key_value(text));
  }
  for (const std::string& text : told.units) {
    settings.units.push_back(parse_unit(text));
  }
  take_dialect(told.dialect, settings);
}

}  // namespace

bool parse_command_line(int argc, char** argv, Settings& settings, int& exit_code) {
  CLI::App app{"Replays a CSV file that has a header line into a Parquet file, row by row as a sensor would.",
               "csv_log"};
  app.formatter(std::make_shared<microparquet::desktop::HelpFormat>());
  app.footer(kFooter);
  app.allow_windows_style_options(false);  // /name is a path there as well
  app.set_version_flag("--version", microparquet::text::version_text("csv_log"), "Print the version");
  Told told;
  add_options(app, told, settings);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    exit_code = microparquet::desktop::is_answered(app, error) ? 0 : 1;
    return false;
  }
  if (settings.output.empty() && !settings.explain) {
    throw Failure("OUT is required; give the name of a Parquet file");
  }
  take_told(told, settings);
  check_page_bytes(settings);
  settings.options = words_of_options(app);
  if (settings.output == "-" && settings.ack) {
    throw Failure("--ack prints on standard output, where OUT goes; give OUT the name of a file");
  }
  return true;
}

}  // namespace csv_log
