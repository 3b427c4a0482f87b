// Logs the uptime and a counter at 10 Hz into /SD:/log.parquet. The power may be cut at any time: the file then
// has all rows up to the last checkpoint, and the next start continues it.
//
// Needs: a board with a card whose disk is named SD.
#include <ff.h>
#include <zephyr/fs/fs.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#include "microparquet/microparquet.h"
#include "microparquet/port/zephyr_file.h"

namespace mpq = microparquet;

namespace {

struct Sample {
  std::uint32_t time_ms;  // time since the start
  std::uint32_t count;
};
constexpr auto kSchema =
    mpq::schema(mpq::column("time_ms", &Sample::time_ms), mpq::column("count", &Sample::count));

mpq::StaticWriter<kSchema> writer;
mpq::ZephyrFile file;
FATFS volume;
fs_mount_t mount_point;

mpq::Status start() {
  mount_point.type = FS_FATFS;
  mount_point.mnt_point = "/SD:";
  mount_point.fs_data = &volume;
  if (fs_mount(&mount_point) != 0) return mpq::Status::kIoError;
  if (const mpq::Status status = file.open_for_append("/SD:/log.parquet"); status != mpq::Status::kOk)
    return status;
  return writer.resume(file);
}

}  // namespace

int main() {
  mpq::Status status = start();
  Sample sample = {};
  while (status == mpq::Status::kOk) {
    sample.time_ms = k_uptime_get_32();
    ++sample.count;
    status = writer.append(sample);
    if (status == mpq::Status::kOk) status = writer.tick(sample.time_ms);
    k_msleep(100);
  }
  const bool is_long = status == mpq::Status::kNoSpace && file.limit_reached();
  printk("the log has ended: %s\n",
         is_long ? "the file is as long as its file system allows" : mpq::to_string(status));
  return 0;
}
