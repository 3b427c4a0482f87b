// arrow_cpp_fixes_write FILE ROWS: writes an Arrow stream with lists of structs (tests/bench/fixes.h) with Arrow C++ by its
// fastest way, one row group, in PLAIN without a dictionary, with statistics of chunks; prints the seconds of the processor from
// the stream to the file.
#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <parquet/arrow/writer.h>

#include <cstdio>
#include <cstdlib>
#include <limits>

#include "fixes.h"
#include "imu8_sums.h"

namespace {

arrow::Status write(const char* path, ArrowArrayStream& stream) {
  parquet::WriterProperties::Builder properties;
  properties.disable_dictionary();
  properties.disable_write_page_index();  // which ours has none of
  ARROW_ASSIGN_OR_RAISE(const auto reader, arrow::ImportRecordBatchReader(&stream));
  ARROW_ASSIGN_OR_RAISE(const auto table, reader->ToTable());
  ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::FileOutputStream::Open(path));
  ARROW_RETURN_NOT_OK(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), file,
                                                 std::numeric_limits<std::int64_t>::max(),
                                                 properties.build()));
  return file->Close();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const microparquet::bench::Fixes fixes(std::strtoul(argv[2], nullptr, 10));
  microparquet::bench::FixStream stream(fixes);

  const microparquet::bench::Stopwatch stopwatch;
  if (const arrow::Status status = write(argv[1], stream.stream()); !status.ok()) {
    std::fprintf(stderr, "%s: %s\n", argv[1], status.ToString().c_str());
    return 1;
  }
  std::printf("%.6f\n", stopwatch.seconds());
}
