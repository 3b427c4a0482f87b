// A run of a log on the board: mounts the card, logs for as many seconds as the command line says, and prints what it took.
#pragma once

#include <cstdint>
#include <string_view>

#include "command_line.h"
#include "ff.h"
#include "host_card.h"
#include "microparquet/port/semihosting_console.h"
#include "microparquet/status.h"
#include "systick.h"
#include "tick_timer.h"

namespace log_run {

inline volatile std::uint32_t ticks = 0;  // of the run
inline FATFS volume;
inline microparquet::semihosting::Console console;

// Whether the tick is one of the run, for the interrupt.
inline bool samples(std::uint32_t tick) { return tick < ticks; }

inline int fail(std::string_view program, std::string_view what) {
  console.print(program).print(": ").print(what).print("\n");
  return 1;
}

template <typename Logger>
[[gnu::noinline]] microparquet::Status step(Logger& logger) {
  return logger.step(tick_timer::now_ms());
}

// Says when a file has ended and the next one has begun.
template <typename Logger>
void announce(const Logger& logger, std::uint32_t& files) {
  if (logger.files() == files) return;
  files = logger.files();
  console.print("file ")
      .print(std::uint64_t{files})
      .print(" at ")
      .print(std::uint64_t{tick_timer::now_ms()})
      .print("\n");
}

template <typename Logger>
void report(const Logger& logger) {
  const auto print = [](std::string_view name, std::uint64_t number) { console.print(name).print(number); };
  print("rows ", logger.rows());
  print(" dropped ", logger.queue().dropped());
  print(" pending ", logger.most_pending());
  print(" files ", logger.files());
  print(" pauses ", host_card::pauses());
  print(" ms ", tick_timer::now_ms());
  print(" writer_bytes ", sizeof logger.writer());
  print(" queue_bytes ", sizeof logger.queue());
  print(" depth ", logger.kDepth);
  print(" all_bytes ", sizeof logger + sizeof volume);
  console.print("\n");
}

template <typename Logger>
int run(std::string_view program, Logger& logger, std::uint32_t ticks_per_second,
        void (*on_tick)(std::uint32_t tick)) {
  using microparquet::Status;
  CommandLine words;
  const std::uint32_t seconds = words.number();
  const bool is_calm = words.word() == "calm";
  if (!host_card::insert("card.img", is_calm ? nullptr : "pauses.csv"))
    return fail(program, "there is no card, or no table of pauses");
  if (f_mount(&volume, "", 1) != FR_OK) return fail(program, "there is no volume on the card");
  if (const Status status = logger.open(); status != Status::kOk) return fail(program, to_string(status));
  ticks = seconds * ticks_per_second;
  tick_timer::start(ticks_per_second, on_tick);
  host_card::begin();
  Status status = Status::kOk;
  std::uint32_t files = logger.files();
  while (status == Status::kOk && tick_timer::now_ms() < seconds * 1000) {
    if (logger.queue().pending() == 0) systick::wait();
    status = step(logger);
    announce(logger, files);
  }
  if (status == Status::kOk) status = logger.close();
  if (status != Status::kOk) return fail(program, to_string(status));
  report(logger);
  return 0;
}

}  // namespace log_run
