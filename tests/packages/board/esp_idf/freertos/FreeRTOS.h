// Declarations from FreeRTOS's documentation; a tick is a millisecond here.
#pragma once

#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming, cppcoreguidelines-macro-usage): as FreeRTOS has it
using TickType_t = std::uint32_t;
#define pdMS_TO_TICKS(ms) static_cast<TickType_t>(ms)
// NOLINTEND(readability-identifier-naming, cppcoreguidelines-macro-usage)
