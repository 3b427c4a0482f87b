// The part of FreeRTOS that the page of examples/rtos_logger uses, declared as its documentation says, with
// ticks of 2 ms.
#pragma once

#include <cstdint>

using BaseType_t = long;
using UBaseType_t = unsigned long;
using TickType_t = std::uint32_t;
using StackType_t = std::uint32_t;
struct StaticTask_t {
  void* memory[20];
};
struct StaticSemaphore_t {
  void* memory[20];
};

constexpr BaseType_t pdFALSE = 0;
constexpr BaseType_t pdTRUE = 1;
constexpr TickType_t portTICK_PERIOD_MS = 2;
constexpr UBaseType_t tskIDLE_PRIORITY = 0;

constexpr TickType_t pdMS_TO_TICKS(std::uint32_t ms) { return ms / portTICK_PERIOD_MS; }
void portYIELD_FROM_ISR(BaseType_t switches);
