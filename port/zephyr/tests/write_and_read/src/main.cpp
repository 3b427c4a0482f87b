// Reads rows back that were written to a FAT volume in RAM, those of a second boot after those of the first
// one.
#include <ff.h>
#include <zephyr/fs/fs.h>
#include <zephyr/ztest.h>

#include "microparquet/microparquet.h"
#include "microparquet/port/zephyr_file.h"

namespace mpq = microparquet;

namespace {

struct Sample {
  std::uint32_t count;
};
constexpr auto kSchema = mpq::schema(mpq::column("count", &Sample::count));
constexpr std::uint32_t kRowsOfBoot = 100;

mpq::StaticWriter<kSchema> writer;
mpq::StaticReader<kSchema> reader;
mpq::ZephyrFile file;
FATFS volume;
fs_mount_t mount_point;

mpq::Status boot(std::uint32_t first) {
  mpq::Status status = file.open_for_append("/RAM:/log.parquet");
  writer.reset();
  if (status == mpq::Status::kOk) status = writer.resume(file);
  for (std::uint32_t i = first; i < first + kRowsOfBoot && status == mpq::Status::kOk; ++i) {
    status = writer.append(Sample{i});
  }
  if (status == mpq::Status::kOk) status = writer.close();
  if (status == mpq::Status::kOk) status = file.close();
  return status;
}

std::uint32_t rows_in_order() {
  std::uint32_t rows = 0;
  Sample sample = {};
  if (file.open_for_reading("/RAM:/log.parquet") != mpq::Status::kOk || reader.open(file) != mpq::Status::kOk)
    return 0;
  while (reader.next(sample) == mpq::Status::kOk && sample.count == rows) ++rows;
  static_cast<void>(file.close());
  return rows;
}

}  // namespace

ZTEST(write_and_read, test_rows_of_two_boots) {
  mount_point.type = FS_FATFS;
  mount_point.mnt_point = "/RAM:";
  mount_point.fs_data = &volume;
  zassert_ok(fs_mount(&mount_point));
  zassert_equal(boot(0), mpq::Status::kOk);
  zassert_equal(boot(kRowsOfBoot), mpq::Status::kOk);
  zassert_equal(rows_in_order(), 2 * kRowsOfBoot);
}

ZTEST_SUITE(write_and_read, nullptr, nullptr, nullptr, nullptr, nullptr);
