// ESP-IDF's results, as its documentation declares them.
#pragma once

// NOLINTBEGIN(readability-identifier-naming): as ESP-IDF has it
using esp_err_t = int;
#define ESP_OK 0
#define ESP_FAIL -1
// NOLINTEND(readability-identifier-naming)
