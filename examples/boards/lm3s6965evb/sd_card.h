// An SD card in SPI mode on the serial bus SSI0 of the LM3S6965, its chip select at pin D0: single blocks, by
// polling.
#pragma once

#include <cstdint>

namespace sd_card {

inline constexpr std::uint32_t kBlockBytes = 512;

// False: there is no card, or it does not start.
bool start();

// One block. False: the card refused.
bool read(std::uint32_t block, std::uint8_t* data);
bool write(std::uint32_t block, const std::uint8_t* data);

}  // namespace sd_card
