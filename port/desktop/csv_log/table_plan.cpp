#include "table_plan.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "cell.h"
#include "csv_reader.h"
#include "microparquet/facts.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/quoted.h"
#include "microparquet/text/utf8.h"
#include "signals.h"

namespace csv_log {

namespace {

using microparquet::text::grouped_digits;

void check_names(const std::vector<ColumnPlan>& columns, const std::string& file, std::uint64_t line) {
  const std::string place = file + ":" + std::to_string(line);
  std::set<std::string> seen;
  for (const ColumnPlan& column : columns) {
    if (!microparquet::text::is_utf8(column.name)) {
      throw Failure(place +
                    ": the header is not UTF-8; convert the file, as with: iconv -f latin1 -t utf-8 " +
                    microparquet::text::shell_path(file));
    }
    if (!seen.insert(column.name).second) {
      throw Failure(place + ": two columns are called \"" + column.name +
                    "\"; rename one of them in the header");
    }
  }
}

std::string with_commas(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t end = text.size(); end > 3; end -= 3) {
    text.insert(end - 3, ",");
  }
  return text;
}

// Refuses a table that no file of this library can have before one is made.
void check_limits(const std::vector<ColumnPlan>& columns, const std::string& file, std::uint64_t line) {
  const std::string place = file + ":" + std::to_string(line);
  if (columns.size() > microparquet::kMaxColumns) {
    throw Failure(place + ": the header names " + with_commas(columns.size()) +
                  " columns, and a file has up to " + with_commas(microparquet::kMaxColumns) +
                  "; name those you want with --columns");
  }
  for (const ColumnPlan& column : columns) {
    if (column.name.size() > microparquet::kMaxNameBytes) {
      throw Failure(place + ": the name of column " + with_commas(column.cell + 1) + " has " +
                    with_commas(column.name.size()) + " bytes, and a name has up to " +
                    with_commas(microparquet::kMaxNameBytes) + "; shorten it in the header");
    }
  }
}

// The column that `option` names.
ColumnPlan& column_of(TablePlan& plan, const std::string& name, const std::string& option,
                      const Settings& settings) {
  const auto column = std::find_if(plan.columns.begin(), plan.columns.end(),
                                   [&](const ColumnPlan& candidate) { return candidate.name == name; });
  if (column != plan.columns.end()) {
    return *column;
  }
  std::string names;
  for (const ColumnPlan& existing : plan.columns) {
    names += (names.empty() ? "" : ", ") + existing.name;
  }
  throw Failure(option + ": " + settings.input + " has no such column; its columns are " + names);
}

void apply_told(TablePlan& plan, const Settings& settings) {
  for (const NamedType& told : settings.types) {
    const std::string option = "--type " + told.column + "=" + to_string(told.type);
    ColumnPlan& column = column_of(plan, told.column, option, settings);
    column.type = told.type;
    column.type_told = true;
  }
  for (const NamedResolution& told : settings.resolutions) {
    const std::string option = "--resolution " + told.column + "=" + told.step;
    column_of(plan, told.column, option, settings).resolution = told.resolution;
  }
}

// Whether numbers may have a decimal comma at all: where cells stand between commas, it is said.
bool may_have_comma(const Settings& settings) {
  return settings.decimal_comma.value_or(settings.dialect.delimiter != ',');
}

ToldForms told_forms(const Settings& settings) {
  ToldForms told;
  told.may_have_comma = may_have_comma(settings);
  told.dates = settings.dates;
  told.numbers.thousands = settings.thousands;
  if (settings.decimal_comma) {
    told.numbers.decimal = *settings.decimal_comma ? ',' : '.';
  }
  return told;
}

// One cell that must be read so is enough for the file. Without a look at the cells the columns of a file that is
// continued decide.
bool has_comma(const std::vector<TypeGuess>& guesses, const TablePlan& plan, const Settings& settings) {
  if (settings.decimal_comma || plan.rows == 0) {
    return may_have_comma(settings);
  }
  return std::any_of(guesses.begin(), guesses.end(),
                     [](const TypeGuess& guess) { return guess.has_decimal_comma(); });
}

// Settles a column that --type names. Throws Failure when its dates can be read in two ways: no cell may
// become null by that.
void settle_told(ColumnPlan& column, const TypeGuess& guess, const Settings& settings) {
  const auto ambiguous = has_date(column.type) ? guess.ambiguous_date() : std::nullopt;
  if (ambiguous) {
    throw Failure(settings.input + ":" + std::to_string(ambiguous->cell.line) + ": column " +
                  quoted(column.name) + ": no date shows whether the day or the month is first in " +
                  quoted(ambiguous->cell.text) + "; " + ambiguous->advice);
  }
  if (column.type.kind == Kind::kTimestamp && column.type.zone == Zone::kOfValues) {
    column.type.zone = guess.has_zone() ? Zone::kUtc : Zone::kLocal;
  }
}

void settle_found(ColumnPlan& column, const TypeGuess& guess, bool decimal_comma) {
  column.text_because = decimal_comma ? guess.doubtful_point() : guess.needs_comma();
  if (!column.text_because) {
    column.type = guess.type();
    column.text_because = guess.text_because();
  }
}

void settle(ColumnPlan& column, const TypeGuess& guess, const TablePlan& plan, const Settings& settings,
            bool all_seen) {
  if (column.type_told) {
    settle_told(column, guess, settings);
  } else {
    settle_found(column, guess, plan.cell_rules.decimal_comma);
  }
  column.type = guess.with_forms(column.type);
  column.read_by = is_number(column.type) || has_date(column.type) ? guess.read_by() : std::nullopt;
  column.optional = guess.has_nulls() || !all_seen;
  column.has_values = guess.has_values() || !all_seen;
  column.longest = guess.longest();
}

}  // namespace

