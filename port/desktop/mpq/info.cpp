#include <algorithm>
#include <deque>
#include <vector>

#include "bounds.h"
#include "commands.h"
#include "dictionary_use.h"
#include "file_summary.h"
#include "microparquet/text/grouped_digits.h"
#include "parquet_file.h"
#include "table.h"
#include "type_text.h"
#include "value_text.h"

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
      summaries.unreadable += statistics ? 0 : 1;
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
  return text == "-0.0" ? "0"
                        : shortened(printable(text), kMax);  // a zero bound has a sign by convention only
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
    table.add_row({printable(column.name), grouped_digits(use.chunks), grouped_digits(use.with_dictionary),
                   use.fallbacks ? grouped_digits(*use.fallbacks) : "-"});
  }
  if (any) {
    output.print("\n");
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
  Summaries summaries = summarise(file);
  for (const Column& column : file.columns()) {
    const ColumnSummary& summary = summaries.columns.front();
    table.add_row({printable(column.name), type_text(column.element), encoding_text(summary),
                   grouped_digits(summary.bytes()), summary.nulls() ? grouped_digits(*summary.nulls()) : "-",
                   bound_text(column.element, summary.min()), bound_text(column.element, summary.max())});
    summaries.columns.pop_front();
  }
  output.print("\n");
  if (table.print(output, 2, terminal_width()) != 0) {
    output.print("  (more in a wider terminal, or by: mpq info FILE | cat)\n");
  }
  if (summaries.unreadable != 0) {
    output.print("  (" + grouped_digits(summaries.unreadable) +
                 (summaries.unreadable == 1 ? " column chunk has statistics that cannot be read"
                                            : " column chunks have statistics that cannot be read") +
                 "; mpq verify says which)\n");
  }
  print_dictionaries(file, summaries.dictionaries, output);
}

}  // namespace

void print_info(const InputFile& input, Output& output) {
  ParquetFile file(input);
  print_file(file, output);
  print_key_values(file, output);
  print_columns(file, output);
}

}  // namespace mpq_tool
