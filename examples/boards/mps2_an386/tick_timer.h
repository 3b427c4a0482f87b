// The time since the start, by the processor's own timer, whose interrupt samples.
#pragma once

#include <cstdint>

namespace tick_timer {

inline constexpr std::uint32_t kHertz = 25'000'000;  // of the processor, as the board has it
inline constexpr std::uint32_t kClocksPerMs = kHertz / 1000;

// Calls `on_tick` with the number of the tick, from 0 on, in the interrupt. Time begins now.
void start(std::uint32_t ticks_per_second, void (*on_tick)(std::uint32_t tick));

std::uint32_t now_ms();
std::uint64_t clocks();

// Sleeps, and wakes for interrupts, until clocks() is that.
void wait_until(std::uint64_t clocks);

}  // namespace tick_timer
