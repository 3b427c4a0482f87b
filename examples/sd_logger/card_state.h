// The state of the card, and how the status LED shows it.
#pragma once

#include <cstdint>

#include "ff.h"

// The LED flashes this number of times, then pauses.
enum class CardState : std::uint8_t {
  kLogging = 1,
  kNoCard = 2,
  kWriteProtected = 3,
  kUnknownFileSystem = 4,  // neither FAT16 nor FAT32, nor exFAT where ffconf.h has it
  kFull = 5,
  kFails = 6,        // answers with errors, or stopped to answer
  kLosesWrites = 7,  // says that it has written, and has not
  kOtherCard = 8,    // logging, on another card than before
};

// Text for messages, such as "no card".
const char* to_string(CardState state);

// The reason why FatFs, asked last, answered with an error, with the card's own state.
CardState why(FRESULT result);

// Whether the LED is on, this many milliseconds after the state began.
bool is_led_on(CardState state, std::uint32_t ms);
