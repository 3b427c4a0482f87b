// An SD card in SPI mode, in the slot of the board: see sd_bus.h. Run in QEMU only, whose card is always ready.
#pragma once

#include <cstdint>

namespace sd_card {

inline constexpr std::uint32_t kBlockBytes = 512;

// Reasons why a call failed.
enum class Problem : std::uint8_t {
  kNone,
  kAbsent,     // nothing answers
  kRefused,    // the card answers with an error, or no more
  kLostWrite,  // it says that it has written a block, and has not
};

// False: there is no card, or it does not start.
bool start();

// Whether the card that was started is marked as write-protected, for now or for ever, in its own data. The
// switch on the side of a card is no part of them: the socket feels it, and a board with such a socket has a
// pin to ask. This one is for microSD, which has no switch.
bool is_protected();

// Makes the driver read back and compare the blocks that it writes, and write them again if they differ: for
// cards that say yes to everything. A block then takes the bus twice, and no write is held. Off until it is
// called.
void verify_writes();

// Makes the driver hold a write open when write() returns: if the next one continues it, the card takes all for
// one, and programs whole pages of its flash. Every other call but rest() ends a write that is held, and so does
// `now_ms`, which may start again, after a second in which nothing was written. Off until it is called.
//
// What goes wrong at the end of such a write concerns blocks that write() has reported as written. Therefore
// is_lost() is then true, and all calls fail until start(). Only finish() says that all is written.
void hold_writes(std::uint32_t (*now_ms)());

// Ends a write that is held, if nothing was written for a second. Call it now and then: a card whose write is
// open does not go to sleep.
void rest();

// Ends a write that is held. False: blocks are lost that write() has reported as written.
bool finish();

// Whether finish() has failed since start(), or a call that ended a write before its own work.
bool is_lost();

// Reads or writes blocks, several of them by one command. A block is sent or read again a few times if its CRC
// turns out to be wrong on the other side. False: see problem().
bool read(std::uint32_t first, std::uint8_t* data, std::uint32_t blocks);
bool write(std::uint32_t first, const std::uint8_t* data, std::uint32_t blocks);

// The number that its maker gave the card, and no other one: 16 bytes, the register CID. False: the card does
// not tell.
bool identify(std::uint8_t* number);

// The number of its blocks. 0: the card does not tell.
std::uint32_t sectors();

// Reads 512 bytes of the maker's own choice by CMD56; bit 0 of `argument` is 1. False: the card does not know it.
bool ask(std::uint32_t argument, std::uint8_t* data);

// The problem of the last call that failed; kNone after a start() that succeeded.
Problem problem();

}  // namespace sd_card
