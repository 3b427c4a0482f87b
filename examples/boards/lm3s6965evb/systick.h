// The processor's own timer, which calls the program's interrupt handler at a steady rate:
//
//   extern "C" void SysTick_Handler() { ... }
#pragma once

#include <cstdint>

#include "tick_count.h"

namespace systick {

// Calls the handler every `clocks` clocks of the processor, at most 2^24.
void start(std::uint32_t clocks);

// The tick that the handler counts, and the clocks that are left of it.
struct Moment {
  std::uint64_t tick;
  std::uint32_t clocks_left;
};
Moment now(const TickCount& ticks);

// Sleeps until the next interrupt.
inline void wait() { asm volatile("wfi"); }

}  // namespace systick
