// Logs a hundred samples into samples.parquet and reads them back.
#include <cstdio>
#include <optional>

#include "microparquet/microparquet.h"
#include "microparquet/port/posix_file.h"

namespace mpq = microparquet;

struct Sample {
  std::int64_t time_us;
  float speed, height;
  std::optional<float> temperature;  // measured now and then
};
inline constexpr auto kSchema =
    mpq::schema(mpq::timestamp_us_column("time", &Sample::time_us), mpq::column("speed", &Sample::speed),
                mpq::column("height", &Sample::height), mpq::column("temperature", &Sample::temperature));

static mpq::StaticWriter<kSchema> writer;  // holds all memory it will ever use: 3.8 KB
static mpq::StaticReader<kSchema> reader;

int main() {
  mpq::PosixFile file;  // on a device: FAT, flash, a serial line
  mpq::Status status = file.create("samples.parquet", mpq::Existing::kOverwrite);
  if (status == mpq::Status::kOk) status = writer.open(file);
  for (int i = 0; i < 100 && status == mpq::Status::kOk; ++i) {
    Sample sample = {1'700'000'000'000'000 + i * 10'000, 0.1F * i, 9.81F, {}};
    if (i % 10 == 0) sample.temperature = 21.5F;
    status = writer.append(sample);
  }
  if (status == mpq::Status::kOk) status = writer.close();
  if (status == mpq::Status::kOk) status = reader.open(file);
  Sample sample;
  while (status == mpq::Status::kOk && (status = reader.next(sample)) == mpq::Status::kOk) {
    if (sample.temperature) std::printf("speed %.1f at %.1f degrees\n", sample.speed, *sample.temperature);
  }
  return status == mpq::Status::kEnd ? 0 : 1;
}
