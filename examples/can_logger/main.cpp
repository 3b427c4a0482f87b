// Logs two CAN buses under full load, 11,000 frames a second, and drops none while the card pauses.
//
// Needs: a Cortex-M4F at some 100 MHz with 170 KB of RAM and an SD card. In the project's build that is QEMU's mps2-an386, whose
// card is the image card.img on the host, as slow as boards/mps2_an386/host_card.h says, with pauses of the table pauses.csv. The
// frames are made up; a product takes them from its controller's interrupt, and gives time and bus itself. It does not end.
//
//   can_logger SECONDS [calm]     calm: the card does not pause
//
//   tests/filesystems/build cortex-m4f can_logger      builds it, and prints where it lies
//   truncate -s 4095M card.img; mkfs.fat -F 32 -s 64 card.img; cp tests/stalls/traces/sdxc.csv pauses.csv
//   MICROPARQUET_QEMU_OPTIONS="-icount shift=3,sleep=off" toolchains/qemu/run mps2-an386 can_logger.elf 30
//   mcopy -i card.img ::CAN00001.parquet .
#include "can_log.h"
#include "can_traffic.h"
#include "fast_logger.h"
#include "log_run.h"

namespace {

FastLogger<CanLog> logger;

[[gnu::noinline]] void take(const CanLog::Queued& frame) { logger.push(frame); }

void on_tick(std::uint32_t tick) {
  if (log_run::samples(tick)) take(made_up_frame(tick));
}

}  // namespace

int main() { return log_run::run("can_logger", logger, kFramesPerSecond, &on_tick); }
