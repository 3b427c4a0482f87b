#include "table_plan.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "cell.h"
#include "failure.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/terminal_text.h"
#include "microparquet/text/utf8.h"
#include "signals.h"

namespace csv_log {

namespace {

using microparquet::text::grouped_digits;
using microparquet::text::printable;

void check_names(const std::vector<ColumnPlan>& columns, const std::string& file) {
  std::set<std::string> seen;
  for (const ColumnPlan& column : columns) {
    if (!microparquet::text::is_utf8(column.name)) {
      throw Failure(
          file + ":1: the header is not UTF-8; convert the file, as with: iconv -f latin1 -t utf-8 " + file);
    }
    if (!seen.insert(column.name).second) {
      throw Failure(file + ":1: two columns are called \"" + printable(column.name) +
                    "\"; rename one of them in the header");
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
    names += (names.empty() ? "" : ", ") + printable(existing.name);
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

void settle(ColumnPlan& column, const TypeGuess& guess, bool all_seen) {
  if (!column.type_told) {
    column.type = guess.type();
    column.text_because = guess.text_because();
  } else if (column.type.kind == Kind::kTimestamp && column.type.zone == Zone::kOfValues) {
    column.type.zone = guess.has_zone() ? Zone::kUtc : Zone::kLocal;
  }
  column.optional = guess.has_nulls() || !all_seen;
  column.has_values = guess.has_values() || !all_seen;
  column.longest = guess.longest();
}

}  // namespace

TablePlan read_header(CsvReader& reader, const Settings& settings) {
  Row header;
  switch (reader.next(header)) {
    case ReadResult::kRow: break;
    case ReadResult::kEnd:
      throw Failure(settings.input + " is empty; its first line should name the columns");
    case ReadResult::kUnclosedQuote:
      throw Failure(settings.input + ":" + std::to_string(header.line()) +
                    ": a quote is opened and never closed");
    case ReadResult::kFailed:
      if (interrupted() != 0) {
        throw Interrupted(settings.output);
      }
      throw Failure(settings.input + ": " + std::strerror(reader.error()));
  }
  TablePlan plan;
  for (std::size_t i = 0; i < header.size(); ++i) {
    ColumnPlan column;
    column.name = trimmed(header.cell(i));
    if (column.name.empty()) {
      column.name = "column_" + std::to_string(i + 1);  // as the index that pandas writes
    }
    plan.columns.push_back(column);
  }
  check_names(plan.columns, settings.input);
  apply_told(plan, settings);
  return plan;
}

void settle_types(CsvReader& reader, TablePlan& plan, std::uint64_t limit, std::vector<Row>* kept,
                  std::uint64_t bytes, microparquet::text::ProgressLine& progress) {
  std::vector<TypeGuess> guesses(plan.columns.size());
  Row row;
  while (plan.rows < limit && interrupted() == 0 && reader.next(row) == ReadResult::kRow) {
    if (kept != nullptr) {
      kept->push_back(row);
    }
    if (row.size() != guesses.size()) {
      break;  // replaying comes across it again, and says so
    }
    for (std::size_t i = 0; i < guesses.size(); ++i) {
      guesses[i].see(row.cell(i), row.line());
    }
    ++plan.rows;
    if (progress.is_due()) {
      progress.show("types of " + grouped_digits(plan.rows) + " rows", reader.bytes_read(), bytes);
    }
  }
  const bool all_seen = kept == nullptr;
  for (std::size_t i = 0; i < guesses.size(); ++i) {
    settle(plan.columns[i], guesses[i], all_seen);
  }
}

}  // namespace csv_log
