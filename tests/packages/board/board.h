// The board that the systems' stand-ins share: a card in memory, a clock that moves while a program waits, and an end.
#pragma once

#include <cstdint>

namespace board {

// The card, formatted at first, is mounted. False: it is not.
bool mount();

std::uint32_t milliseconds();

// Time passes. After 1,300 s the power fails, as everything else is asked for: what is on the card is saved as
// card.img in the current folder, and the process ends.
void wait(std::uint32_t ms);

}  // namespace board
