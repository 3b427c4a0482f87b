// A program of another project: logs three rows into a file on a FAT volume and reads them back.
#include <cstdio>

#include "microparquet/microparquet.h"
#include "microparquet/port/fatfs_file.h"
#include "support/volume.h"

namespace mpq = microparquet;

struct Sample {
  std::int64_t time_us;
};

inline constexpr auto kSchema = mpq::schema(mpq::timestamp_us_column("time", &Sample::time_us));

static mpq::StaticWriter<kSchema> log_writer;
static mpq::StaticReader<kSchema> reader;

int main() {
  filesystems::RamDisk disk(filesystems::kFat16.sectors);
  bool ok = filesystems::format(disk, filesystems::kFat16);
  const filesystems::Volume volume(disk);
  mpq::FatFsFile file;
  ok = ok && file.create("LOG.PQT") == mpq::Status::kOk && log_writer.open(file) == mpq::Status::kOk;
  for (std::int64_t i = 0; i < 3; ++i) ok = ok && log_writer.append(Sample{i}) == mpq::Status::kOk;
  ok = ok && log_writer.close() == mpq::Status::kOk && file.open_for_reading("LOG.PQT") == mpq::Status::kOk;
  ok = ok && reader.open(file) == mpq::Status::kOk;
  Sample sample = {};
  std::int64_t rows = 0;
  while (ok && reader.next(sample) == mpq::Status::kOk) ok = sample.time_us == rows++;
  std::printf("%s: %d rows\n", ok ? "read" : "failed", static_cast<int>(rows));
  return ok && rows == 3 && file.close() == mpq::Status::kOk ? 0 : 1;
}
