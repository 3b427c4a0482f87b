// A field logger: samples an inertial sensor at about 400 Hz, and logs to an SD card that may be missing,
// pulled out, full or broken at any time.
//
// Needs: the board LM3S6965EVB, a Cortex-M3 with 64 KB of RAM, with an SD card of 64 MB or more in its slot,
// FAT16, FAT32 or exFAT; a terminal at its serial port for messages. The status LED flashes a number, see
// card_state.h: once for all is well. The sensor is a recording in flash.
//
//   SysTick:    sensor -> SampleQueue
//   main loop:  SampleQueue -> RollingWriter -> StaticWriter -> FatFs -> SD card
//
// run beside it builds it and runs it in QEMU.
#include "bench.h"
#include "logger.h"
#include "sd_card.h"
#include "sensor.h"
#include "serial_console.h"
#include "settings.h"
#include "status_led.h"
#include "system_clock.h"
#include "systick.h"
#include "tick_count.h"

namespace {

constexpr std::uint32_t kMsPerS = 1'000;
constexpr std::uint32_t kPatienceMs = 120'000;  // time to wait for a card at the end

// All the memory there is.
SampleQueue queue;
SerialConsole console;
Bench bench = asked_bench({0, sensor::samples(), kSplitLimits, kKeeping, 0, 0});
Logger logger(queue, console, bench.split, bench.keeping);

TickCount ticks;

// Starts again after 50 days, as Logger allows.
std::uint32_t now_ms() {
  constexpr std::uint32_t kNsPerMs = 1'000'000;
  return static_cast<std::uint32_t>(ticks.get() * sensor::interval_ns() / kNsPerMs);
}

bool has_sampled_all() { return ticks.get() - bench.first >= bench.samples; }

void start_sampling() {
  constexpr std::uint32_t kNsPerClock = 1'000'000'000 / system_clock::kHertz;
  systick::start(sensor::interval_ns() / kNsPerClock);
}

// Says how the log is written, as it was planned.
void tell_plan() {
  constexpr microparquet::Options options = kOptions;
  if (!options.layout->in_place) {
    console.print("a stream: row groups of ").print(std::uint64_t{options.row_group_bytes});
  } else {
    const bool keeps = options.layout->checkpoints == microparquet::CheckpointKind::kKeepPages;
    console.print(keeps ? "in place with tails: pages of " : "in place: pages of ");
    console.print(std::uint64_t{options.page_bytes});
  }
  console.print(" bytes, a checkpoint each ").print(std::uint64_t{options.max_loss_ms});
  console.print(" ms at the latest\n");
}

}  // namespace

// Samples. The LED may be wrong for an instant, as when the main loop is changing the state.
extern "C" void SysTick_Handler() {
  const std::uint64_t number = ticks.get();
  if (!has_sampled_all()) queue.push(sensor::sample(number));
  ticks.set(number + 1);
  status_led::set(is_led_on(logger.state(), now_ms() - logger.state_ms()));
}

int main() {
  system_clock::start();
  status_led::start();
  console.start();
  tell_plan();
  sd_card::verify_writes();
  ticks.set(bench.first);
  start_sampling();
  std::uint32_t sampled_ms = now_ms();  // time of the last sample
  while (now_ms() - sampled_ms < kPatienceMs) {
    if (!has_sampled_all()) sampled_ms = now_ms();
    const std::uint32_t ms = now_ms();
    if (bench.started_s != 0 && ms >= bench.clock_ms) logger.set_time(bench.started_s + ms / kMsPerS, ms);
    logger.step(ms);
    if (has_sampled_all() && queue.pending() == 0 && logger.stop()) break;
    systick::wait();
  }
  console.print(queue.pending() == 0 ? "complete\n" : "given up\n");
  return queue.pending() == 0 ? 0 : 1;
}
