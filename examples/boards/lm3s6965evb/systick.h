// The processor's own timer, which calls the program's interrupt handler at a steady rate:
//
//   extern "C" void SysTick_Handler() { ... }
#pragma once

#include <cstdint>

namespace systick {

// Calls the handler every `clocks` clocks of the processor, at most 2^24.
void start(std::uint32_t clocks);

// Sleeps until the next interrupt.
inline void wait() { asm volatile("wfi"); }

}  // namespace systick
