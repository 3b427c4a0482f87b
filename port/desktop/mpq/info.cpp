#include <algorithm>
#include <deque>

#include "bounds.h"
#include "commands.h"
#include "microparquet/text/grouped_digits.h"
#include "parquet_file.h"
#include "table.h"
#include "type_text.h"
#include "value_text.h"

namespace mpq_tool {

namespace {

using microparquet::text::grouped_digits;

void print_file(ParquetFile& file, Output& output) {
  const microparquet::Reader& reader = file.reader();
  const std::string writer = printable(file.created_by());
  output.print(printable(file.name()) + "\n");
  output.print("  rows        " + grouped_digits(reader.rows()) + "\n");
  if (const std::string behind = file.rows_behind_footer(); !behind.empty()) {
    output.print("              " + behind + "\n");
  }
  output.print("  row groups  " + grouped_digits(reader.row_groups()) + "\n");
  output.print("  columns     " + grouped_digits(reader.columns()) + "\n");
  output.print("  size        " + grouped_digits(reader.file_bytes()) + " bytes\n");
  output.print("  created by  " + (writer.empty() ? "(not said)" : writer) + "\n");
}

// A value in one line, and of bearable length; in a terminal in one line of that, behind `used` characters.
std::string value_in_brief(const std::string& value, std::size_t used) {
  constexpr std::size_t kMost = 100;
  constexpr std::size_t kLeast = 20;
  std::string text = printable(value);
  const std::string size = " (" + grouped_digits(value.size()) + " bytes)";
  const std::size_t width = terminal_width() == 0 ? used + kMost + size.size() : terminal_width();
  if (width_of(text) <= std::min(kMost, width - std::min(width, used))) return text;
  return shortened(text, std::clamp(width - std::min(width, used + size.size()), kLeast, kMost)) + size;
}

void print_key_values(ParquetFile& file, Output& output) {
  constexpr std::size_t kGap = 2;
  constexpr std::size_t kLeast = 40;  // for a value beside its key; else it stands below
  std::size_t width = 0;
  file.visit_key_values(
      [&](const microparquet::KeyValue& pair) { width = std::max(width, width_of(printable(pair.key))); });
  if (file.reader().key_values() != 0) {
    output.print("\nkey-values\n");
  }
  const bool beside = terminal_width() == 0 || kGap + width + kGap + kLeast <= terminal_width();
  file.visit_key_values([&](const microparquet::KeyValue& pair) {
    const std::string key = printable(pair.key);
    const std::string padding = beside ? std::string(width - width_of(key) + kGap, ' ') : "\n      ";
    const std::string value = value_in_brief(std::string(pair.value), beside ? kGap + width + kGap : 6);
    output.print("  " + key + padding + value + "\n");
  });
}

std::deque<ColumnSummary> summarise(ParquetFile& file) {
  std::deque<ColumnSummary> summaries;
  for (const Column& column : file.columns()) {
    summaries.emplace_back(column.element);
  }
  std::vector<std::byte> buffer;
  while (file.next_row_group()) {
    for (const Column& column : file.columns()) {
      summaries[column.number].add(file.column_chunk(column.number),
                                   file.column_statistics(column.number, buffer));
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
  constexpr std::size_t kMost = 32;
  if (!bound) {
    return "-";
  }
  const std::string text = value_text(element, *bound);
  return text == "-0.0" ? "0"
                        : shortened(printable(text), kMost);  // a zero bound has a sign by convention only
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
  std::deque<ColumnSummary> summaries = summarise(file);
  for (const Column& column : file.columns()) {
    const ColumnSummary& summary = summaries.front();
    table.add_row({printable(column.name), type_text(column.element), encoding_text(summary),
                   grouped_digits(summary.bytes()), summary.nulls() ? grouped_digits(*summary.nulls()) : "-",
                   bound_text(column.element, summary.min()), bound_text(column.element, summary.max())});
    summaries.pop_front();
  }
  output.print("\n");
  if (table.print(output, 2, terminal_width()) != 0) {
    output.print("  (more in a wider terminal, or by: mpq info FILE | cat)\n");
  }
}

}  // namespace

void print_info(const InputFile& input, Output& output) {
  ParquetFile file(input);
  print_file(file, output);
  print_key_values(file, output);
  print_columns(file, output);
}

}  // namespace mpq_tool
