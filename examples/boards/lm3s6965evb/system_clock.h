// The processor's clock: 50 MHz, from the board's crystal of 8 MHz.
#pragma once

#include <cstdint>

namespace system_clock {

inline constexpr std::uint32_t kHertz = 50'000'000;

// Call it first: the chip starts on an inexact oscillator of 12 MHz.
void start();

}  // namespace system_clock
