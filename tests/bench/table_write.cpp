// table_write FILE ROWS TABLE: writes a table (tables.h) by the fastest way of this library, page
// checksums and statistics included; prints the seconds of the processor from create to close.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "imu8_sums.h"
#include "microparquet/port/desktop.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/writer.h"
#include "tables.h"

namespace {

using namespace microparquet;
using bench::Table;
using bench::TableType;

struct Columns {
  std::vector<std::string> names;
  std::vector<Field> fields;
  std::vector<ColumnData> data;

  explicit Columns(const Table& table) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) names.push_back("c" + std::to_string(i));
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const bench::TableColumn& column = table.columns[i];
      if (table.type == TableType::kBool) {
        fields.push_back(boolean_field(names[i]));
        data.push_back({column.bools.get()});
      } else if (table.type == TableType::kInt32) {
        fields.push_back(int32_field(names[i]));
        data.push_back({column.ints.data()});
      } else {
        fields.push_back(double_field(names[i]).as_optional());
        data.push_back({column.doubles.data(), column.valid.data()});
      }
    }
  }
};

Status write(const char* path, const Table& table, const Columns& columns, const Options& options) {
  const Schema schema(columns.fields.data(), columns.fields.size());
  const std::size_t bytes = Writer::required_bytes(schema, options);
  const std::unique_ptr<std::byte[]> memory(new std::byte[bytes]);  // not set to zeros
  PosixFile file;
  file.allocate_ahead(false);
  Writer writer;
  Status status = file.create(path, Existing::kOverwrite);
  if (status == Status::kOk)
    status = writer.open(file, schema, options, Span<std::byte>(memory.get(), bytes));
  if (status == Status::kOk) {
    status =
        writer.append_columns(Span<const ColumnData>(columns.data.data(), columns.data.size()), table.rows);
  }
  if (status == Status::kOk) status = writer.close();
  if (status == Status::kOk) status = file.close();
  return status == Status::kOk && writer.row_groups() > 2 ? Status::kInvalidArgument : status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const Table table(argv[3], std::strtoul(argv[2], nullptr, 10));
  const Columns columns(table);
  const Options options = desktop_options(static_cast<std::uint32_t>(table.rows));

  const bench::Stopwatch stopwatch;
  const Status status = write(argv[1], table, columns, options);
  const double seconds = stopwatch.seconds();
  if (status != Status::kOk) {
    std::fprintf(stderr, "%s: %s\n", argv[1], to_string(status));
    return 1;
  }
  std::printf("%.6f\n", seconds);
}
