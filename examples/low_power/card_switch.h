// The switch in the supply of the SD card, at pin D1: high is on.
#pragma once

namespace card_switch {

// Starts the card, which FatFs then goes on with: it is the same one, so that its volume stays mounted and
// its files open. A real card wants a steady supply for a millisecond first, and its bus at low level while
// it is off, which the emulated one cannot show. False: it does not start.
bool on();

// Between two calls of the writer: every block is written when its call returns. FatFs refuses all calls
// until on().
void off();

}  // namespace card_switch
