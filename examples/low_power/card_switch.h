// The switch in the supply of the SD card, at pin D1: high is on.
#pragma once

#include "ff.h"

namespace card_switch {

// Starts the card, which FatFs then continues to use: its volume stays mounted and its files open. A real
// card wants a steady supply for a millisecond first, and its bus at low level while it is off, which the
// emulated one cannot show. False: it does not start, or is another one than that of keep_to().
bool on();

// To be called when the card's volume has been mounted: on() takes no other card from now on, to which FatFs
// would write what belongs to this one. It is known by its own number and by its volume's boot sector; that
// somebody has changed its files meanwhile is not noticed. False: it cannot be read.
bool keep_to(const FATFS& volume);

// Between two calls of the writer: every block is written when its call returns. FatFs refuses all calls
// until on().
void off();

// What the pin says.
bool has_supply();

// Whether it has no supply, and FatFs refuses all calls.
bool is_off();

}  // namespace card_switch
