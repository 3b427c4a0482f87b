// An SD card in SPI mode on the serial bus SSI0 of the LM3S6965, its chip select at pin D0: single blocks, by
// polling. Run in QEMU only, whose card is always ready.
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

// Makes the driver read back and compare each block that it writes, and write it again if it differs: for
// cards that say yes to everything. A block then takes the bus twice. Off until it is called.
void verify_writes();

// One block. False: see problem().
bool read(std::uint32_t block, std::uint8_t* data);
bool write(std::uint32_t block, const std::uint8_t* data);

// The number that its maker gave the card, and no other one: 16 bytes, the register CID. False: the card does
// not tell.
bool identify(std::uint8_t* number);

// The problem of the last call that failed; kNone after a start() that succeeded.
Problem problem();

}  // namespace sd_card
