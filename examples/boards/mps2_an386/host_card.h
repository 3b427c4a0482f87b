// An SD card that is an image on the host, through semihosting, with the times of a card: a model, no measurement. Each command
// takes kCommandUs, as long as a page of 16 KiB takes to be programmed, and a sector takes its way over SPI at 20 MHz. The card
// pauses as a table of the host says, of the form of tests/stalls/traces.
#pragma once

#include <cstdint>

namespace host_card {

inline constexpr std::uint32_t kCommandUs = 2000;
inline constexpr std::uint32_t kSectorUs = 260;

// Puts the card in, an image with a volume. Without a table of pauses there are none. False: there is no such image, or
// the table is none.
bool insert(const char* image, const char* pauses);

// Time passes for the card from now on: before, it answers at once. Requires: tick_timer has been started.
void begin();

// Pauses that writes have met.
std::uint32_t pauses();

}  // namespace host_card
