// Mounting a card in the virtual file system, as ESP-IDF's documentation declares it.
#pragma once

#include <cstddef>

#include "driver/sdmmc_host.h"
#include "esp_err.h"

// NOLINTBEGIN(readability-identifier-naming): as ESP-IDF has it
struct esp_vfs_fat_mount_config_t {
  bool format_if_mount_failed;
  int max_files;
  std::size_t allocation_unit_size;
};
esp_err_t esp_vfs_fat_sdmmc_mount(const char* base_path, const sdmmc_host_t* host_config,
                                  const void* slot_config, const esp_vfs_fat_mount_config_t* mount_config,
                                  sdmmc_card_t** out_card);
// NOLINTEND(readability-identifier-naming)
