// Implements FreeRTOS.h by threads of this machine.
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <ctime>
#include <new>
#include <thread>

#include "FreeRTOS.h"
#include "program.h"
#include "semphr.h"
#include "task.h"

struct Mutex {
  pthread_mutex_t mutex;
};
struct Task {
  sem_t notified;
};
static_assert(sizeof(Mutex) <= sizeof(StaticSemaphore_t) && sizeof(Task) <= sizeof(StaticTask_t));

namespace {

thread_local Task* this_task = nullptr;

timespec after(TickType_t ticks) {
  constexpr std::uint64_t kNsPerSecond = 1'000'000'000;
  timespec time = {};
  clock_gettime(CLOCK_REALTIME, &time);
  const std::uint64_t ns =
      static_cast<std::uint64_t>(time.tv_nsec) + std::uint64_t{ticks} * portTICK_PERIOD_MS * 1'000'000;
  time.tv_sec += static_cast<time_t>(ns / kNsPerSecond);
  time.tv_nsec = static_cast<long>(ns % kNsPerSecond);
  return time;
}

}  // namespace

void portYIELD_FROM_ISR(BaseType_t) {}

TaskHandle_t xTaskCreateStatic(TaskFunction_t function, const char*, std::uint32_t, void* parameter,
                               UBaseType_t, StackType_t*, StaticTask_t* memory) {
  Task* const task = new (memory) Task;
  sem_init(&task->notified, 0, 0);
  std::thread([=] {
    this_task = task;
    function(parameter);
  }).detach();
  return task;
}

TickType_t xTaskGetTickCount() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<TickType_t>((now.tv_sec * 1000 + now.tv_nsec / 1'000'000) / portTICK_PERIOD_MS);
}

void vTaskDelay(TickType_t ticks) {
  const timespec limit = after(ticks);
  clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &limit, nullptr);
}

std::uint32_t ulTaskNotifyTake(BaseType_t, TickType_t ticks) {
  before_waiting();
  const timespec limit = after(ticks);
  std::uint32_t count = 0;
  while (sem_timedwait(&this_task->notified, &limit) != 0) {
    if (errno == ETIMEDOUT) return 0;
  }
  do ++count;
  while (sem_trywait(&this_task->notified) == 0);
  return count;
}

void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t* switches) {
  sem_post(&task->notified);
  *switches = pdTRUE;
}

SemaphoreHandle_t xSemaphoreCreateMutexStatic(StaticSemaphore_t* memory) {
  return new (memory) Mutex{PTHREAD_MUTEX_INITIALIZER};
}

BaseType_t xSemaphoreTake(SemaphoreHandle_t mutex, TickType_t ticks) {
  const timespec limit = after(ticks);
  return pthread_mutex_timedlock(&mutex->mutex, &limit) == 0 ? pdTRUE : pdFALSE;
}

BaseType_t xSemaphoreGive(SemaphoreHandle_t mutex) {
  return pthread_mutex_unlock(&mutex->mutex) == 0 ? pdTRUE : pdFALSE;
}

void vSemaphoreDelete(SemaphoreHandle_t mutex) { pthread_mutex_destroy(&mutex->mutex); }
