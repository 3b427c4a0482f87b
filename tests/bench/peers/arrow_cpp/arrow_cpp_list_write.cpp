// arrow_cpp_list_write FILE ROWS: writes lists (tests/bench/tables.h, list32) with Arrow C++ by its fastest way, one row group,
// column by column, levels and values of all rows at once, in PLAIN without a dictionary, with statistics of chunks; prints the
// seconds of the processor from create to close.
#include <arrow/io/file.h>
#include <parquet/api/writer.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "imu8_sums.h"
#include "tables.h"

namespace {

using microparquet::bench::kListItems;
using microparquet::bench::Stopwatch;
using microparquet::bench::Table;
using parquet::Repetition;
using parquet::schema::GroupNode;
using parquet::schema::NodePtr;

constexpr std::int16_t kItem =
    3;  // the definition level of an item: list and item may be missing, and the list empty

struct Levels {
  std::vector<std::int16_t> definition;
  std::vector<std::int16_t> repetition;

  explicit Levels(std::size_t items) : definition(items, kItem) {
    for (std::size_t i = 0; i < items; ++i) repetition.push_back(i % kListItems != 0 ? 1 : 0);
  }
};

std::shared_ptr<GroupNode> make_schema(std::size_t columns) {
  parquet::schema::NodeVector fields;
  for (std::size_t i = 0; i < columns; ++i) {
    const NodePtr element =
        parquet::schema::PrimitiveNode::Make("element", Repetition::OPTIONAL, parquet::Type::INT32);
    const NodePtr list = GroupNode::Make("list", Repetition::REPEATED, {element});
    fields.push_back(
        GroupNode::Make("c" + std::to_string(i), Repetition::OPTIONAL, {list}, parquet::LogicalType::List()));
  }
  return std::static_pointer_cast<GroupNode>(GroupNode::Make("schema", Repetition::REQUIRED, fields));
}

void write(const char* path, const Table& table, const std::vector<Levels>& levels,
           const std::shared_ptr<GroupNode>& schema,
           const std::shared_ptr<parquet::WriterProperties>& properties) {
  const auto file = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  const auto writer = parquet::ParquetFileWriter::Open(file, schema, properties);
  parquet::RowGroupWriter& group = *writer->AppendRowGroup();
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::vector<std::int32_t>& items = table.columns[i].ints;
    static_cast<parquet::Int32Writer*>(group.NextColumn())
        ->WriteBatch(static_cast<std::int64_t>(items.size()), levels[i].definition.data(),
                     levels[i].repetition.data(), items.data());
  }
  group.Close();
  writer->Close();
  if (!file->Close().ok()) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const Table table("list32", std::strtoul(argv[2], nullptr, 10));
  std::vector<Levels> levels;
  for (const auto& column : table.columns) levels.emplace_back(column.ints.size());
  const auto schema = make_schema(table.columns.size());
  parquet::WriterProperties::Builder properties;
  properties.disable_dictionary();
  properties.disable_write_page_index();  // which ours has none of

  const Stopwatch stopwatch;
  write(argv[1], table, levels, schema, properties.build());
  std::printf("%.6f\n", stopwatch.seconds());
}
