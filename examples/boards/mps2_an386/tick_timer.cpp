#include "tick_timer.h"

#include "device_register.h"
#include "systick.h"
#include "tick_count.h"

namespace {

TickCount ticks;
std::uint32_t clocks_per_tick = tick_timer::kClocksPerMs;
std::uint32_t clocks_of_ms = 0;
volatile std::uint32_t ms = 0;
void (*call)(std::uint32_t tick) = nullptr;

}  // namespace

extern "C" void SysTick_Handler() {
  const std::uint64_t tick = ticks.get();
  call(static_cast<std::uint32_t>(tick));
  clocks_of_ms += clocks_per_tick;
  while (clocks_of_ms >= tick_timer::kClocksPerMs) {
    clocks_of_ms -= tick_timer::kClocksPerMs;
    ms = ms + 1;
  }
  ticks.set(tick + 1);
}

namespace tick_timer {

void start(std::uint32_t ticks_per_second, void (*on_tick)(std::uint32_t tick)) {
  clocks_per_tick = kHertz / ticks_per_second;
  call = on_tick;
  systick::start(clocks_per_tick);
}

std::uint32_t now_ms() { return ms; }

// The timer counts down in a tick; another one may begin while it is read.
std::uint64_t clocks() {
  std::uint64_t tick = 0;
  std::uint32_t left = 0;
  do {
    tick = ticks.get();
    left = device_register(0xE000E018);  // SysTick's current value
  } while (tick != ticks.get());
  return tick * clocks_per_tick + (clocks_per_tick - 1 - left);
}

void wait_until(std::uint64_t end) {
  for (std::uint64_t now = clocks(); now < end; now = clocks()) {
    if (end - now > clocks_per_tick) systick::wait();
  }
}

}  // namespace tick_timer