namespace {

// `what`: it must have the row.
Row read_top_row(CsvReader& reader, const Settings& settings, const std::string& what) {
  Row header;
  switch (reader.next(header)) {
    case ReadResult::kRow: break;
    case ReadResult::kEnd: throw Failure(settings.input + what);
    case ReadResult::kUnclosedQuote:
      throw Failure(settings.input + ":" + std::to_string(header.line()) +
                    ": a quote is opened and never closed");
    case ReadResult::kFailed:
      if (interrupted() != 0) {
        throw Interrupted(settings.output);
      }
      throw Failure(settings.input + ": " + std::strerror(reader.error()));
  }
  return header;
}

std::uint64_t places_of(const TablePlan& plan, const std::string& name) {
  return static_cast<std::uint64_t>(
      std::count_if(plan.columns.begin(), plan.columns.end(),
                    [&](const ColumnPlan& column) { return column.name == name; }));
}

// "a,b" as two names, unless a column is called so.
std::vector<std::string> chosen_names(const TablePlan& plan, const Settings& settings) {
  std::vector<std::string> names;
  for (const std::string& told : settings.columns) {
    std::size_t begin = 0;
    for (std::size_t end = 0; end != told.npos; begin = end + 1) {
      end = places_of(plan, told) != 0 ? told.npos : told.find(',', begin);
      names.emplace_back(trimmed(told.substr(begin, end - begin)));
    }
  }
  return names;
}

void choose_columns(TablePlan& plan, const Settings& settings) {
  std::vector<ColumnPlan> columns;
  for (const std::string& name : chosen_names(plan, settings)) {
    columns.push_back(column_of(plan, name, "--columns " + name, settings));
    if (std::count_if(columns.begin(), columns.end(),
                      [&](const ColumnPlan& column) { return column.name == name; }) > 1) {
      throw Failure("--columns: " + name + " is named twice; name it once");
    }
  }
  if (!columns.empty()) {
    plan.columns = std::move(columns);
  }
}

void read_units(CsvReader& reader, TablePlan& plan, const Settings& settings) {
  const Row row = read_top_row(reader, settings, " has no row of units; leave out --units-row");
  if (row.size() != plan.cells) {
    throw Failure(settings.input + ":" + std::to_string(row.line()) + ": the row of units has " +
                  std::to_string(row.size()) + " cells where the header has " + std::to_string(plan.cells) +
                  "; correct it, or leave out --units-row");
  }
  for (const ColumnPlan& column : plan.columns) {
    const std::string_view unit = trimmed(row.cell(column.cell));
    if (!microparquet::text::is_utf8(unit)) {
      throw Failure(settings.input + ":" + std::to_string(row.line()) +
                    ": the row of units is not UTF-8; convert the file, as with: iconv -f latin1 -t utf-8");
    }
    if (!unit.empty()) {
      plan.units.push_back({std::string(microparquet::facts::kUnitOf) + column.name, std::string(unit)});
    }
  }
  if (plan.units.size() + settings.key_values.size() > kMaxKeyValues) {
    throw Failure("--units-row: " + std::to_string(plan.units.size()) +
                  " columns have units, and a file has up to " + std::to_string(kMaxKeyValues) +
                  " key-values with those of --kv; give fewer --columns, or --skip");
  }
}

}  // namespace

