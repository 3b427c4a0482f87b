#include "file_summary.h"

#include <algorithm>

#include "dropped_rows.h"
#include "microparquet/text/grouped_digits.h"

namespace mpq_tool {

namespace {

using microparquet::text::grouped_digits;

// A value in one line, and of bearable length; in a terminal in one line of that, after `used` characters.
std::string value_in_brief(const std::string& value, std::size_t used) {
  constexpr std::size_t kMax = 100;
  constexpr std::size_t kMin = 20;
  std::string text = printable(value);
  const std::string size = " (" + grouped_digits(value.size()) + " bytes)";
  const std::size_t width = terminal_width() == 0 ? used + kMax + size.size() : terminal_width();
  if (width_of(text) <= std::min(kMax, width - std::min(width, used))) return text;
  return shortened(text, std::clamp(width - std::min(width, used + size.size()), kMin, kMax)) + size;
}

}  // namespace

void print_file(ParquetFile& file, Output& output) {
  const microparquet::Reader& reader = file.reader();
  const std::string writer = printable(file.created_by());
  output.print(printable(file.name()) + "\n");
  output.print("  rows        " + grouped_digits(reader.rows()) + "\n");
  if (const std::string behind = file.rows_after_footer(); !behind.empty()) {
    output.print("              " + behind + "\n");
  }
  if (const std::uint64_t dropped = dropped_rows(file); dropped != 0) {
    output.print("              " + grouped_digits(dropped) + (dropped == 1 ? " row was" : " rows were") +
                 " dropped before reaching the file\n");
  }
  output.print("  row groups  " + grouped_digits(reader.row_groups()) + "\n");
  output.print("  columns     " + grouped_digits(reader.columns()) + "\n");
  output.print("  size        " + grouped_digits(reader.file_bytes()) + " bytes\n");
  output.print("  created by  " + (writer.empty() ? "(not said)" : writer) + "\n");
}

void print_key_values(ParquetFile& file, Output& output) {
  constexpr std::size_t kGap = 2;
  constexpr std::size_t kMin = 40;  // for a value beside its key; else it stands below
  std::size_t width = 0;
  file.visit_key_values(
      [&](const microparquet::KeyValue& pair) { width = std::max(width, width_of(printable(pair.key))); });
  if (file.reader().key_values() != 0) {
    output.print("\nkey-values\n");
  }
  const bool beside = terminal_width() == 0 || kGap + width + kGap + kMin <= terminal_width();
  file.visit_key_values([&](const microparquet::KeyValue& pair) {
    const std::string key = printable(pair.key);
    const std::string padding = beside ? std::string(width - width_of(key) + kGap, ' ') : "\n      ";
    const std::string value = value_in_brief(std::string(pair.value), beside ? kGap + width + kGap : 6);
    output.print("  " + key + padding + value + "\n");
  });
}

}  // namespace mpq_tool
