// Logs a time and a counter at 10 Hz into /sdcard/log.parquet. The power may be cut at any time: the file then
// has all rows up to the last checkpoint, and the next start continues it.
//
// Needs: an SD card at the SDMMC pins of the chip; long file names on (CONFIG_FATFS_LFN_HEAP or _STACK).
#include <cstdio>

#include "driver/sdmmc_host.h"
#include "esp_timer.h"
#include "esp_vfs_fat.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

#include "microparquet/microparquet.h"
#include "microparquet/port/vfs_file.h"

namespace mpq = microparquet;

namespace {

struct Sample {
  std::int64_t time_us;  // time since the start
  std::uint32_t count;
};
constexpr auto kSchema =
    mpq::schema(mpq::column("time_us", &Sample::time_us), mpq::column("count", &Sample::count));

// Static, since the stack of app_main is small.
mpq::StaticWriter<kSchema> writer;
mpq::VfsFile file;

bool mount() {
  const sdmmc_host_t host = SDMMC_HOST_DEFAULT();
  const sdmmc_slot_config_t slot = SDMMC_SLOT_CONFIG_DEFAULT();
  esp_vfs_fat_mount_config_t config = {};
  config.max_files = 2;
  sdmmc_card_t* card = nullptr;
  const esp_err_t mounted = esp_vfs_fat_sdmmc_mount("/sdcard", &host, &slot, &config, &card);
  // ESP_FAIL: there is a card, with a file system that FatFs does not know.
  if (mounted == ESP_FAIL) std::printf("the card is not FAT: see the example's README\n");
  return mounted == ESP_OK;
}

mpq::Status start() {
  if (!mount()) return mpq::Status::kIoError;
  if (const mpq::Status status = file.open_for_append("/sdcard/log.parquet"); status != mpq::Status::kOk) {
    return status;
  }
  return writer.resume(file);
}

}  // namespace

extern "C" void app_main() {
  mpq::Status status = start();
  std::uint32_t count = 0;
  while (status == mpq::Status::kOk) {
    const Sample sample = {esp_timer_get_time(), ++count};
    status = writer.append(sample);
    if (status == mpq::Status::kOk) status = writer.tick(static_cast<std::uint32_t>(sample.time_us / 1000));
    vTaskDelay(pdMS_TO_TICKS(100));
  }
  const bool is_long = status == mpq::Status::kNoSpace && file.limit_reached();
  std::printf("the log has ended: %s\n",
              is_long ? "the file is as long as its file system allows" : mpq::to_string(status));
}
