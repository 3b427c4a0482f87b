// Tasks and their notifications: see FreeRTOS.h.
#pragma once

#include "FreeRTOS.h"

struct Task;
using TaskHandle_t = Task*;
using TaskFunction_t = void (*)(void*);

TaskHandle_t xTaskCreateStatic(TaskFunction_t function, const char* name, std::uint32_t stack_words,
                               void* parameter, UBaseType_t priority, StackType_t* stack,
                               StaticTask_t* memory);
TickType_t xTaskGetTickCount();
void vTaskDelay(TickType_t ticks);
std::uint32_t ulTaskNotifyTake(BaseType_t clears, TickType_t ticks);
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t* switches);
