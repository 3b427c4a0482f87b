// Devices that wake for a row and sleep: each boot resumes the file, appends a row, makes it durable or safe, and loses
// its power. Measures what the last of many boots asks of its File, and the file; then logs that never sleep and
// may lose little. Three columns, 16 bytes a row, where nothing else is said.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "microparquet/reader.h"
#include "microparquet/static_writer.h"
#include "support/imu8_rows.h"
#include "support/must.h"
#include "support/sparse_file.h"
#include "support/stream_plans.h"

namespace {

using namespace microparquet;
using support::must;

constexpr std::uint32_t kSectorBytes = 512;
constexpr std::uint32_t kBoots = 10'000;
constexpr std::uint32_t kMeasured = 1'000;  // the last of them
constexpr double kMegabyte = 1e6;

// Counts the sectors that it is asked for. What lies after the published size is lost with the power.
class CountedFile final : public support::SparseFile<std::size_t{1} << 28> {
 public:
  explicit CountedFile(bool shrinks = true) : shrinks_(shrinks) {}

  FileAbilities abilities() const override { return {true, true, shrinks_}; }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    read_ += sectors(offset, out.size());
    return SparseFile::read_at(offset, out);
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    written_ += sectors(offset, data.size());
    return SparseFile::write_at(offset, data);
  }

  std::uint64_t read() const { return read_; }
  std::uint64_t written() const { return written_; }
  double megabytes() const { return static_cast<double>(published()) / kMegabyte; }

 private:
  static std::uint64_t sectors(std::uint64_t offset, std::size_t bytes) {
    return bytes == 0 ? 0 : (offset + bytes - 1) / kSectorBytes - offset / kSectorBytes + 1;
  }

  bool shrinks_;
  std::uint64_t read_ = 0;
  std::uint64_t written_ = 0;
};

struct Row {
  std::int64_t time;
  float level;
  std::int32_t count;
};
inline constexpr auto kSchema =
    schema(column("time", &Row::time), column("level", &Row::level), column("count", &Row::count));

