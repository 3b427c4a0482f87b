// Three tasks and one volume without an operating system: an interrupt samples, a call that it pends logs, the program
// keeps notes beside the log.
//
// Needs: the board LM3S6965EVB, a Cortex-M3 with 64 KB of RAM, with an SD card as FAT16, FAT32 or exFAT in its slot;
// and a debugger or emulator for the words below and the report.
//
//   rtos_logger ROWS
//
//   tests/filesystems/build cortex-m3 rtos_logger      builds it, and prints where it lies
//   truncate -s 64M card.img; mkfs.fat -F 32 card.img
//   qemu-system-arm -M lm3s6965evb -nographic -monitor none -serial none -icount shift=5,sleep=off
//       -semihosting-config enable=on,target=native -drive if=sd,format=raw,file=card.img
//       -kernel rtos_logger.elf -append "500"
//
//   SysTick --push--> SampleQueue --drain--> PendSV: Logger --+
//       +------------------pend()---------------^             +--> FatFs, FF_FS_REENTRANT --> SD card
//                                            main: Notes -----+
#include <cstdint>
#include <string_view>

#include "command_line.h"
#include "logger.h"
#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"
#include "notes.h"
#include "own_stack.h"
#include "pended_call.h"
#include "system_clock.h"
#include "systick.h"
#include "uptime.h"

namespace {

using microparquet::Status;

static_assert(kRowsPerSecond == uptime::kTicksPerSecond);

// All the memory there is.
SampleQueue queue;
Logger logger(queue);
Notes notes;
FATFS volume;
microparquet::semihosting::Console console;
std::uint64_t notes_stack[256];

std::uint32_t rows = 0;
volatile bool has_sampled_all = false;
volatile std::uint32_t refusals = 0;  // the logger's, since the notes held the volume
volatile std::uint32_t durable = 0;   // rows of the log
volatile bool has_ended = false;      // the logger
Status ended_with = Status::kOk;

void on_tick(std::uint64_t tick) {
  if (tick < rows) {
    queue.push(sample_motion(tick, static_cast<std::int64_t>(tick * (1000 / uptime::kTicksPerSecond))));
  }
  has_sampled_all = tick >= rows;
  pended_call::pend();
}

// A product's task waits between two lines; this one asks for the volume all the time. It also says when rows have
// become durable.
FRESULT keep_notes() {
  FRESULT result = FR_OK;
  for (std::uint32_t said = 0; result == FR_OK && !has_ended;) {
    result = notes.write_line(static_cast<std::uint32_t>(uptime::now_ms()));
    if (durable == said) continue;
    said = durable;
    console.print("durable ").print(std::uint64_t{said}).print("\n");
  }
  const FRESULT closed = notes.close();
  return result == FR_OK ? closed : result;
}

int fail(std::string_view what, std::string_view why) {
  console.print("rtos_logger: ").print(what).print(": ").print(why).print("\n");
  return 1;
}

int report(FRESULT noted) {
  if (ended_with != Status::kOk) return fail(Logger::kPath, to_string(ended_with));
  if (noted != FR_OK) return fail(Notes::kPath, "FatFs failed");
  console.print("rows ").print(logger.rows()).print(" dropped ").print(std::uint64_t{queue.dropped()});
  console.print(" refused ")
      .print(std::uint64_t{refusals})
      .print(" lines ")
      .print(std::uint64_t{notes.lines()});
  console.print(" stack ").print(std::uint64_t{own_stack::touched_bytes()}).print("\n");
  return 0;
}

// Runs on a stack of its own: the other one is the logger's, and that of the interrupt that samples.
void run() {
  uptime::start(&on_tick);
  const FRESULT noted = keep_notes();
  microparquet::semihosting::exit(report(noted));
}

}  // namespace

// One that found the volume taken is called again when it is free.
extern "C" void PendSV_Handler() {
  if (has_ended) return;
  const bool is_last = has_sampled_all;  // before the queue is drained, which then has all
  Status status = logger.step(static_cast<std::uint32_t>(uptime::now_ms()));
  if (status == Status::kOk && is_last) status = logger.close();
  if (status == Status::kIoError && logger.is_volume_held()) {
    refusals = refusals + 1;
    return;
  }
  durable = static_cast<std::uint32_t>(logger.durable_rows());
  ended_with = status;
  has_ended = is_last || status != Status::kOk;
}

int main() {
  system_clock::start();
  CommandLine words;
  rows = words.number();
  if (f_mount(&volume, "", 1) != FR_OK) return fail("card", "there is none, or no FAT volume on it");
  pended_call::start();
  own_stack::paint();
  own_stack::run(notes_stack + sizeof notes_stack / sizeof notes_stack[0], &run);
}
