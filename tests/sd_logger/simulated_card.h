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

  // Whether it waits for the next block of a write, and what else it has got than that or the end.
  bool is_in_write() const { return mode_ == Mode::kWritesSeveral; }
  unsigned interruptions = 0;

  bool takes_blocks = true;       // else addresses are in bytes
  bool takes_several = true;      // else commands for more than one block are illegal
  bool erases_ahead = true;       // else it does not want to know how many blocks come
  bool tells_registers = true;    // the card-specific data and its number, when it is asked for them
  bool tells_status = true;       // else the question is an illegal command
  bool checks_crc = true;         // when it is asked to; else that is an illegal command
  bool resets_in_write = false;   // starts again after a block that it has taken
  bool breaks_data_crc = false;   // of the former
  bool repeats_refusals = false;  // in its answer to the next command
  bool stops = false;             // to answer, after its first command
  bool starts = true;

  // Faults to come, each in the next one of its kind.
  unsigned broken_commands = 0;  // arrive with a wrong bit
  unsigned broken_blocks = 0;    // that it is sent, after
  unsigned breaks_after = 0;     // as many whole ones
  unsigned broken_reads = 0;     // blocks that it sends
  unsigned refused_blocks = 0;   // it cannot write
  unsigned slips = 0;            // blocks that it has accepted and cannot write when one is broken

  // Blocks that it has accepted in a write that ends with this number, counted down to 0, are lost.
  unsigned loses_in_write = 0;
  // The power fails there, after some of these blocks. power_on() brings it back.
  unsigned cuts_in_write = 0;
  unsigned written_at_cut = 0;
  bool is_cut() const { return is_cut_; }
  void power_on();

  std::array<std::uint8_t, 16> identification = {};
  std::uint32_t general_argument = 0;  // of the maker's own question, which it answers by
  Block general = {};
  unsigned bytes = 0;  // that were exchanged with it
  std::map<std::uint32_t, Block> blocks;
  unsigned writes = 0;                   // commands to write
  std::vector<unsigned> commands;        // those of its application table from 100 on
  std::vector<std::uint32_t> announced;  // numbers of blocks to erase ahead

 private:
  enum class Mode : std::uint8_t { kCommands, kWritesOne, kWritesSeveral, kReadsSeveral };

  void take_command();
  void answer(unsigned command, std::uint32_t argument);
  void answer_application(unsigned command, std::uint32_t argument);
  void say(std::initializer_list<std::uint8_t> bytes);
  void send_data(const std::uint8_t* data, std::size_t bytes, bool breaks_crc);
  void send_block(std::uint32_t block);
  void begin_write(Mode mode, std::uint32_t argument);
  bool takes_data(std::uint8_t byte);
  void take_block();
  void stop();
  void end_write();
  std::uint8_t state() const;
  std::uint32_t block_of(std::uint32_t argument) const { return takes_blocks ? argument : argument / 512; }

  std::array<std::uint8_t, 16> data_ = {};
  bool is_cut_ = false;
  bool selected_ = false;
  bool is_application_ = false;
  bool has_refused_ = false;           // the last command
  bool has_crc_ = false;               // it checks what it is sent
  std::uint8_t status_ = 0;            // second byte of it, until it is asked
  unsigned start_requests_ = 0;        // how often it received the command to start
  std::vector<std::uint8_t> command_;  // as far as it has come
  std::deque<std::uint8_t> out_;
  Mode mode_ = Mode::kCommands;
  bool sends_broken_ = false;
  std::uint32_t place_ = 0;                  // of the block
  std::vector<std::uint8_t> received_;       // from its token on
  std::map<std::uint32_t, Block> accepted_;  // not written before its write ends
  std::uint32_t written_ = 0;                // blocks, by the last command
};
