// STM32Cube, as far as a program that logs needs it. The program mounts the card itself.
#include <stm32f4xx_hal.h>

#include "board.h"

void HAL_Init() { board::mount(); }
std::uint32_t HAL_GetTick() { return board::milliseconds(); }
void HAL_Delay(std::uint32_t ms) { board::wait(ms); }
