// The description of a card's slot, as ESP-IDF's documentation declares it.
#pragma once

// NOLINTBEGIN(readability-identifier-naming): as ESP-IDF has it
struct sdmmc_host_t {
  int slot;
};
struct sdmmc_slot_config_t {
  int width;
};
struct sdmmc_card_t;
#define SDMMC_HOST_DEFAULT() {1}
#define SDMMC_SLOT_CONFIG_DEFAULT() {0}
// NOLINTEND(readability-identifier-naming)
