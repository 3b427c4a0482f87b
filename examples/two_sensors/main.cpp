// Logs two sensors of very different rates to one SD card, each into a file of its own.
//
// Needs: the board LM3S6965EVB, a Cortex-M3 with 64 KB of RAM, with an SD card as FAT16 or FAT32 in its slot;
// and a debugger or emulator for the words below and the report. A product does not end. This program ends
// when the card fails; sd_logger shows how to continue.
//
//   two_sensors SECONDS [BEGIN]   BEGIN: what its clock says at the start, in seconds; 0 unless said
//
//   tests/filesystems/build cortex-m3 two_sensors      builds it, and prints where it lies
//   truncate -s 64M card.img; mkfs.fat -F 32 card.img
//   qemu-system-arm -M lm3s6965evb -nographic -monitor none -serial none -icount shift=5,sleep=off
//       -semihosting-config enable=on,target=native -drive if=sd,format=raw,file=card.img
//       -kernel two_sensors.elf -append "60"
#include <string_view>

#include "command_line.h"
#include "ff.h"
#include "logs.h"
#include "microparquet/port/semihosting_console.h"
#include "sd_card.h"
#include "sensor_logger.h"
#include "system_clock.h"
#include "systick.h"
#include "uptime.h"

namespace {

using microparquet::Status;

// All the memory there is.
SensorLogger<MotionLog> motion;
SensorLogger<AirLog> air;
FATFS volume;
microparquet::semihosting::Console console;

void on_tick(std::uint64_t tick) {
  const std::uint64_t now_ms = tick * (1000 / uptime::kTicksPerSecond);
  motion.on_tick(now_ms);
  air.on_tick(now_ms);
}

// For the card's driver; starts again after 50 days.
std::uint32_t driver_ms() { return static_cast<std::uint32_t>(uptime::now_ms()); }

int fail(std::string_view what, std::string_view why) {
  console.print("two_sensors: ").print(what).print(": ").print(why).print("\n");
  return 1;
}

// Prints the memory that the logger takes, and the most that a power cut costs it.
template <typename Log>
void introduce(const SensorLogger<Log>& logger) {
  constexpr microparquet::LossBound kLoss = loss_of<Log>();
  console.print(Log::kPath).print(" writer_bytes ").print(sizeof logger.writer());
  console.print(" queue_bytes ").print(sizeof logger.queue()).print(" all_bytes ").print(sizeof logger);
  console.print(" loss_ms ").print(kLoss.ms).print(" loss_rows ").print(kLoss.rows).print("\n");
}

// Says when rows have become durable.
template <typename Log>
Status step(SensorLogger<Log>& logger) {
  const std::uint64_t durable = logger.writer().durable_rows();
  const Status status = logger.step(uptime::now_ms());
  if (logger.writer().durable_rows() != durable) {
    console.print(Log::kPath).print(" at ").print(uptime::now_ms());
    console.print(" durable ").print(logger.writer().durable_rows()).print("\n");
  }
  return status;
}

template <typename Log>
Status close(SensorLogger<Log>& logger) {
  const Status status = logger.close();
  console.print(Log::kPath).print(" rows ").print(logger.writer().rows());
  console.print(" dropped ").print(logger.queue().dropped()).print("\n");
  return status;
}

Status log(std::uint32_t seconds, std::uint32_t begin) {
  const std::uint64_t end_ms = (std::uint64_t{begin} + seconds) * 1000;
  Status status = motion.open(end_ms);
  if (status == Status::kOk) status = air.open(end_ms);
  uptime::start(&on_tick, std::uint64_t{begin} * uptime::kTicksPerSecond);
  while (status == Status::kOk && uptime::now_ms() < end_ms) {
    systick::wait();
    status = step(motion);
    if (status == Status::kOk) status = step(air);
    sd_card::rest();
  }
  if (status == Status::kOk) status = close(motion);
  return status == Status::kOk ? close(air) : status;
}

}  // namespace

int main() {
  system_clock::start();
  sd_card::hold_writes(&driver_ms);
  CommandLine words;
  const std::uint32_t seconds = words.number();
  const std::uint32_t begin = words.number();
  if (f_mount(&volume, "", 1) != FR_OK) return fail("card", "there is none, or no FAT volume on it");
  introduce(motion);
  introduce(air);
  if (const Status status = log(seconds, begin); status != Status::kOk) return fail("log", to_string(status));
  return 0;
}
