// Logs a thousand samples into log.parquet of the host, through the debugger (semihosting). On a board with
// an SD card the file is a FatFsFile; the rest stays.
#include <cstdint>
#include <optional>

#include "microparquet/microparquet.h"
#include "microparquet/port/semihosting_file.h"

namespace {

struct Sample {
  std::int64_t time_us;
  std::int32_t light;
  std::int32_t level;
  std::optional<float> temperature;  // measured once a second
};

constexpr auto kSchema = microparquet::schema(microparquet::timestamp_us_column("time", &Sample::time_us),
                                              microparquet::column("light", &Sample::light),
                                              microparquet::column("level", &Sample::level),
                                              microparquet::column("temperature", &Sample::temperature));

// A debugger cannot shorten a file: what a row group has reserved and not used stays in it.
constexpr microparquet::Options options() {
  microparquet::Options options;
  options.row_group_bytes = 4 << 10;
  return options;
}
constexpr microparquet::Options kOptions = options();

// All the memory the log ever takes. Static, so that the link map shows it.
microparquet::StaticWriter<kSchema, kOptions> writer;
microparquet::SemihostingFile file;

// The emulated board has no sensors: a ramp and a triangle stand for them.
Sample read_sensors(std::int32_t i) {
  Sample sample = {};
  sample.time_us = 1'700'000'000'000'000 + std::int64_t{i} * 10'000;
  sample.light = i;
  sample.level = i % 100 < 50 ? i % 100 : 100 - i % 100;
  if (i % 100 == 0) sample.temperature = 20.0F + 0.25F * static_cast<float>(i / 100);
  return sample;
}

}  // namespace

int main() {
  microparquet::Status status = file.create("log.parquet", microparquet::Existing::kOverwrite);
  if (status == microparquet::Status::kOk) status = writer.open(file);
  for (std::int32_t i = 0; i < 1000 && status == microparquet::Status::kOk; ++i) {
    status = writer.append(read_sensors(i));
    // Milliseconds since the start: checkpoints fall due by them.
    if (status == microparquet::Status::kOk) status = writer.tick(static_cast<std::uint32_t>(i) * 10U);
  }
  if (status == microparquet::Status::kOk) status = writer.close();
  if (status == microparquet::Status::kOk) status = file.close();
  return static_cast<int>(status);
}
