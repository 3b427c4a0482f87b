// The time since the start, and the interrupt that counts it.
#pragma once

#include <cstdint>

namespace uptime {

inline constexpr std::uint32_t kTicksPerSecond = 100;

// Calls `on_tick` with the number of the tick, from 0, in the interrupt.
void start(void (*on_tick)(std::uint32_t tick));

std::uint32_t now_ms();
std::uint64_t now_us();

}  // namespace uptime
