// Mutexes: see FreeRTOS.h.
#pragma once

#include "FreeRTOS.h"

struct Mutex;
using SemaphoreHandle_t = Mutex*;

SemaphoreHandle_t xSemaphoreCreateMutexStatic(StaticSemaphore_t* memory);
BaseType_t xSemaphoreTake(SemaphoreHandle_t mutex, TickType_t ticks);
BaseType_t xSemaphoreGive(SemaphoreHandle_t mutex);
void vSemaphoreDelete(SemaphoreHandle_t mutex);
