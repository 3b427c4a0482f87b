#include <limits>

#include "commands.h"
#include "failure.h"
#include "parquet_file.h"
#include "row_printer.h"

namespace mpq_tool {

void print_rows(const std::string& path, const std::vector<std::string>& columns,
                std::optional<std::uint64_t> limit, RowFormat format, Output& output) {
  ParquetFile file(path);
  const std::vector<Column> chosen = file.columns_named(columns);
  file.choose(chosen);
  const auto printer = make_row_printer(format, chosen, output);
  std::uint64_t left = limit.value_or(std::numeric_limits<std::uint64_t>::max());
  bool more = left != 0 && file.next_row();  // a file that cannot be read prints no header either
  printer->begin();
  try {
    while (more) {
      printer->row(file.reader());
      more = --left != 0 && file.next_row();
    }
  } catch (const Failure&) {
    printer->end();
    output.flush();  // the rows before the damage
    throw;
  }
  printer->end();
}

}  // namespace mpq_tool