TablePlan read_header(CsvReader& reader, const Settings& settings) {
  const Row header = read_top_row(reader, settings,
                                  settings.dialect.skipped_lines == 0
                                      ? " is empty; its first line should name the columns"
                                      : " is empty after the lines passed over; give a smaller --skip");
  TablePlan plan;
  plan.cells = header.size();
  for (std::size_t i = 0; i < header.size(); ++i) {
    ColumnPlan column;
    column.cell = i;
    column.name = trimmed(header.cell(i));
    if (column.name.empty()) {
      column.name = "column_" + std::to_string(i + 1);  // a name for columns such as the index that pandas
                                                        // writes
    }
    plan.columns.push_back(column);
  }
  check_names(plan.columns, settings.input, header.line());
  choose_columns(plan, settings);
  check_limits(plan.columns, settings.input, header.line());
  if (settings.units_row) {
    read_units(reader, plan, settings);
  }
  apply_told(plan, settings);
  return plan;
}

void settle_types(CsvReader& reader, TablePlan& plan, const Settings& settings, std::uint64_t limit,
                  std::vector<Row>* kept, std::uint64_t bytes, microparquet::text::ProgressLine& progress) {
  plan.cell_rules = settings.cell_rules;
  std::vector<TypeGuess> guesses;
  for (const ColumnPlan& column : plan.columns) {
    guesses.emplace_back(plan.cell_rules, told_forms(settings),
                         column.type_told ? std::optional(column.type) : std::nullopt);
  }
  Row row;
  while (plan.rows < limit && interrupted() == 0 && reader.next(row) == ReadResult::kRow) {
    if (kept != nullptr) {
      kept->push_back(row);
    }
    if (row.size() != plan.cells) {
      break;  // replaying comes across it again, and says so
    }
    for (std::size_t i = 0; i < guesses.size(); ++i) {
      guesses[i].see(row.cell(plan.columns[i].cell), row.line());
    }
    ++plan.rows;
    if (progress.is_due()) {
      progress.show("types of " + grouped_digits(plan.rows) + " rows", reader.bytes_read(), bytes);
    }
  }
  const bool all_seen = kept == nullptr;
  plan.cell_rules.decimal_comma = has_comma(guesses, plan, settings);
  for (std::size_t i = 0; i < guesses.size(); ++i) {
    settle(plan.columns[i], guesses[i], plan, settings, all_seen);
    plan.columns[i].optional = plan.columns[i].optional || settings.bad_null;
  }
}

}  // namespace csv_log
