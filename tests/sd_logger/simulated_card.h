// An SD card in SPI mode, byte by byte, as the SD Physical Layer Specification has it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

class SimulatedCard {
 public:
  using Block = std::array<std::uint8_t, 512>;

  // Bit `bit` of the card-specific data, as the specification counts them: 127 is sent first.
  void set_data_bit(unsigned bit);

  // Moves a byte in each direction, as the slot does.
  std::uint8_t exchange(std::uint8_t byte);
  void select(bool selected) { selected_ = selected; }

  bool takes_blocks = true;       // else addresses are in bytes
  bool tells_registers = true;    // the card-specific data and its number, when it is asked for them
  bool tells_status = true;       // else the question is an illegal command
  bool resets_in_write = false;   // starts again after a block that it has taken
  bool breaks_data_crc = false;   // of the former
  bool repeats_refusals = false;  // in its answer to the next command
  bool stops = false;             // to answer, after its first command
  bool starts = true;
  std::array<std::uint8_t, 16> identification = {};
  unsigned bytes = 0;  // that were exchanged with it
  std::map<std::uint32_t, Block> blocks;
  unsigned writes = 0;  // commands to write

 private:
  void answer(std::uint8_t command, std::uint32_t argument);
  void send_data(const std::uint8_t* data, std::size_t bytes, bool breaks_crc);
  void take_data(std::uint8_t byte);
  std::uint32_t block_of(std::uint32_t argument) const { return takes_blocks ? argument : argument / 512; }

  std::array<std::uint8_t, 16> data_ = {};
  bool selected_ = false;
  bool is_application_ = false;
  bool has_refused_ = false;           // the last command
  unsigned start_requests_ = 0;        // how often it received the command to start
  std::vector<std::uint8_t> command_;  // as far as it has come
  std::deque<std::uint8_t> out_;
  bool receives_ = false;    // a block, from its token on
  std::uint32_t place_ = 0;  // of that block
  std::vector<std::uint8_t> received_;
};
