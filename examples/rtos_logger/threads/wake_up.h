// Lets the sampler wake the logger, as a task notification does in FreeRTOS.
#pragma once

#include <semaphore.h>

#include <cerrno>
#include <cstdint>
#include <ctime>

class WakeUp {
 public:
  WakeUp() { sem_init(&semaphore_, 0, 0); }
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;
  ~WakeUp() { sem_destroy(&semaphore_); }

  // Does not wait. One that comes while the other is at work is kept.
  void give() { sem_post(&semaphore_); }

  // Returns after a give(), or when the time is over; many that came meanwhile are one.
  void wait_seconds(std::uint32_t seconds) {
    timespec limit = {};
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += seconds;
    while (sem_timedwait(&semaphore_, &limit) != 0 && errno == EINTR) {
    }
    while (sem_trywait(&semaphore_) == 0) {
    }
  }

 private:
  sem_t semaphore_;
};