constexpr Options tailed(std::uint32_t checkpoint_ms = Options().checkpoint_ms) {
  Options options;
  options.layout = &kInPlaceTailed;
  if (checkpoint_ms != options.checkpoint_ms) options.max_loss_ms = checkpoint_ms;
  options.checkpoint_ms = checkpoint_ms;
  return options;
}
inline constexpr Options kTailed = tailed();
inline constexpr Options kEachSecond = tailed(1'000);
inline constexpr Options kEachTenSeconds = tailed(10'000);

StaticWriter<kSchema, kTailed> writer;
StaticWriter<bench::kImu8Schema, kTailed> writer8;
StaticWriter<bench::kImu8Schema, kEachSecond> writer_of_second;
StaticWriter<bench::kImu8Schema, kEachTenSeconds> writer_of_ten_seconds;

Row row_of(const StaticWriter<kSchema, kTailed>&, std::uint64_t n) {
  constexpr std::int64_t kMinute = 60'000'000;
  const auto number = static_cast<std::int64_t>(n);
  return {1'700'000'000'000'000 + number * kMinute, static_cast<float>(n) * 0.25F,
          static_cast<std::int32_t>(n * 7 % 1000)};
}
template <typename Writer>
bench::Imu8Row row_of(const Writer&, std::uint64_t n) {
  bench::Imu8Row row = {};
  row.ts = static_cast<std::int64_t>(n) * 1'000'000;
  row.seq = static_cast<std::int32_t>(n);
  row.ax = static_cast<float>(n % 100);
  row.status = 1;
  return row;
}

struct FooterRows {
  std::uint64_t rows = 0;
  std::uint32_t row_groups = 0;
};
FooterRows footer_of(CountedFile& file) {
  alignas(8) static std::byte arena[1 << 20];
  Reader reader;
  must(reader.open(file, {}, arena), "open for reading");
  return {reader.rows(), reader.row_groups()};
}

[[noreturn]] void fail(const char* what, std::uint64_t boot) {
  std::fprintf(stderr, "boot %llu: %s\n", static_cast<unsigned long long>(boot), what);
  std::exit(1);
}

struct Means {
  double written = 0;
  double read = 0;
  std::uint64_t most_of_save = 0;  // sectors that a save has written, if it was no checkpoint
};

// Boots that make every `checkpoint_boots`th row durable, and the others safe.
template <typename Writer>
Means boot_often(Writer& log, CountedFile& file, std::uint32_t checkpoint_boots) {
  Means means;
  for (std::uint64_t boot = 1; boot <= kBoots; ++boot) {
    const std::uint64_t read = file.read();
    const std::uint64_t written = file.written();
    log.reset();
    must(log.resume(file), "resume");
    if (log.rows() != boot - 1) fail("rows are missing", boot);
    must(log.append(row_of(log, boot)), "append");
    if (boot % checkpoint_boots == 0) {
      must(log.checkpoint(), "checkpoint");
      if (log.durable_rows() != boot) fail("rows are not durable", boot);
    } else {
      const std::uint64_t before = file.written();
      must(log.save(), "save");
      if (log.safe_rows() != boot) fail("rows are not safe", boot);
      if (log.durable_rows() != boot)
        means.most_of_save = std::max(means.most_of_save, file.written() - before);
    }
    if (boot <= kBoots - kMeasured) continue;
    means.read += static_cast<double>(file.read() - read) / kMeasured;
    means.written += static_cast<double>(file.written() - written) / kMeasured;
  }
  return means;
}

void print_boots() {
  {
    CountedFile file;
    const Means means = boot_often(writer, file, 1);
    std::printf("boots.10000.megabytes %.2f MB\n", file.megabytes());
    std::printf("boots.10000.row_groups %u row_groups\n", footer_of(file).row_groups);
    std::printf("boots.10000.written_sectors %.2f sectors\n", means.written);
    std::printf("boots.10000.read_sectors %.2f sectors\n", means.read);
  }
  {
    CountedFile file(false);
    boot_often(writer, file, 1);
    std::printf("boots.10000.append_only_megabytes %.2f MB\n", file.megabytes());
  }
  CountedFile file8;
  std::printf("boots8.10000.written_sectors %.2f sectors\n", boot_often(writer8, file8, 1).written);

  constexpr std::uint32_t kSaves = 16;
  CountedFile saved;
  CountedFile saved8;
  const Means means = boot_often(writer, saved, kSaves);
  const Means means8 = boot_often(writer8, saved8, kSaves);
  std::printf("boots_save.10000.written_sectors %.2f sectors\n", means.written);
  const std::uint64_t over = std::max(means.most_of_save - kSchema.fields.size(),
                                      means8.most_of_save - bench::kImu8Schema.fields.size());
  std::printf("save.sectors_over_columns %llu sectors\n", static_cast<unsigned long long>(over));
}

// Counts the safe rows that resume() misses over a hundred days of a wake a minute, or that are in no footer of a
// file that takes no more boots. The program then takes the next name.
void print_long_life() {
  constexpr std::uint64_t kLongLife = 140'000;
  constexpr std::uint64_t kCheckpoint = 1'000;
  std::uint64_t lost = 0;
  std::uint64_t rows = 0;  // of the file
  auto file = std::make_unique<CountedFile>();
  for (std::uint64_t boot = 1; boot <= kLongLife; ++boot) {
    writer.reset();
    Status status = writer.resume(*file);
    if (status == Status::kLimitReached) {
      const std::uint64_t found = footer_of(*file).rows;
      if (found < rows) lost += rows - found;
      file = std::make_unique<CountedFile>();
      rows = 0;
      writer.reset();
      status = writer.resume(*file);
    }
    must(status, "resume");
    if (writer.rows() < rows) lost += rows - writer.rows();
    must(writer.append(row_of(writer, boot)), "append");
    must(boot % kCheckpoint == 0 ? writer.checkpoint() : writer.save(), "save");
    rows = writer.rows();
  }
  std::printf("boots.140000.rows_lost %llu rows\n", static_cast<unsigned long long>(lost));
}

// A log without boots whose tick() makes the checkpoints.
template <typename Writer>
void print_slow(const char* name, Writer& log, std::uint32_t rows, std::uint32_t ms_per_row) {
  constexpr std::uint32_t kTickMs = 250;
  CountedFile file;
  must(log.open(file), "open");
  for (std::uint32_t i = 0; i < rows; ++i) {
    must(log.append(row_of(log, i)), "append");
    for (std::uint32_t ms = 0; ms < ms_per_row; ms += kTickMs) must(log.tick(i * ms_per_row + ms), "tick");
    if (log.rows() - log.durable_rows() > 1 + 1'000 / ms_per_row)
      fail("more rows may be lost than one interval has", i);
  }
  std::printf("slow.%s.megabytes %.2f MB\n", name, file.megabytes());
}

constexpr Options saving_stream() {
  Options options = bench::kStreamOptions<bench::kStream16k>;
  options.layout = &kForwardSaving;
  options.block_bytes = kSectorBytes;
  options.checkpoint_ms = 0;
  return options;
}
inline constexpr Options kSavingStream = saving_stream();
StaticWriter<bench::kImu8Schema, kSavingStream> writer_of_stream;

// The most sectors that a save of a stream writes, where it is no checkpoint and adds no segment: after each 16th row, in
// row groups of every length.
void print_stream_save() {
  constexpr std::uint64_t kRows = 20'000;
  constexpr std::uint64_t kEach = 16;
  CountedFile file;
  must(writer_of_stream.open(file), "open");
  std::uint64_t most = 0;
  for (std::uint64_t n = 0; n < kRows; ++n) {
    must(writer_of_stream.append(row_of(writer_of_stream, n)), "append");
    if (n % kEach != 0) continue;
    const std::uint64_t durable = writer_of_stream.durable_rows();
    const std::uint64_t published = file.published();
    const std::uint64_t before = file.written();
    must(writer_of_stream.save(), "save");
    if (writer_of_stream.safe_rows() != n + 1) fail("rows are not safe", n);
    if (writer_of_stream.durable_rows() == durable && file.published() == published)
      most = std::max(most, file.written() - before);
  }
  std::printf("save.stream_16k.sectors %llu sectors\n", static_cast<unsigned long long>(most));
}

}  // namespace

int main() {
  print_boots();
  print_stream_save();
  print_long_life();
  print_slow("1hz_3h_1s", writer_of_second, 3 * 3600, 1'000);
  print_slow("01hz_day_each_row", writer_of_ten_seconds, 24 * 360, 10'000);
}
