// Logs in bursts to an SD card that is switched off in between, and says how often it writes a sector and how
// long the card is on.
//
// Needs: the board LM3S6965EVB, a Cortex-M3 with 64 KB of RAM, with an SD card as FAT16 or FAT32 in its slot,
// whose supply goes through a switch at pin D1; and a debugger or emulator for the words below and the
// report. A product logs one sensor of its own, and does not end.
//
// This program ends when the card fails; sd_logger shows how to continue.
//
//   low_power motion|air SECONDS [durable]   durable: a checkpoint in each burst
//
//   tests/filesystems/build cortex-m3 low_power      builds it, and prints where it lies
//   truncate -s 64M card.img; mkfs.fat -F 32 card.img
//   qemu-system-arm -M lm3s6965evb -nographic -monitor none -serial none -icount shift=5,sleep=off
//       -semihosting-config enable=on,target=native -drive if=sd,format=raw,file=card.img
//       -kernel low_power.elf -append "motion 60"
#include <string_view>

#include "burst_logger.h"
#include "card_switch.h"
#include "command_line.h"
#include "ff.h"
#include "logs.h"
#include "microparquet/port/fatfs_file.h"
#include "microparquet/port/semihosting_console.h"
#include "sector_writes.h"
#include "system_clock.h"
#include "systick.h"
#include "uptime.h"

namespace {

namespace mpq = microparquet;
using mpq::Status;

FATFS volume;
DWORD link_map[32];
mpq::FatFsFile file(link_map);
mpq::semihosting::Console console;

BurstLogger<MotionLog> motion;
BurstLogger<AirLog> air;
volatile std::uint32_t samples_wanted = 0;
std::uint32_t ticks_with_card = 0;

template <typename Log>
void on_tick(BurstLogger<Log>& logger, std::uint64_t tick) {
  constexpr std::uint32_t kTicks = uptime::kTicksPerSecond / Log::kRowsPerSecond;
  const std::uint64_t number = tick / kTicks;
  if (tick % kTicks == 0 && number < samples_wanted)
    logger.push(Log::kSample(number, static_cast<std::int64_t>(number) * 1000 / Log::kRowsPerSecond));
  if (!card_switch::is_off()) ++ticks_with_card;
}

int fail(std::string_view what, Status status) {
  console.print("low_power: ").print(what).print(": ").print(to_string(status)).print("\n");
  return 1;
}

void print(std::string_view name, std::uint64_t number) {
  console.print(name).print(" ").print(number).print("\n");
}

template <typename Log>
void report(const BurstLogger<Log>& logger, std::uint32_t writes) {
  print("rows", logger.writer().rows());
  print("dropped", logger.queue().dropped());
  print("bursts", logger.bursts());
  print("sector_writes", writes);
  print("card_us", logger.card_us());
  print("ticks_with_card", ticks_with_card);
  print("writer_bytes", sizeof logger.writer());
  print("queue_bytes", sizeof logger.queue());
}

template <typename Log>
Status log(BurstLogger<Log>& logger, std::uint32_t seconds, Durable durable) {
  Status status = logger.open(file);
  card_switch::off();
  const std::uint32_t before = sector_writes();
  std::uint32_t writes = 0;
  const std::uint64_t end_ms = std::uint64_t{seconds} * 1000;
  while (status == Status::kOk && uptime::now_ms() < end_ms) {
    systick::wait();
    if (!logger.burst_is_due()) continue;
    status = logger.burst(durable);
    writes = sector_writes() - before;
    print("durable", logger.writer().durable_rows());
  }
  if (status == Status::kOk) status = logger.close();
  if (status == Status::kOk) report(logger, writes);
  return status;
}

template <typename Log>
int run(BurstLogger<Log>& logger, void (*on_tick)(std::uint64_t tick), std::uint32_t seconds,
        Durable durable) {
  if (!card_switch::on() || f_mount(&volume, "", 1) != FR_OK || !card_switch::keep_to(volume))
    return fail("volume", Status::kMediumLost);
  if (const Status status = file.create("LOG.parquet"); status != Status::kOk) return fail("file", status);
  samples_wanted = seconds * Log::kRowsPerSecond;
  uptime::start(on_tick);
  if (const Status status = log(logger, seconds, durable); status != Status::kOk) return fail("log", status);
  const Status status = file.close();
  card_switch::off();
  return status == Status::kOk ? 0 : fail("close", status);
}

}  // namespace

int main() {
  system_clock::start();
  CommandLine words;
  const std::string_view sensor = words.word();
  const std::uint32_t seconds = words.number();
  const Durable durable = words.word() == "durable" ? Durable::kEachBurst : Durable::kByOptions;
  if (sensor == "motion") {
    return run(motion, [](std::uint64_t tick) { on_tick(motion, tick); }, seconds, durable);
  }
  if (sensor == "air") return run(air, [](std::uint64_t tick) { on_tick(air, tick); }, seconds, durable);
  return fail("no such sensor", Status::kInvalidArgument);
}
