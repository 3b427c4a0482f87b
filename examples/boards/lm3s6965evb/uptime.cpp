#include "uptime.h"

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

std::uint64_t now_us() {
  const systick::Moment now = systick::now(ticks);
  return now.tick * (1'000'000 / kTicksPerSecond) + (kClocksPerTick - 1 - now.clocks_left) / kClocksPerUs;
}

}  // namespace uptime
