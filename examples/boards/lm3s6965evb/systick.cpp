#include "systick.h"

#include "device_register.h"

namespace systick {

namespace {

constexpr std::uint32_t kCurrentValue = 0xE000E018;

}  // namespace

void start(std::uint32_t clocks) {
  device_register(0xE000E014) = clocks - 1;              // reload value
  device_register(kCurrentValue) = 0;                    // start again
  device_register(0xE000E010) = 1U << 2 | 1U << 1 | 1U;  // the processor's clock, with interrupts, on
}

// The timer counts down in a tick; another one may begin while it is read.
Moment now(const TickCount& ticks) {
  Moment moment = {};
  do {
    moment.tick = ticks.get();
    moment.clocks_left = device_register(kCurrentValue);
  } while (moment.tick != ticks.get());
  return moment;
}

}  // namespace systick
