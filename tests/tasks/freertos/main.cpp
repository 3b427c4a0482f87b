// Runs the code of the page of examples/rtos_logger, on the image of a card, until that many rows are durable; then it is
// killed, as by a power cut, and has said how many are durable.
//
//   rtos_page IMAGE ROWS
#include <semaphore.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "image_disk.h"
#include "page.cpp"

namespace {

sem_t enough;
std::uint32_t wanted = 0;
std::uint32_t sampled = 0;

}  // namespace

Motion read_sensor() {
  const std::uint32_t number = sampled++;
  return sample_motion(number, number);
}

void card_failed(microparquet::Status status) {
  std::fprintf(stderr, "rtos_page: %s\n", to_string(status));
  _exit(1);
}

void before_waiting() {
  if (logger.durable_rows() < wanted) return;
  std::printf("durable %llu\n", static_cast<unsigned long long>(logger.durable_rows()));
  std::fflush(stdout);
  sem_post(&enough);
  for (;;) pause();
}

int main(int count, char** words) {
  static FATFS volume;
  if (count != 3 || !image_disk::open(words[1]) || f_mount(&volume, "", 1) != FR_OK) return 2;
  wanted = static_cast<std::uint32_t>(std::strtoul(words[2], nullptr, 10));
  sem_init(&enough, 0, 0);
  start_tasks();
  while (sem_trywait(&enough) != 0) {  // this thread is the interrupt
    SENSOR_IRQHandler();
    usleep(500);
  }
  _exit(0);
}
