// arrow_cpp_write FILE ROWS [crc|FORM]: writes `imu8` with Arrow C++ by its fastest way, one row group, column by
// column, with statistics of chunks; prints the seconds of the processor from create to close. PLAIN without a dictionary, crc
// with page checksums; the forms are those of imu8_write.cpp.
#include <arrow/io/file.h>
#include <parquet/api/writer.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "imu8_columns.h"
#include "imu8_sums.h"

namespace {

using microparquet::bench::Imu8Columns;
using microparquet::bench::Stopwatch;

std::shared_ptr<parquet::schema::GroupNode> make_schema() {
  using parquet::LogicalType;
  using parquet::schema::PrimitiveNode;
  const auto required = parquet::Repetition::REQUIRED;
  parquet::schema::NodeVector fields;
  fields.push_back(PrimitiveNode::Make(
      "ts", required, LogicalType::Timestamp(true, LogicalType::TimeUnit::MICROS), parquet::Type::INT64));
  fields.push_back(PrimitiveNode::Make("seq", required, parquet::Type::INT32));
  for (const char* name : {"ax", "ay", "az", "temp"}) {
    fields.push_back(PrimitiveNode::Make(name, required, parquet::Type::FLOAT));
  }
  fields.push_back(PrimitiveNode::Make("status", required, parquet::Type::INT32));
  fields.push_back(PrimitiveNode::Make("battery_mv", required, parquet::Type::INT32));
  return std::static_pointer_cast<parquet::schema::GroupNode>(
      parquet::schema::GroupNode::Make("schema", required, fields));
}

template <typename ColumnWriter, typename Value>
void write_column(parquet::RowGroupWriter& group, const std::vector<Value>& values) {
  static_cast<ColumnWriter*>(group.NextColumn())
      ->WriteBatch(static_cast<std::int64_t>(values.size()), nullptr, nullptr, values.data());
}

void write(const char* path, const Imu8Columns& columns,
           const std::shared_ptr<parquet::schema::GroupNode>& schema,
           const std::shared_ptr<parquet::WriterProperties>& properties) {
  const auto file = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  const auto writer = parquet::ParquetFileWriter::Open(file, schema, properties);
  parquet::RowGroupWriter& group = *writer->AppendRowGroup();
  write_column<parquet::Int64Writer>(group, columns.ts);
  write_column<parquet::Int32Writer>(group, columns.seq);
  for (const auto* values : {&columns.ax, &columns.ay, &columns.az, &columns.temp}) {
    write_column<parquet::FloatWriter>(group, *values);
  }
  write_column<parquet::Int32Writer>(group, columns.status);
  write_column<parquet::Int32Writer>(group, columns.battery_mv);
  group.Close();
  writer->Close();
  if (!file->Close().ok()) std::abort();
}

void set_form(parquet::WriterProperties::Builder& properties, const std::string& form) {
  properties.disable_dictionary();
  properties.disable_write_page_index();  // which ours has none of
  if (form == "crc") properties.enable_page_checksum();
  if (form != "delta" && form != "dictionary" && form != "small") return;
  for (const char* name : {"ts", "seq", "status", "battery_mv"}) {
    properties.encoding(name, parquet::Encoding::DELTA_BINARY_PACKED);
  }
  if (form == "dictionary") properties.enable_dictionary("status");
  if (form != "delta") properties.enable_dictionary("temp");
  if (form != "small") return;
  for (const char* name : {"ax", "ay", "az"}) {
    properties.encoding(name, parquet::Encoding::BYTE_STREAM_SPLIT);
    properties.compression(name, parquet::Compression::LZ4);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const Imu8Columns columns(static_cast<std::int32_t>(std::strtol(argv[2], nullptr, 10)));
  const auto schema = make_schema();
  parquet::WriterProperties::Builder properties;
  set_form(properties, argc > 3 ? argv[3] : "plain");

  const Stopwatch stopwatch;
  write(argv[1], columns, schema, properties.build());
  std::printf("%.6f\n", stopwatch.seconds());
}
