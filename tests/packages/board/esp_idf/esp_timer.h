// The clock, as ESP-IDF's documentation declares it.
#pragma once

#include <cstdint>

std::int64_t esp_timer_get_time();  // microseconds since the start
