// The model on a Cortex-M3: SysTick samples, real FatFs writes to the SD card of the board, and the card
// stalls. The words of the command line are the trace, a file of the host, and the number of the case.
#include <cstdint>
#include <string_view>

#include "ff.h"
#include "log.h"
#include "microparquet/port/fatfs_file.h"
#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"
#include "semihosting_trace.h"
#include "slow_card.h"
#include "system_clock.h"
#include "systick.h"

namespace {

namespace mpq = microparquet;
using mpq::Status;

class BoardClock final : public stalls::Clock {
 public:
  std::uint32_t now_ms() const override { return now_ms_; }
  void wait(std::uint32_t ms) override {
    for (const std::uint32_t begin = now_ms_; now_ms_ - begin < ms;) systick::wait();
  }
  void drive(stalls::Sampling* sampling, std::uint32_t period_ms) override {
    period_ms_ = period_ms;
    sampling_ = sampling;
  }

  // Counts a millisecond, in the interrupt.
  void tick() {
    now_ms_ = now_ms_ + 1;
    if (sampling_ != nullptr && now_ms_ % period_ms_ == 0) sampling_->sample();
  }

 private:
  volatile std::uint32_t now_ms_ = 0;
  volatile std::uint32_t period_ms_ = 1;
  stalls::Sampling* volatile sampling_ = nullptr;
};

BoardClock clock;
stalls::StallTrace trace;
FATFS volume;
DWORD link_map[32];
mpq::FatFsFile file(link_map);
mpq::semihosting::Console console;

int fail(std::string_view what) {
  console.print("stall_firmware: ").print(what).print("\n");
  return 1;
}

// Ends the word at `text` and returns the next one.
char* next_word(char* text) {
  while (*text != ' ' && *text != '\0') ++text;
  if (*text == ' ') *text++ = '\0';
  return text;
}

std::size_t number(const char* digits) {
  std::size_t value = 0;
  for (; *digits >= '0' && *digits <= '9'; ++digits)
    value = value * 10 + static_cast<unsigned>(*digits - '0');
  return value;
}

void report(const stalls::Case& tried, const stalls::Outcome& outcome) {
  const auto print = [](std::string_view name, std::uint32_t number) {
    console.print(name).print(std::uint64_t{number});
  };
  print("rate ", tried.rows_per_second);
  print(" stall ", tried.longest_stall_ms);
  print(" depth ", tried.depth);
  print(" samples ", outcome.samples);
  print(" refused ", outcome.dropped);
  print(" pending ", outcome.most_pending);
  console.print("\n");
}

}  // namespace

extern "C" void SysTick_Handler() { clock.tick(); }

int main() {
  char words[200];
  if (mpq::semihosting::command_line(mpq::Span<char>(words)).empty()) return fail("no command line");
  char* const path = next_word(words);  // after the program's name
  const std::size_t index = number(next_word(path));
  if (index >= stalls::kCases.size()) return fail("there is no such case");
  if (!stalls::read_trace(path, trace)) return fail("the trace is no table of from_ms,latency_ms");
  system_clock::start();
  if (f_mount(&volume, "", 1) != FR_OK) return fail("no volume");
  if (file.create("STALLS.PQT") != Status::kOk) return fail("the file cannot be created");
  stalls::CardLatency latency(trace, clock);
  slow_down(latency);
  systick::start(system_clock::kHertz / 1000);
  const stalls::Outcome outcome = stalls::kLogCases[index](file, clock, trace.end_ms() + 1000);
  if (outcome.status != Status::kOk) return fail(to_string(outcome.status));
  if (file.close() != Status::kOk) return fail("the file cannot be closed");
  report(stalls::kCases[index], outcome);
  return 0;
}
