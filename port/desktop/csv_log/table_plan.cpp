#include "table_plan.h"

#include <algorithm>
#include <cstring>

#include "cell.h"
#include "microparquet/facts.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/quoted.h"
#include "microparquet/text/time_name.h"
#include "microparquet/text/utf8.h"
#include "signals.h"
#include "struct_columns.h"

namespace csv_log {

namespace {

using microparquet::text::grouped_digits;

void check_names(const std::vector<ColumnPlan>& columns, const std::string& file, std::uint64_t line) {
  const std::string place = file + ":" + std::to_string(line);
  for (const ColumnPlan& column : columns) {
    if (!microparquet::text::is_utf8(column.name)) {
      throw NotUtf8(place + ": the header is not UTF-8; if it is Latin-1, give --charset latin1");
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

bool may_have_comma(const Settings& settings) { return settings.decimal_comma.value_or(true); }

ToldForms told_forms(const Settings& settings) {
  ToldForms told;
  told.may_have_comma = may_have_comma(settings);
  told.dates = settings.dates;
  told.cell_units = settings.cell_units;
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
    return settings.decimal_comma.value_or(plan.delimiter != ',');
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

void settle_found(ColumnPlan& column, const TypeGuess& guess, const Settings& settings, bool decimal_comma) {
  column.text_because = decimal_comma ? guess.doubtful_point() : guess.needs_comma();
  if (column.text_because) {
    const std::string separator = decimal_comma ? "." : ",";
    column.undecided_numbers = {{"--decimal", separator}, {"--thousands", separator}};
    return;
  }
  column.type = guess.type();
  column.text_because = guess.text_because();
  column.undecided_date = column.type.kind == Kind::kString && guess.ambiguous_date().has_value();
  if (const char thousands = guess.undecided_thousands(); thousands != '\0') {
    column.undecided_numbers = {{"--thousands", std::string(1, thousands)}};
  }
  column.has_cell_units =
      !settings.cell_units && column.type.kind == Kind::kString && guess.affixes().has_value();
  column.words = guess.words();
  if (!column.words.empty()) {
    column.without_words = guess.type_without_words();
  }
}

// A number of a log that continues may have a fraction next: whole ones stay whole where they are times, or too large for a double.
void make_lasting(ColumnPlan& column, const TypeGuess& guess) {
  const bool whole = column.type.kind == Kind::kInteger && !guess.is_beyond_doubles() &&
                     !microparquet::text::time_name(column.name).is_time;
  if (whole || !guess.has_values()) {
    column.type.kind = Kind::kDouble;
    column.has_values = guess.has_values();
  }
}

void settle(ColumnPlan& column, const TypeGuess& guess, const TablePlan& plan, const Settings& settings,
            bool all_seen) {
  if (column.type_told) {
    settle_told(column, guess, settings);
  } else {
    settle_found(column, guess, settings, plan.cell_rules.decimal_comma);
  }
  column.type = guess.with_forms(column.type);
  column.read_by = is_number(column.type) || has_date(column.type) ? guess.read_by() : std::nullopt;
  column.date_form = guess.date_form();
  column.open =
      guess.is_open() || !column.undecided_numbers.empty() || (column.type_told && has_date(column.type));
  column.optional = guess.has_nulls() || !all_seen;
  column.has_values = guess.has_values() || !all_seen;
  column.longest = guess.longest();
  if (!column.type_told && (!all_seen || settings.append)) {
    make_lasting(column, guess);
  }
}

// Takes the unit, and the name of a column that has none, from what stands beside its numbers.
void take_cell_units(TablePlan& plan, ColumnPlan& column, const Settings& settings) {
  const Affixes& affixes = column.type.affixes;
  const std::string name(name_of_label(affixes.before));
  const auto is_taken = [&] {
    return std::any_of(plan.columns.begin(), plan.columns.end(),
                       [&](const ColumnPlan& other) { return other.name == name; });
  };
  if (column.is_unnamed && !name.empty() && !is_taken()) {
    column.name = name;
  }
  const std::string key = std::string(microparquet::facts::kUnitOf) + column.name;
  const bool has_unit = std::any_of(plan.units.begin(), plan.units.end(),
                                    [&](const NamedValue& unit) { return unit.key == key; });
  if (!trimmed(affixes.after).empty() && !has_unit &&
      plan.units.size() + settings.key_values.size() < kMaxKeyValues) {
    plan.units.push_back({key, std::string(without_brackets(trimmed(affixes.after)))});
  }
}

// What names the day or the month first, as "Date (dd/mm/yyyy)" does.
DateOrder order_in(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 0x20 : c); });
  for (const char separator : {'/', '-', '.'}) {
    for (const std::string_view part : {"dd?mm", "d?m", "tt?mm", "jj?mm"}) {
      std::string form(part);
      std::replace(form.begin(), form.end(), '?', separator);
      if (small.find(form) != small.npos) {
        return DateOrder::kDay;
      }
    }
    for (const std::string_view part : {"mm?dd", "m?d"}) {
      std::string form(part);
      std::replace(form.begin(), form.end(), '?', separator);
      if (small.find(form) != small.npos &&
          small.find("yy" + std::string(1, separator) + form) == small.npos) {
        return DateOrder::kMonth;
      }
    }
  }
  return DateOrder::kUnknown;
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

// Makes one column of a date and its time of day, where the date stood.
void join_time(TablePlan& plan, const Settings& settings) {
  if (settings.time_from.empty()) {
    return;
  }
  const std::string option = "--time-from " + settings.time_from;
  std::size_t comma = settings.time_from.find(',');
  while (comma != std::string::npos && (places_of(plan, settings.time_from.substr(0, comma)) == 0 ||
                                        places_of(plan, settings.time_from.substr(comma + 1)) == 0)) {
    comma = settings.time_from.find(',', comma + 1);
  }
  const std::size_t parted = comma != std::string::npos ? comma : settings.time_from.find(',');
  if (parted == std::string::npos) {
    throw Failure(option + ": expected two columns, as --time-from Date,Time");
  }
  ColumnPlan& date = column_of(plan, settings.time_from.substr(0, parted), option, settings);
  const std::string time = settings.time_from.substr(parted + 1);
  date.second_cell = column_of(plan, time, option, settings).cell;
  date.name =
      places_of(plan, "time") == 0 || time == "time" || date.name == "time" ? "time" : date.name + " " + time;
  const std::size_t second = date.second_cell;
  plan.columns.erase(std::find_if(plan.columns.begin(), plan.columns.end(),
                                  [&](const ColumnPlan& column) { return column.cell == second; }));
}

// Units that a row under or above the names has. Where they were only found, a file takes as many as fit.
void take_units(TablePlan& plan, const Layout& layout, const Settings& settings) {
  for (const ColumnPlan& column : plan.columns) {
    const std::string_view unit =
        column.cell < layout.units.size() ? trimmed(layout.units[column.cell]) : std::string_view();
    if (!microparquet::text::is_utf8(unit)) {
      throw NotUtf8(settings.input + ":" + std::to_string(layout.units_line) +
                    ": the row of units is not UTF-8; if it is Latin-1, give --charset latin1");
    }
    if (!unit.empty() && (settings.units_row || is_unit(unit))) {
      plan.units.push_back(
          {std::string(microparquet::facts::kUnitOf) + column.name, std::string(without_brackets(unit))});
    }
  }
  const bool too_many = plan.units.size() + settings.key_values.size() > kMaxKeyValues;
  if (too_many && settings.units_row) {
    throw Failure("--units-row: " + std::to_string(plan.units.size()) +
                  " columns have units, and a file has up to " + std::to_string(kMaxKeyValues) +
                  " key-values with those of --kv; give fewer --columns, or --skip");
  }
  if (too_many) {
    plan.units.clear();
  }
  for (const NamedValue& told : settings.units) {
    const std::string key = std::string(microparquet::facts::kUnitOf) +
                            column_of(plan, told.key, "--unit " + told.key + "=" + told.value, settings).name;
    plan.units.erase(std::remove_if(plan.units.begin(), plan.units.end(),
                                    [&](const NamedValue& unit) { return unit.key == key; }),
                     plan.units.end());
    plan.units.push_back({key, told.value});
  }
}

void check_units_row(const Layout& layout, const Settings& settings) {
  if (!settings.units_row) {
    return;
  }
  if (layout.units_line == 0) {
    throw Failure(settings.input + " has no row of units; leave out --units-row");
  }
  if (layout.units.size() != layout.names.size()) {
    throw Failure(settings.input + ":" + std::to_string(layout.units_line) + ": the row of units has " +
                  std::to_string(layout.units.size()) + " cells where the header has " +
                  std::to_string(layout.names.size()) + "; correct it, or leave out --units-row");
  }
}

}  // namespace

std::string_view ColumnPlan::text_of_both(const Row& row, std::string& joined) const {
  const std::string_view first = trimmed(row.cell(cell));
  const std::string_view second = trimmed(row.cell(second_cell));
  joined.assign(first);
  if (!first.empty() && !second.empty()) {
    joined.append(" ").append(second);
  }
  return joined;
}

ToldLayout told_layout(const Settings& settings, const std::vector<std::string>& names) {
  ToldLayout told;
  told.dialect = settings.dialect;
  told.dialect.lines_before = settings.part.lines_before;
  told.delimiter_told = settings.delimiter_told;
  told.no_header = settings.no_header;
  told.units_row = settings.units_row;
  const bool skip_told =
      settings.part.lines_before == 0 &&
      std::find(settings.options.begin(), settings.options.end(), "--skip") != settings.options.end();
  told.names_first = !settings.no_header && (skip_told || settings.units_row);
  told.names = names;
  told.extra = settings.unnamed;
  return told;
}

TablePlan plan_table(const Layout& layout, const Settings& settings) {
  if (layout.names.empty()) {
    throw Failure(settings.input + (settings.dialect.skipped_lines == 0
                                        ? " is empty; its first line should name the columns"
                                        : " is empty after the lines passed over; give a smaller --skip"));
  }
  check_units_row(layout, settings);
  TablePlan plan;
  plan.cells = layout.names.size();
  plan.delimiter = layout.dialect.delimiter;
  const std::vector<std::string> names = distinct_names(layout.names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    ColumnPlan column;
    column.cell = i;
    column.name = names[i];
    column.is_unnamed = trimmed(layout.names[i]).empty();
    column.dates = settings.dates != DateOrder::kUnknown ? settings.dates : order_in(layout.names[i]);
    if (column.dates == DateOrder::kUnknown && i < layout.units.size()) {
      column.dates = order_in(layout.units[i]);
    }
    if (!trimmed(layout.names[i]).empty() && names[i] != trimmed(layout.names[i])) {
      plan.renamed.push_back(names[i]);
    }
    plan.columns.push_back(column);
  }
  check_names(plan.columns, settings.input, layout.names_line);
  join_time(plan, settings);
  choose_columns(plan, settings);
  check_limits(plan.columns, settings.input, layout.names_line);
  if (settings.structs) {
    gather_members(plan.columns, settings.input + ":" + std::to_string(layout.names_line));
  }
  take_units(plan, layout, settings);
  apply_told(plan, settings);
  return plan;
}

void settle_types(TableRows& rows, TablePlan& plan, const Settings& settings, bool all, std::uint64_t bytes,
                  microparquet::text::ProgressLine& progress) {
  plan.cell_rules = settings.cell_rules;
  std::vector<TypeGuess> guesses;
  for (const ColumnPlan& column : plan.columns) {
    ToldForms forms = told_forms(settings);
    forms.dates = column.dates;
    guesses.emplace_back(plan.cell_rules, forms,
                         column.type_told ? std::optional(column.type) : std::nullopt);
  }
  Row row;
  std::string joined;
  Found found = Found::kRow;
  while ((!all || interrupted() == 0) &&
         ((found = rows.next(row)) == Found::kRow || found == Found::kBadLine)) {
    if (found == Found::kBadLine) {
      note_bad_line(plan.bad_lines, rows, row);
      continue;
    }
    for (std::size_t i = 0; i < guesses.size(); ++i) {
      guesses[i].see(plan.columns[i].text_in(row, joined), row.line());
    }
    ++plan.rows;
    if (progress.is_due()) {
      progress.show("1 of 2: types of " + grouped_digits(plan.rows) + " rows", rows.bytes_read(), bytes);
    }
  }
  plan.passed_over = rows.passed_over();
  plan.all_seen = all;
  plan.cell_rules.decimal_comma = has_comma(guesses, plan, settings);
  for (std::size_t i = 0; i < guesses.size(); ++i) {
    settle(plan.columns[i], guesses[i], plan, settings, all);
    plan.columns[i].optional = plan.columns[i].optional || settings.bad_null;
    take_cell_units(plan, plan.columns[i], settings);
    if (plan.columns[i].type.is_elapsed && plan.units.size() + settings.key_values.size() < kMaxKeyValues) {
      plan.units.push_back({std::string(microparquet::facts::kUnitOf) + plan.columns[i].name, "s"});
    }
  }
}

void note_bad_line(BadLines& bad, const TableRows& rows, const Row& row) {
  if (bad.count++ == 0) {
    bad.first_line = row.line();
    bad.first_why = rows.why(row);
  }
}

}  // namespace csv_log
