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
  const std::string size = " (" + grouped_digits(value.size()) + " bytes)";
  const std::size_t width = terminal_width() == 0 ? used + kMax + size.size() : terminal_width();
  if (width_of(value) <= std::min(kMax, width - std::min(width, used))) {
    return value;
  }
  return shortened(value, std::clamp(width - std::min(width, used + size.size()), kMin, kMax)) + size;
}

}  // namespace

void print_file(ParquetFile& file, Output& output) {
  const microparquet::Reader& reader = file.reader();
  const std::string writer = file.created_by();
  output.line(file.name());
  output.line("  rows        " + grouped_digits(reader.rows()));
  if (const std::string behind = file.rows_after_footer(); !behind.empty()) {
    output.line("              " + behind);
  }
  if (const std::uint64_t dropped = dropped_rows(file); dropped != 0) {
    output.line("              " + grouped_digits(dropped) + (dropped == 1 ? " row was" : " rows were") +
                " dropped before reaching the file");
  }
  output.line("  row groups  " + grouped_digits(reader.row_groups()));
  output.line("  columns     " + grouped_digits(reader.columns()));
  output.line("  size        " + grouped_digits(reader.file_bytes()) + " bytes");
  output.line("  created by  " + (writer.empty() ? "(not said)" : writer));
}

void print_key_values(ParquetFile& file, Output& output) {
  constexpr std::size_t kGap = 2;
  constexpr std::size_t kMin = 40;  // for a value beside its key; else it stands below
  std::size_t width = 0;
  file.visit_key_values(
      [&](const microparquet::KeyValue& pair) { width = std::max(width, width_of(pair.key)); });
  if (file.reader().key_values() != 0) {
    output.line("");
    output.line("key-values");
  }
  const bool beside = terminal_width() == 0 || kGap + width + kGap + kMin <= terminal_width();
  file.visit_key_values([&](const microparquet::KeyValue& pair) {
    constexpr std::size_t kIndent = 6;  // of a value below its key
    const std::string key = "  " + std::string(pair.key);
    const std::string value = value_in_brief(std::string(pair.value), beside ? kGap + width + kGap : kIndent);
    if (beside) {
      output.line(key + std::string(kGap + width - width_of(key) + kGap, ' ') + value);
    } else {
      output.line(key);
      output.line(std::string(kIndent, ' ') + value);
    }
  });
}

}  // namespace mpq_tool
