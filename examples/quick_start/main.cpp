// Logs a hundred samples into samples.parquet and reads them back.
#include <cstdio>
#include <optional>

#include "microparquet/microparquet.h"
#include "microparquet/port/posix_file.h"

namespace mpq = microparquet;

struct Sample {
  std::int64_t time_us;
  float acceleration[3];
  std::optional<float> temperature;  // measured now and then
};
inline constexpr auto kSchema =
    mpq::schema(mpq::timestamp_us("time", &Sample::time_us),
                mpq::column<Sample>("ax", [](auto& s) -> auto& { return s.acceleration[0]; }),
                mpq::column<Sample>("ay", [](auto& s) -> auto& { return s.acceleration[1]; }),
                mpq::column<Sample>("az", [](auto& s) -> auto& { return s.acceleration[2]; }),
                mpq::column("temperature", &Sample::temperature));

static mpq::StaticWriter<kSchema>
    writer;  // its arena is inside: 4.3 KB here, and nothing else is ever allocated
static mpq::StaticReader<kSchema> reader;

int main() {
  mpq::PosixFile file;  // on a device: FAT, flash, a serial line
  mpq::Status status = file.create("samples.parquet", mpq::PosixFile::Existing::kOverwrite);
  if (status == mpq::Status::kOk) status = writer.open(file);
  for (int i = 0; i < 100 && status == mpq::Status::kOk; ++i) {
    Sample sample{1'700'000'000'000'000 + i * 10'000, {0.1F * i, 0.0F, 9.81F}, {}};
    if (i % 10 == 0) sample.temperature = 21.5F;
    status = writer.append(sample);
  }
  if (status == mpq::Status::kOk) status = writer.close();
  if (status == mpq::Status::kOk) status = reader.open(file);
  for (Sample sample; status == mpq::Status::kOk && (status = reader.next(sample)) == mpq::Status::kOk;)
    if (sample.temperature)
      std::printf("%lld us: %.1f degrees\n", (long long)sample.time_us, *sample.temperature);
  return status == mpq::Status::kEnd ? 0 : 1;
}
