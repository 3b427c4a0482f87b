// The part of STM32Cube's HAL that a logging program needs, as its documentation declares it.
#pragma once

#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming): as the HAL has it
void HAL_Init();
std::uint32_t HAL_GetTick();
void HAL_Delay(std::uint32_t ms);
// NOLINTEND(readability-identifier-naming)
