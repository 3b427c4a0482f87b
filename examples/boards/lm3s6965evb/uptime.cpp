#include "uptime.h"

#include "device_register.h"
#include "system_clock.h"
#include "systick.h"
#include "tick_count.h"

namespace {

constexpr std::uint32_t kClocksPerTick = system_clock::kHertz / uptime::kTicksPerSecond;
constexpr std::uint32_t kClocksPerUs = system_clock::kHertz / 1'000'000;

TickCount ticks;
void (*call)(std::uint64_t tick) = nullptr;

}  // namespace

extern "C" void SysTick_Handler() {
  const std::uint64_t tick = ticks.get();
  call(tick);
  ticks.set(tick + 1);
}

namespace uptime {

void start(void (*on_tick)(std::uint64_t tick), std::uint64_t first) {
  call = on_tick;
  ticks.set(first);
  systick::start(kClocksPerTick);
}

std::uint64_t now_ms() { return ticks.get() * (1000 / kTicksPerSecond); }

// The timer counts down in a tick; another one may begin while it is read.
std::uint64_t now_us() {
  std::uint64_t tick = 0;
  std::uint32_t left = 0;
  do {
    tick = ticks.get();
    left = device_register(0xE000E018);  // SysTick's current value
  } while (tick != ticks.get());
  return tick * (1'000'000 / kTicksPerSecond) + (kClocksPerTick - 1 - left) / kClocksPerUs;
}

}  // namespace uptime
