// The time since the start, and the interrupt that counts it.
#pragma once

#include <cstdint>

namespace uptime {

inline constexpr std::uint32_t kTicksPerSecond = 100;

// Calls `on_tick` with the number of the tick, from `first` on, in the interrupt. In 32 bits, milliseconds
// would start again after 50 days.
void start(void (*on_tick)(std::uint64_t tick), std::uint64_t first = 0);

std::uint64_t now_ms();
std::uint64_t now_us();

}  // namespace uptime
