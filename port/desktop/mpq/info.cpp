#include <algorithm>
#include <deque>
#include <vector>

#include "bounds.h"
#include "commands.h"
#include "dictionary_use.h"
#include "dropped_rows.h"
#include "facts.h"
#include "file_summary.h"
#include "info_files.h"
#include "log_timing.h"
#include "microparquet/text/grouped_digits.h"
#include "named_files.h"
#include "parquet_file.h"
#include "table.h"
#include "timing_text.h"
#include "type_text.h"
#include "value_text.h"
#include "wrong_request.h"

namespace mpq_tool {

namespace {

using microparquet::text::grouped_digits;

// Of each column; and how many statistics cannot be read, which are taken for none.
struct Summaries {
  std::deque<ColumnSummary> columns;
  std::vector<DictionaryUse> dictionaries;
  std::uint64_t unreadable = 0;
};

Summaries summarise(ParquetFile& file) {
  Summaries summaries;
  for (const Column& column : file.columns()) {
    summaries.columns.emplace_back(column.element);
  }
  summaries.dictionaries.resize(file.columns().size());
  DictionaryCounter dictionaries(file.file());
  std::vector<std::byte> buffer;
  while (file.next_row_group()) {
    for (const Column& column : file.columns()) {
      const auto chunk = file.column_chunk(column.number);
      const auto statistics = file.column_statistics(column.number, buffer);
      summaries.columns[column.number].add(chunk, statistics.value_or(microparquet::ColumnStatistics()));
      summaries.unreadable += statistics ? 0U : 1U;
      dictionaries.add(chunk, summaries.dictionaries[column.number]);
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

// Nothing where no column has one.
void print_dictionaries(ParquetFile& file, const std::vector<DictionaryUse>& uses, Output& output) {
  Table table;
  table.add_column("dictionaries", Table::Align::kLeft);
  table.add_column("column chunks", Table::Align::kRight);
  table.add_column("with dictionary", Table::Align::kRight);
  table.add_column("with fallback", Table::Align::kRight);
  bool any = false;
  for (const Column& column : file.columns()) {
    const DictionaryUse& use = uses[column.number];
    if (use.with_dictionary == 0) {
      continue;
    }
    any = true;
    table.add_row({column.name, grouped_digits(use.chunks), grouped_digits(use.with_dictionary),
                   use.fallbacks ? grouped_digits(*use.fallbacks) : "-"});
  }
  if (any) {
    output.line("");
    table.print(output, 2, terminal_width());
  }
}

void print_columns(ParquetFile& file, Output& output) {
  Table table;
  table.add_column("column", Table::Align::kLeft);
  table.add_column("type", Table::Align::kLeft);
  table.add_column("encoding", Table::Align::kLeft);
  table.add_column("bytes", Table::Align::kRight);
  table.add_column("nulls", Table::Align::kRight);
  table.add_column("min", Table::Align::kLeft);
  table.add_column("max", Table::Align::kLeft);
  const Facts facts = read_facts(file);
  if (facts.has_units()) {
    table.add_column("unit", Table::Align::kLeft);
  }
  Summaries summaries = summarise(file);
  for (const Column& column : file.columns()) {
    const ColumnSummary& summary = summaries.columns.front();
    std::vector<std::string> cells = {column.name,
                                      type_text(column.element),
                                      encoding_text(summary),
                                      grouped_digits(summary.bytes()),
                                      summary.nulls() ? grouped_digits(*summary.nulls()) : "-",
                                      bound_text(column.element, summary.min()),
                                      bound_text(column.element, summary.max())};
    if (facts.has_units()) {
      cells.push_back(facts.unit_text(column.name));
    }
    table.add_row(std::move(cells));
    summaries.columns.pop_front();
  }
  output.line("");
  if (table.print(output, 2, terminal_width()) != 0) {
    output.line("  (more in a wider terminal, or by: mpq info FILE | cat)");
  }
  if (summaries.unreadable != 0) {
    output.line("  (" + grouped_digits(summaries.unreadable) +
                (summaries.unreadable == 1 ? " column chunk has statistics that cannot be read"
                                           : " column chunks have statistics that cannot be read") +
                "; mpq verify says which)");
  }
  print_dictionaries(file, summaries.dictionaries, output);
}

// A line, which fits in the terminal.
void print_fact(const std::string& title, const std::string& text, Output& output) {
  constexpr std::size_t kTitle = 12;
  const std::string line = "  " + title + std::string(kTitle - title.size(), ' ') + text;
  output.line(terminal_width() == 0 ? line : shortened(line, terminal_width()));
}

// Nothing of a file without times. What is wrong with rows that cannot be read, other commands say.
void print_timing(const InputFile& input, const std::string& time_name, Output& output) {
  ParquetFile file(input);
  std::optional<LogTiming> timing;
  try {
    timing = read_timing(file, time_name);
  } catch (const WrongRequest&) {
    throw;
  } catch (const Failure&) {
    print_fact("time", "(cannot be read: `mpq verify` says why)", output);
    return;
  }
  if (!timing) {
    return;
  }
  print_fact("time",
             instant_text(timing->time, timing->first) + " to " + instant_text(timing->time, timing->last),
             output);
  print_fact("span", span_text(*timing) + ", by column " + timing->time.column.name, output);
  if (timing->interval > 0) {
    print_fact("rate", rate_text(*timing), output);
  }
  std::string title = "gaps";
  for (const std::string& line : missing_text(*timing, dropped_rows(file))) {
    print_fact(title, line, output);
    title.clear();
  }
}

}  // namespace

int print_info(const InfoRequest& request, Output& output) {
  const std::vector<std::string> files = named_files(request.paths);
  if (request.json || files.size() > 1) {
    return print_info_of(files, request.time, request.json, output);
  }
  const InputFile input(files.front());
  ParquetFile file(input);
  print_file(file, output);
  print_timing(input, request.time, output);
  print_key_values(file, output);
  print_columns(file, output);
  return 0;
}

}  // namespace mpq_tool
