// Declarations from FreeRTOS's documentation.
#pragma once

#include "FreeRTOS.h"

void vTaskDelay(TickType_t ticks);
