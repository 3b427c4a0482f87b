// What goes over the serial bus SSI0 of the LM3S6965 to an SD card in SPI mode, its chip select at pin D0: commands and
// blocks of data, each with its CRC, by polling. The bus is the card's alone.
#pragma once

#include <cstdint>

namespace sd_bus {

// Commands of the SD Physical Layer Specification.
enum class Command : std::uint8_t {
  kReset = 0,
  kInterface = 8,
  kCardData = 9,
  kIdentification = 10,
  kStop = 12,
  kStatus = 13,
  kBlockLength = 16,
  kReadBlock = 17,
  kReadBlocks = 18,
  kWriteBlock = 24,
  kWriteBlocks = 25,
  kApplication = 55,
  kGeneral = 56,
  kOperatingConditions = 58,
  kCheckCrc = 59,
};

// Those of the other table, which kApplication comes before.
enum class ApplicationCommand : std::uint8_t {
  kCountWritten = 22,
  kEraseAhead = 23,
  kStart = 41,
};

// Answers to commands.
inline constexpr std::uint8_t kReady = 0;
inline constexpr std::uint8_t kIdle = 1;
inline constexpr std::uint8_t kIllegal = 4;
inline constexpr std::uint8_t kNoAnswer = 0xFF;

// Answers to blocks.
inline constexpr std::uint8_t kAccepted = 0x05;
inline constexpr std::uint8_t kWrongCrc = 0x0B;

// What a block begins with, and what ends a write of several.
inline constexpr std::uint8_t kBlockFollows = 0xFE;
inline constexpr std::uint8_t kNextBlockFollows = 0xFC;
inline constexpr std::uint8_t kNoMoreBlocks = 0xFD;

// Number of times that anything is sent or read whose CRC is wrong.
inline constexpr int kTries = 3;

// Starts the bus, at the speed for a card that has not started yet.
void start();
void speed_up();

void select();
void deselect();

std::uint8_t exchange(std::uint8_t byte);
std::uint32_t read_word();

// Sends a command, and returns the card's first answer, or kNoAnswer.
std::uint8_t send(Command command, std::uint32_t argument);
std::uint8_t send(ApplicationCommand command, std::uint32_t argument);

// Waits until the card is no longer at work. False: it takes too long.
bool wait_until_ready();

// Sends a block, and returns the card's answer, which comes before it is at work.
std::uint8_t send_block(std::uint8_t token, const std::uint8_t* data, std::uint32_t bytes);

// Skips bytes of 0xFF. Returns the first other one, or 0xFF if none comes.
std::uint8_t wait_for_block();

// Adds a byte to a CRC-16 of polynomial 0x1021, begun at 0, as blocks end with.
std::uint16_t add_to_crc(std::uint16_t crc, std::uint8_t byte);

enum class Received : std::uint8_t { kBlock, kWrongCrc, kNothing };

// Has `take` take each byte of the block that the card sends.
template <typename Take>
Received receive_block(std::uint32_t bytes, Take take) {
  if (wait_for_block() != kBlockFollows) return Received::kNothing;
  std::uint16_t crc = 0;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const std::uint8_t byte = exchange(0xFF);
    crc = add_to_crc(crc, byte);
    take(i, byte);
  }
  const std::uint32_t high = exchange(0xFF);
  return (high << 8 | exchange(0xFF)) == crc ? Received::kBlock : Received::kWrongCrc;
}

}  // namespace sd_bus
