// The mutexes that FatFs asks of the system with FF_FS_REENTRANT, one for each volume and one for all, made
// of POSIX threads.
#include <pthread.h>
#include <ctime>

#include "ff.h"

namespace {

constexpr long kNsPerSecond = 1'000'000'000;
constexpr long kNsPerMs = 1'000'000;

pthread_mutex_t mutexes[FF_VOLUMES + 1];

timespec time_limit() {
  timespec limit = {};
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += FF_FS_TIMEOUT / 1000;
  limit.tv_nsec += FF_FS_TIMEOUT % 1000 * kNsPerMs;
  if (limit.tv_nsec >= kNsPerSecond) {
    limit.tv_nsec -= kNsPerSecond;
    ++limit.tv_sec;
  }
  return limit;
}

}  // namespace

extern "C" int ff_mutex_create(int id) { return pthread_mutex_init(&mutexes[id], nullptr) == 0 ? 1 : 0; }

extern "C" void ff_mutex_delete(int id) { pthread_mutex_destroy(&mutexes[id]); }

// FatFs answers 0 with FR_TIMEOUT.
extern "C" int ff_mutex_take(int id) {
  const timespec limit = time_limit();
  return pthread_mutex_timedlock(&mutexes[id], &limit) == 0 ? 1 : 0;
}

extern "C" void ff_mutex_give(int id) { pthread_mutex_unlock(&mutexes[id]); }
