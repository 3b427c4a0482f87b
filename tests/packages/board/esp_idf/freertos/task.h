// As FreeRTOS's documentation declares it.
#pragma once

#include "FreeRTOS.h"

void vTaskDelay(TickType_t ticks);
