#include "systick.h"

#include "device_register.h"

namespace systick {

void start(std::uint32_t clocks) {
  device_register(0xE000E014) = clocks - 1;              // reload value
  device_register(0xE000E018) = 0;                       // current value: start again
  device_register(0xE000E010) = 1U << 2 | 1U << 1 | 1U;  // the processor's clock, with interrupts, on
}

}  // namespace systick
