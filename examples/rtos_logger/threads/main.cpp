// Three tasks and one volume on this machine: a thread samples, one logs, one keeps notes beside the log.
//
//   rtos_logger IMAGE ROWS [PERIOD_US]   PERIOD_US: from one row to the next, 10,000 unless said; 0: at once
//
//   tests/filesystems/build host rtos_logger           builds it, and prints where it lies
//   truncate -s 64M card.img; mkfs.fat -F 32 card.img
//   rtos_logger card.img 500; mcopy -i card.img ::MOTION.parquet ::NOTES.TXT .
//
//   sampler --push--> SampleQueue --drain--> Logger --+
//       +-----------give()--> WakeUp --wait--^        +--> FatFs, FF_FS_REENTRANT --> IMAGE
//                                             Notes --+
#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "image_disk.h"
#include "logger.h"
#include "notes.h"
#include "wake_up.h"

namespace {

using microparquet::Status;

constexpr std::uint32_t kUsPerMs = 1000;
constexpr std::uint32_t kNoteMs = 5;  // time from one line to the next

SampleQueue queue;
WakeUp wake_up;
Logger logger(queue);
Notes notes;
FATFS volume;

std::uint32_t rows = 0;
std::uint32_t period_us = 1'000'000 / kRowsPerSecond;
std::atomic<bool> has_sampled_all = false;
std::atomic<bool> has_failed = false;
std::uint32_t logger_repeats = 0;  // calls repeated because the volume was held

std::uint32_t now_ms() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(now.tv_sec) * 1000 +
                                    static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000);
}

void wait_us(std::uint32_t us) {
  if (us == 0) return;
  const timespec time = {us / 1'000'000, static_cast<long>(us % 1'000'000) * 1000};
  nanosleep(&time, nullptr);
}

void sample() {
  for (std::uint32_t number = 0; number < rows; ++number) {
    const std::uint64_t time_ms = std::uint64_t{number} * period_us / kUsPerMs;
    queue.push(sample_motion(number, static_cast<std::int64_t>(time_ms)));
    wake_up.give();
    wait_us(period_us);
  }
  has_sampled_all = true;
  wake_up.give();
}

// Whether to continue. Another task that held the volume is no reason to end.
bool continues(Status status) {
  if (status == Status::kOk) return true;
  if (status == Status::kIoError && logger.is_volume_held()) {
    ++logger_repeats;
    return true;
  }
  std::fprintf(stderr, "rtos_logger: %s: %s\n", Logger::kPath, to_string(status));
  has_failed = true;
  return false;
}

void log() {
  bool is_last = false;
  while (!is_last) {
    wake_up.wait_seconds(1);
    is_last = has_sampled_all;  // before the queue is drained, which then has all
    if (!continues(logger.step(now_ms()))) return;
  }
  Status status = Status::kOk;
  do {
    status = logger.close();
  } while (status != Status::kOk && continues(status));
}

void keep_notes() {
  FRESULT result = FR_OK;
  while (!has_sampled_all && (result == FR_OK || result == FR_TIMEOUT)) {
    result = notes.write_line(now_ms());
    wait_us(kNoteMs * kUsPerMs);
  }
  do {
    result = notes.close();
  } while (result == FR_TIMEOUT);
  if (result == FR_OK) return;
  std::fprintf(stderr, "rtos_logger: %s: FatFs %d\n", Notes::kPath, result);
  has_failed = true;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fprintf(stderr, "usage: rtos_logger IMAGE ROWS [PERIOD_US]\n");
    return 2;
  }
  rows = static_cast<std::uint32_t>(std::strtoul(words[2], nullptr, 10));
  if (count > 3) period_us = static_cast<std::uint32_t>(std::strtoul(words[3], nullptr, 10));
  if (!image_disk::open(words[1]) || f_mount(&volume, "", 1) != FR_OK) {
    std::fprintf(stderr, "rtos_logger: %s has no FAT volume that can be written\n", words[1]);
    return 1;
  }
  std::thread sampler(&sample);
  std::thread log_keeper(&log);
  std::thread note_keeper(&keep_notes);
  sampler.join();
  log_keeper.join();
  note_keeper.join();
  f_mount(nullptr, "", 0);
  std::printf("rows %llu dropped %u repeated %u lines %u\n", static_cast<unsigned long long>(logger.rows()),
              static_cast<unsigned>(queue.dropped()), static_cast<unsigned>(logger_repeats),
              static_cast<unsigned>(notes.lines()));
  return has_failed ? 1 : 0;
}
