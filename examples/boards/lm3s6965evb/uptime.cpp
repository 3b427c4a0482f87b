#include "uptime.h"

#include "device_register.h"
#include "system_clock.h"
#include "systick.h"

namespace {

constexpr std::uint32_t kClocksPerTick = system_clock::kHertz / uptime::kTicksPerSecond;
constexpr std::uint32_t kClocksPerUs = system_clock::kHertz / 1'000'000;

volatile std::uint32_t ticks = 0;  // written by the interrupt
void (*call)(std::uint32_t tick) = nullptr;

}  // namespace

extern "C" void SysTick_Handler() {
  const std::uint32_t tick = ticks;
  call(tick);
  ticks = tick + 1;
}

namespace uptime {

void start(void (*on_tick)(std::uint32_t tick)) {
  call = on_tick;
  systick::start(kClocksPerTick);
}

std::uint32_t now_ms() { return ticks * (1000 / kTicksPerSecond); }

// The timer counts down in a tick; another one may begin while it is read.
std::uint64_t now_us() {
  std::uint32_t tick = 0;
  std::uint32_t left = 0;
  do {
    tick = ticks;
    left = device_register(0xE000E018);  // SysTick's current value
  } while (tick != ticks);
  return std::uint64_t{tick} * (1'000'000 / kTicksPerSecond) + (kClocksPerTick - 1 - left) / kClocksPerUs;
}

}  // namespace uptime
