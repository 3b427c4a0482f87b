// Deep sleep, as ESP-IDF's documentation declares it.
#pragma once

#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming): as ESP-IDF has it
typedef int esp_err_t;

extern "C" {
esp_err_t esp_sleep_enable_timer_wakeup(std::uint64_t time_in_us);
void esp_deep_sleep_start(void) __attribute__((__noreturn__));
}
// NOLINTEND(readability-identifier-naming)
