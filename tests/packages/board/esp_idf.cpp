// ESP-IDF, as far as a program that logs needs it.
#include "board.h"
#include "esp_timer.h"
#include "esp_vfs_fat.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"

esp_err_t esp_vfs_fat_sdmmc_mount(const char*, const sdmmc_host_t*, const void*,
                                  const esp_vfs_fat_mount_config_t*, sdmmc_card_t**) {
  return board::mount() ? ESP_OK : ESP_FAIL;
}
std::int64_t esp_timer_get_time() { return std::int64_t{1000} * board::milliseconds(); }
void vTaskDelay(TickType_t ticks) { board::wait(ticks); }

extern "C" void app_main();

int main() {
  app_main();  // ends only where the log has ended
  return 1;
}
