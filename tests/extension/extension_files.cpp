// Writes files by what this folder adds to the library, in every layout, and reads them back:
//
//   extension_files FOLDER     FILE ROWS a line to standard output
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "microparquet/port/posix_file.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "run_decoder.h"
#include "run_encoder.h"
#include "sample.h"
#include "snappy_compressor.h"
#include "snappy_decompressor.h"
#include "support/must.h"
#include "table_decoder.h"
#include "table_encoder.h"

namespace {

namespace mpq = microparquet;
using extension::Sample;
using support::must;

constexpr std::uint32_t kRows = 30'000;
constexpr std::uint32_t kRowsPerCheckpoint = 4'321;

inline constexpr auto kSchema = mpq::schema(
    mpq::column("number", &Sample::number).with_compressor(extension::kSnappyCompressor),
    mpq::column("flag", &Sample::flag).with_encoder(extension::kRunEncoder),
    mpq::column("maybe_flag", &Sample::maybe_flag).with_encoder(extension::kRunEncoder),
    mpq::column("reading", &Sample::reading).with_compressor(extension::kSnappyCompressor),
    mpq::column("count", &Sample::count).with_compressor(extension::kSnappyCompressor).with_page_bytes(2048),
    mpq::column("level", &Sample::level).with_encoder(extension::kTableEncoder),
    mpq::column("maybe_level", &Sample::maybe_level)
        .with_encoder(extension::kTableEncoder)
        .with_compressor(extension::kSnappyCompressor));

inline constexpr const mpq::Decoder* kDecoders[] = {&mpq::kPlainFixedDecoder, &mpq::kPlainBooleanDecoder,
                                                    &extension::kRunDecoder, &extension::kTableDecoder};
inline constexpr const mpq::Decompressor* kDecompressors[] = {&extension::kOwnSnappyDecompressor};
constexpr mpq::ReaderOptions reader_options() {
  mpq::ReaderOptions options;
  options.buffer_bytes = 8192;  // a page before and after decompression
  options.decoders = kDecoders;
  options.decompressors = kDecompressors;
  return options;
}
inline constexpr mpq::ReaderOptions kReaderOptions = reader_options();

constexpr mpq::Options options(const mpq::Layout& layout, std::uint32_t page_bytes,
                               std::uint16_t block_bytes) {
  mpq::Options options;
  options.layout = &layout;
  options.page_bytes = page_bytes;
  options.whole_sectors = page_bytes % 512 == 0;
  options.block_bytes = block_bytes;
  return options;
}
inline constexpr mpq::Options kSectors = options(mpq::kInPlace, 512, 512);
inline constexpr mpq::Options kBlocks = options(mpq::kInPlace, 1024, 4096);
inline constexpr mpq::Options kSmallPages = options(mpq::kInPlace, 256, 512);
constexpr mpq::Options forward_options() {
  mpq::Options forward = options(mpq::kForward, 512, 512);
  forward.row_group_bytes = 32 << 10;
  return forward;
}
inline constexpr mpq::Options kForward = forward_options();

bool equal(const Sample& a, const Sample& b) {
  return a.number == b.number && a.flag == b.flag && a.maybe_flag == b.maybe_flag && a.reading == b.reading &&
         a.count == b.count && a.level == b.level && a.maybe_level == b.maybe_level;
}

// All rows are there, by this library's reader; then their file is named.
void read_rows(const std::filesystem::path& folder, const char* name) {
  static mpq::StaticReader<kSchema, kReaderOptions> reader;
  mpq::PosixFile file;
  must(file.open_for_reading((folder / name).c_str()), "open_for_reading");
  must(reader.open(file), "open");
  Sample row;
  for (std::uint32_t i = 0; i < kRows; ++i) {
    must(reader.next(row), "next");
    must(equal(row, extension::sample(i)) ? mpq::Status::kOk : mpq::Status::kCorrupt, "row");
  }
  must(reader.next(row) == mpq::Status::kEnd ? mpq::Status::kOk : mpq::Status::kCorrupt, "end");
  std::printf("%s %u\n", name, kRows);
}

// Row by row, with checkpoints on the way; every other one is followed by a cut, as it were, and a boot.
template <const mpq::Options& kOptions>
void write_rows(const std::filesystem::path& folder, const char* name) {
  static mpq::StaticWriter<kSchema, kOptions> writer;
  mpq::PosixFile file;
  const std::string path = folder / name;
  std::filesystem::remove(path);
  must(file.create(path.c_str()), "create");
  must(writer.open(file), "open");
  for (std::uint32_t row = 0; row < kRows; ++row) {
    must(writer.append(extension::sample(row)), "append");
    if (row % kRowsPerCheckpoint != kRowsPerCheckpoint - 1) continue;
    must(writer.checkpoint(), "checkpoint");
    if (row / kRowsPerCheckpoint % 2 == 0) continue;
    writer.reset();
    must(writer.resume(file), "resume");
  }
  must(writer.close(), "close");
  read_rows(folder, name);
}

// All rows at once, as columns.
void write_columns(const std::filesystem::path& folder, const char* name) {
  std::vector<std::int32_t> number;
  const auto flags = std::make_unique<bool[]>(kRows);
  const auto maybe_flags = std::make_unique<bool[]>(kRows);
  std::vector<float> reading;
  std::vector<std::int64_t> count;
  std::vector<std::int64_t> level;
  std::vector<double> maybe_level;
  std::array<std::vector<std::uint8_t>, 3> valid;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    const Sample sample = extension::sample(row);
    number.push_back(sample.number);
    flags[row] = sample.flag;
    maybe_flags[row] = sample.maybe_flag.value_or(true);
    reading.push_back(sample.reading);
    count.push_back(sample.count.value_or(-1));
    valid[0].push_back(sample.maybe_flag.has_value());
    valid[1].push_back(sample.count.has_value());
    level.push_back(sample.level);
    maybe_level.push_back(sample.maybe_level.value_or(-1));
    valid[2].push_back(sample.maybe_level.has_value());
  }
  const std::array<mpq::ColumnData, 7> columns = {{{number.data(), nullptr},
                                                   {flags.get(), nullptr},
                                                   {maybe_flags.get(), valid[0].data()},
                                                   {reading.data(), nullptr},
                                                   {count.data(), valid[1].data()},
                                                   {level.data(), nullptr},
                                                   {maybe_level.data(), valid[2].data()}}};
  mpq::PosixFile file;
  const std::string path = folder / name;
  std::filesystem::remove(path);
  must(file.create(path.c_str()), "create");
  const mpq::Schema schema(kSchema.fields.data(), kSchema.fields.size());
  std::vector<std::uint64_t> arena(mpq::Writer::required_bytes(schema, kSectors) / 8);
  mpq::Writer writer;
  must(writer.open(file, schema, kSectors, {reinterpret_cast<std::byte*>(arena.data()), arena.size() * 8}),
       "open");
  must(writer.append_columns(columns, kRows), "append_columns");
  must(writer.close(), "close");
  read_rows(folder, name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: extension_files FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  write_rows<kSectors>(folder, "sectors.parquet");
  write_rows<kBlocks>(folder, "blocks.parquet");
  write_rows<kSmallPages>(folder, "small_pages.parquet");
  write_rows<kForward>(folder, "forward.parquet");
  write_columns(folder, "columns.parquet");
}
