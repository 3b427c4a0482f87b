// Every public call of the reader, so that what they use of the C library is linked and can be sized.
#include "counting_file.h"
#include "imu8_log.h"
#include "microparquet/cursors.h"
#include "microparquet/static_reader.h"
#include "opaque.h"

namespace {
using namespace microparquet;

bench::CountingFile file;
StaticReader<bench::kImu8Schema> log_reader;
alignas(8) std::byte arena[16384];

// A function of its own: in a program the typed next is part of its caller.
[[gnu::noinline]] Status next_struct(bench::Imu8Row& row) { return log_reader.next(row); }

Status describe(Reader& reader) {
  char text[64];
  std::byte bounds[64];
  SchemaElement element;
  KeyValue key_value;
  std::string_view view;
  std::uint32_t column = 0;
  Status status = reader.schema_element(0, text, element);
  if (status == Status::kOk) status = reader.column_element(0, text, element);
  if (status == Status::kOk) status = reader.find_column("ax", column);
  if (status == Status::kOk) status = reader.key_value(0, text, key_value);
  if (status == Status::kOk) status = reader.find_key_value("key", text, view);
  if (status == Status::kOk) status = reader.created_by(text, view);
  SchemaCursor schema(reader);
  KeyValueCursor key_values(reader);
  if (status == Status::kOk) status = schema.next(text, element);
  if (status == Status::kOk) status = key_values.next(text, key_value);
  SortingColumn sorting[1];
  std::size_t count = 0;
  ColumnChunkInfo chunk;
  ColumnStatistics statistics;
  if (status == Status::kOk) status = reader.sorting_columns(sorting, count);
  if (status == Status::kOk) status = reader.column_chunk(0, chunk);
  if (status == Status::kOk) status = reader.column_statistics(0, bounds, statistics);
  bench::opaque(element);
  bench::opaque(statistics);
  return status;
}

Status read(Reader& reader) {
  Value row[8];
  std::int64_t values[8];
  std::uint8_t levels[8];
  Batch<std::int64_t> batch(values, levels);
  ColumnRun run;
  Status status = reader.open(file, kDefaultReaderOptions, arena);
  if (status == Status::kOk) status = reader.choose_all();
  if (status == Status::kOk) status = reader.next_row(row);
  if (status == Status::kOk) status = reader.skip_row();
  if (status == Status::kOk) status = reader.seek_row_group(0);
  if (status == Status::kOk) status = reader.next_row_group();
  if (status == Status::kOk) status = reader.next_batch(0, batch);
  if (status == Status::kOk) status = reader.next_run(0, run);
  if (status == Status::kOk) status = reader.skip_value(0);
  std::uint64_t missing = 0;
  const ColumnChoice choices[] = {{0, 128}};
  if (status == Status::kOk) status = reader.choose(choices);
  if (status == Status::kOk) status = reader.seek_row(1);
  if (status == Status::kOk) status = reader.move_buffer(0, arena);
  const Failure failure = reader.failure();
  bench::opaque(failure);
  if (status == Status::kOk) status = reader.skip_page(0, missing);
  if (status == Status::kOk) status = reader.skip_page(missing);
  bench::opaque(row);
  bench::opaque(run);
  return status == Status::kOk ? describe(reader) : status;
}

}  // namespace

int main() {
  Reader reader;
  bench::opaque(file);
  Status status = log_reader.open(file);
  bench::Imu8Row row;
  if (status == Status::kOk) status = next_struct(row);
  bench::opaque(row);
  if (status == Status::kOk) status = read(reader);
  return static_cast<int>(status);
}
