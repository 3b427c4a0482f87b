// list_write FILE ROWS: writes lists (tables.h, list32) by the fastest way of this library, levels and values of all rows at
// once, page checksums and statistics included; prints the seconds of the processor from create to close.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "imu8_sums.h"
#include "microparquet/desktop/nested_file.h"
#include "microparquet/port/desktop.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/writer.h"
#include "tables.h"

namespace {

using namespace microparquet;
using desktop::ColumnSlots;
using desktop::NestedKind;
using desktop::NestedPart;

constexpr std::uint8_t kItem =
    3;  // the definition level of an item: list and item may be missing, and the list empty

std::vector<NestedPart> make_parts(std::size_t columns) {
  std::vector<NestedPart> parts(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    parts[i].name = "c" + std::to_string(i);
    parts[i].kind = NestedKind::kList;
    parts[i].optional = true;
    NestedPart& element = parts[i].children.emplace_back();
    element.optional = true;
    element.field = int32_field("");
    element.usual_slots = bench::kListItems;
  }
  return parts;
}

// As a program has them that has read lists before: levels of all items, and the items.
std::vector<ColumnSlots> make_slots(const bench::Table& table) {
  std::vector<ColumnSlots> columns;
  for (const bench::TableColumn& column : table.columns) {
    ColumnSlots& slots = columns.emplace_back();
    slots.values = column.ints.data();
    slots.definition.assign(column.ints.size(), kItem);
    for (std::size_t i = 0; i < column.ints.size(); ++i) {
      slots.repetition.push_back(i % bench::kListItems != 0 ? 1 : 0);
    }
  }
  return columns;
}

Status write(const char* path, const std::vector<NestedPart>& parts, const std::vector<ColumnSlots>& columns,
             std::size_t rows) {
  const Options options = desktop_options(static_cast<std::uint32_t>(rows));
  const desktop::NestedFile nested(parts, options);
  const std::unique_ptr<std::uint64_t[]> memory(  // not set to zeros
      new std::uint64_t[nested.arena_bytes() / sizeof(std::uint64_t) + 1]);
  std::vector<const ColumnSlots*> slots;
  for (const ColumnSlots& column : columns) slots.push_back(&column);
  std::size_t at = 0;
  PosixFile file;
  file.allocate_ahead(false);
  Writer writer;
  Status status = file.create(path, Existing::kOverwrite);
  if (status == Status::kOk) status = nested.open(writer, file, reinterpret_cast<std::byte*>(memory.get()));
  if (status == Status::kOk) {
    status = nested.append(writer, {slots.data(), slots.size()}, static_cast<std::uint32_t>(rows), at);
  }
  if (status == Status::kOk) status = writer.close();
  if (status == Status::kOk) status = file.close();
  return status == Status::kOk && writer.row_groups() > 1 ? Status::kInvalidArgument : status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::size_t rows = std::strtoul(argv[2], nullptr, 10);
  const bench::Table table("list32", rows);
  const std::vector<NestedPart> parts = make_parts(table.columns.size());
  const std::vector<ColumnSlots> columns = make_slots(table);

  const bench::Stopwatch stopwatch;
  const Status status = write(argv[1], parts, columns, rows);
  const double seconds = stopwatch.seconds();
  if (status != Status::kOk) {
    std::fprintf(stderr, "%s: %s\n", argv[1], to_string(status));
    return 1;
  }
  std::printf("%.6f\n", seconds);
}
