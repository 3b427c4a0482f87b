// The switch in the supply of the SD card, at pin D1: high is on.
#pragma once

#include "ff.h"

namespace card_switch {

// Starts the card, which FatFs then continues to use: its volume stays mounted and its files open. A real
// card wants a steady supply for a millisecond first, and its bus at low level while it is off, which the
// emulated one cannot show. False: it does not start, or is another one than that of keep_to().
bool on();

// Call this once the card's volume is mounted. From then on, on() refuses every other card, to which FatFs
// would write this card's data. The card is recognised by its own number and by its volume's boot sector; a
// change of its files made elsewhere is not noticed. False: the card cannot be read.
bool keep_to(const FATFS& volume);

// Call it between two calls of the writer: every block is written when its call returns. FatFs refuses all
// calls until on().
void off();

// Reads the pin: whether the card has its supply.
bool has_supply();

// Whether the card has no supply and FatFs refuses all calls.
bool is_off();

}  // namespace card_switch
