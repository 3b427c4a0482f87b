#include "system_clock.h"

#include "device_register.h"

namespace system_clock {

void start() {
  constexpr std::uint32_t kPllOff = 1U << 13;
  constexpr std::uint32_t kPllBypassed = 1U << 11;
  constexpr std::uint32_t kCrystal8MHz = 0xEU << 6;           // and on
  constexpr std::uint32_t kDividedBy4 = 3U << 23 | 1U << 22;  // the PLL's 200 MHz
  constexpr std::uint32_t kPllLocked = 1U << 6;
  volatile std::uint32_t& control = device_register(kSystemControl + 0x060);
  control = kPllBypassed | kPllOff | kCrystal8MHz;
  control = kPllBypassed | kCrystal8MHz | kDividedBy4;
  while ((device_register(kSystemControl + 0x050) & kPllLocked) == 0) {
  }
  control = kCrystal8MHz | kDividedBy4;
}

}  // namespace system_clock
