#include <memory>

#include "commands.h"
#include "failure.h"
#include "parquet_file.h"
#include "row_printer.h"

namespace mpq_tool {

namespace {

std::unique_ptr<RowPrinter> make_printer(RowFormat format, const std::vector<Column>& columns,
                                         Output& output) {
  switch (format) {
    case RowFormat::kCsv: return std::make_unique<CsvPrinter>(columns, output);
    case RowFormat::kJson: return std::make_unique<JsonPrinter>(columns, output);
    case RowFormat::kTable: return std::make_unique<TablePrinter>(columns, output);
  }
  return nullptr;
}

}  // namespace

void print_rows(const std::string& path, const std::vector<std::string>& columns,
                std::optional<std::uint64_t> limit, RowFormat format, Output& output) {
  ParquetFile file(path);
  const std::vector<Column> chosen = file.columns_named(columns);
  file.choose(chosen);
  const auto printer = make_printer(format, chosen, output);
  printer->begin();
  try {
    for (std::uint64_t rows = 0; (!limit || rows < *limit) && file.next_row(); ++rows) {
      printer->row(file.reader());
    }
  } catch (const Failure&) {
    printer->end();
    output.flush();  // the rows before the damage
    throw;
  }
  printer->end();
}

}  // namespace mpq_tool
