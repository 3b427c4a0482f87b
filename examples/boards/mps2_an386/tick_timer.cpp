#include "tick_timer.h"

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

std::uint64_t clocks() {
  const systick::Moment now = systick::now(ticks);
  return now.tick * clocks_per_tick + (clocks_per_tick - 1 - now.clocks_left);
}

void wait_until(std::uint64_t end) {
  for (std::uint64_t now = clocks(); now < end; now = clocks()) {
    if (end - now > clocks_per_tick) systick::wait();
  }
}

}  // namespace tick_timer
