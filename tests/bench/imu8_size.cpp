// Measures the bytes of a row of `imu8` at 100 Hz, for sizes of pages and encodings. In column chunks, page
// headers included: a log of an hour. In the whole file, and the part of it that is neither in a chunk nor in
// the last footer: the means over logs of 16 lengths, since where a log happens to end changes them by
// several percent.
#include <array>
#include <cstdio>
#include <string>

#include "microparquet/reader.h"
#include "microparquet/static_writer.h"
#include "support/imu8_rows.h"
#include "support/sparse_file.h"
#include "write_imu8.h"

namespace {

using namespace microparquet;
using support::must;

constexpr std::uint32_t kHertz = 100;
constexpr std::uint32_t kMsPerRow = 1000 / kHertz;
constexpr std::uint32_t kHour = 3600 * kHertz;
// Lengths of logs, from ten minutes to two hours.
constexpr std::uint32_t kLengths = 16;
constexpr std::uint32_t kShortest = 600 * kHertz;
constexpr std::uint32_t kStep = (7200 - 600) * kHertz / (kLengths - 1);
// The boots of a device that is switched off without notice.
constexpr std::uint32_t kBoots = 21;
constexpr std::uint32_t kBootRows = 90 * kHertz;

using LogFile = support::SparseFile<std::size_t{64} << 20>;

constexpr Options options_of(std::uint32_t page_bytes) {
  Options options;
  options.page_bytes = page_bytes;
  return options;
}

struct Size {
  double chunks;       // bytes
  double file;         // bytes
  double last_footer;  // bytes
  double rows;

  double dead_percent() const { return 100 * (1 - chunks / (file - last_footer)); }
};

double footer_bytes(LogFile& file) {
  std::uint32_t bytes = 0;
  constexpr std::uint32_t kEnd = 8;  // its length, and PAR1
  must(file.read_at(file.published() - kEnd, {reinterpret_cast<std::byte*>(&bytes), sizeof bytes}), "read");
  return bytes + kEnd;
}

Size size_of(LogFile& file) {
  alignas(8) static std::array<std::byte, 16 << 10> arena;
  Reader reader;
  must(reader.open(file, ReaderOptions{}, arena), "open to read");
  Size size = {0, static_cast<double>(file.published()), footer_bytes(file),
               static_cast<double>(reader.rows())};
  while (reader.next_row_group() == Status::kOk) {
    for (std::uint32_t column = 0; column < reader.columns(); ++column) {
      ColumnChunkInfo chunk;
      must(reader.column_chunk(column, chunk), "chunk");
      size.chunks += static_cast<double>(chunk.compressed_bytes);
    }
  }
  return size;
}

// `size`: of the pages, as the figure has it; null: their bytes.
template <const auto& kSchema, std::uint32_t kPageBytes>
struct Log {
  static constexpr Options kOptions = options_of(kPageBytes);
  static inline StaticWriter<kSchema, kOptions> writer;
};

template <typename Log>
Size size_of_log(LogFile& file, std::uint32_t rows) {
  bench::write_imu8(Log::writer, file, rows, kMsPerRow);
  must(Log::writer.close(), "close");
  const Size size = size_of(file);
  must(file.sync(0), "empty");
  return size;
}

// Measures boots, each of which but the last one ends in a power cut, each third one right after a
// checkpoint.
template <typename Log>
Size size_of_boots(LogFile& file) {
  bench::Imu8Generator generator(static_cast<std::int32_t>(kBoots * kBootRows));
  bench::Imu8Row row = {};
  for (std::uint32_t boot = 0; boot < kBoots; ++boot) {
    must(Log::writer.resume(file), "resume");
    for (std::uint32_t i = 0; i < kBootRows; ++i) {
      generator.next(row);
      must(Log::writer.append(row), "append");
      must(Log::writer.tick(i * kMsPerRow), "tick");
    }
    if (boot % 3 == 1) must(Log::writer.checkpoint(), "checkpoint");
    if (boot + 1 == kBoots) must(Log::writer.close(), "close");
    Log::writer.reset();
  }
  const Size size = size_of(file);
  must(file.sync(0), "empty");
  return size;
}

template <const auto& kSchema, std::uint32_t kPageBytes>
void print(LogFile& file, const char* encoding, const char* size = nullptr) {
  using Bytes = Log<kSchema, kPageBytes>;
  const std::string log = std::string(encoding) + "_" + (size != nullptr ? size : std::to_string(kPageBytes));
  const Size hour = size_of_log<Bytes>(file, kHour);
  double bytes_per_row = 0;
  double dead = 0;
  for (std::uint32_t i = 0; i < kLengths; ++i) {
    const Size one = size_of_log<Bytes>(file, kShortest + i * kStep);
    bytes_per_row += one.file / one.rows / kLengths;
    dead += one.dead_percent() / kLengths;
  }
  const auto figure = [&](const char* name, double value, const char* unit, int digits) {
    std::printf("size.imu8_%s.%s %.*f %s\n", log.c_str(), name, digits, value, unit);
  };
  figure("chunks", hour.chunks / hour.rows, "bytes_per_row", 2);
  figure("file", bytes_per_row, "bytes_per_row", 2);
  figure("dead", dead, "percent", 1);
  figure("boots21_dead", size_of_boots<Bytes>(file).dead_percent(), "percent", 1);
}

}  // namespace

int main() {
  LogFile file;
  print<bench::kImu8Schema, 512>(file, "plain");
  print<bench::kImu8Schema, 1024>(file, "plain");
  print<bench::kImu8Schema, 4096>(file, "plain");
  print<bench::kImu8DeltaSchema<>, 512>(file, "delta");
  print<bench::kImu8DeltaSchema<>, 4096>(file, "delta");
  // The integers in pages of a sector, or as large as those of the floats.
  print<bench::kImu8SmallSchema<1024>, 512>(file, "small", "1k");
  print<bench::kImu8SmallSchema<4096>, 4096>(file, "small", "4k");
  print<bench::kImu8DictionarySchema, 512>(file, "dictionary");
  print<bench::kImu8DictionarySchema, 4096>(file, "dictionary");
}
