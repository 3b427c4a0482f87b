// How many bytes a row of `imu8` takes in a closed log of an hour at 100 Hz, for sizes of pages and encodings: in column
// chunks, page headers included, and in the whole file; and the part of the file that is in no chunk.
#include <array>
#include <cstdio>

#include "microparquet/reader.h"
#include "microparquet/static_writer.h"
#include "support/imu8_rows.h"
#include "support/sparse_file.h"
#include "write_imu8.h"

namespace {

using namespace microparquet;
using support::must;

constexpr std::uint32_t kRows = 360'000;
constexpr std::uint32_t kMsPerRow = 10;

using LogFile = support::SparseFile<std::size_t{64} << 20>;

constexpr Options options_of(std::uint32_t page_bytes) {
  Options options;
  options.page_bytes = page_bytes;
  return options;
}

template <const auto& kSchema, std::uint32_t kPageBytes>
void write_log(LogFile& file) {
  static constexpr Options kOptions = options_of(kPageBytes);
  static StaticWriter<kSchema, kOptions> writer;
  bench::write_imu8(writer, file, kRows, kMsPerRow);
  must(writer.close(), "close");
}

std::uint64_t bytes_of_chunks(LogFile& file) {
  alignas(8) static std::array<std::byte, 16 << 10> arena;
  Reader reader;
  must(reader.open(file, ReaderOptions{}, arena), "open to read");
  std::uint64_t bytes = 0;
  while (reader.next_row_group() == Status::kOk) {
    for (std::uint32_t column = 0; column < reader.columns(); ++column) {
      ColumnChunkInfo chunk;
      must(reader.column_chunk(column, chunk), "chunk");
      bytes += chunk.compressed_bytes;
    }
  }
  return bytes;
}

template <const auto& kSchema, std::uint32_t kPageBytes>
void print(const char* encoding) {
  LogFile file;
  write_log<kSchema, kPageBytes>(file);
  const auto chunks = static_cast<double>(bytes_of_chunks(file));
  const auto whole = static_cast<double>(file.published());
  std::printf("size.imu8_%s_%u.chunks %.2f bytes_per_row\n", encoding, kPageBytes, chunks / kRows);
  std::printf("size.imu8_%s_%u.file %.2f bytes_per_row\n", encoding, kPageBytes, whole / kRows);
  std::printf("size.imu8_%s_%u.dead %.1f percent\n", encoding, kPageBytes, 100 * (1 - chunks / whole));
}

}  // namespace

int main() {
  print<bench::kImu8Schema, 512>("plain");
  print<bench::kImu8Schema, 1024>("plain");
  print<bench::kImu8Schema, 4096>("plain");
  print<bench::kImu8DeltaSchema<>, 512>("delta");
  print<bench::kImu8DeltaSchema<>, 4096>("delta");
}
