#include "sd_card.h"

#include "sd_bus.h"

namespace sd_card {
namespace {

using sd_bus::ApplicationCommand;
using sd_bus::Command;
using sd_bus::Received;

constexpr int kResets = 4;
// A card may take a second to start, and is asked by two commands, 18 bytes or more at 390 kHz.
constexpr int kStartPolls = 3'000;
constexpr int kWrites = 3;  // tries for a block that turns out to be lost
constexpr std::uint32_t kMaxIdleMs = 1'000;

// What the card can do.
bool takes_blocks = false;  // else addresses are in bytes
bool tells_status = false;
bool protects = false;
bool reads_several = false;
bool writes_several = false;
bool erases_ahead = false;

bool verifies = false;
std::uint32_t (*clock_ms)() = nullptr;  // null: no write is held
Problem last_problem = Problem::kNone;

// A write of several blocks that has not ended yet.
struct OpenWrite {
  bool is_open;
  std::uint32_t first;  // block
  std::uint32_t next;
  std::uint32_t ms;  // time of the last block
};
OpenWrite open_write = {};
bool lost = false;

bool failed(Problem problem) {
  sd_bus::deselect();
  last_problem = problem;
  return false;
}

std::uint32_t address_of(std::uint32_t block) { return takes_blocks ? block : block * kBlockBytes; }

// Returns whether the last command went well to its end. A card that was pulled out meanwhile does not answer,
// or has not been started: then it does not take a command that changes nothing otherwise. `ignored`: bits of
// its status.
bool is_well(std::uint8_t ignored = 0) {
  if (!tells_status) return sd_bus::send(Command::kBlockLength, kBlockBytes) == sd_bus::kReady;
  return sd_bus::send(Command::kStatus, 0) == sd_bus::kReady && (sd_bus::exchange(0xFF) & ~ignored) == 0;
}

// Each card has to tell its status, but QEMU's from 9.1 to 10.0 takes the question for an illegal command.
bool asks_status() {
  const bool told = sd_bus::send(Command::kStatus, 0) != sd_bus::kIllegal;
  sd_bus::exchange(0xFF);
  return told;
}

// Returns whether the card knows a command, by its answer to it. The same QEMU says that it does not again in
// its answer to the next command, as cards do outside of SPI mode: is_well() is that next one.
bool knows(std::uint8_t answer) {
  const bool known = answer == sd_bus::kNoAnswer || (answer & sd_bus::kIllegal) == 0;
  if (!known) is_well();
  return known;
}

// Reads blocks up to the last one, or to one that cannot be read, and then counts them in `done`.
template <typename Take>
Received receive_blocks(std::uint32_t& done, std::uint32_t end, Take take) {
  Received received = Received::kBlock;
  while (done != end && received == Received::kBlock) {
    const std::uint32_t begin = done * kBlockBytes;
    const auto take_at = [&](std::uint32_t i, std::uint8_t byte) { take(begin + i, byte); };
    received = sd_bus::receive_block(kBlockBytes, take_at);
    if (received == Received::kBlock) ++done;
  }
  return received;
}

// Has `take` take each byte of the blocks.
template <typename Take>
bool read_blocks(std::uint32_t first, std::uint32_t blocks, Take take) {
  constexpr std::uint8_t kPastTheEnd = 0x80;  // a card may say so at its last block, which it has read
  sd_bus::select();
  std::uint32_t done = 0;
  for (int tries = 0; done != blocks;) {
    const bool several = reads_several && blocks - done > 1;
    const std::uint8_t answer =
        sd_bus::send(several ? Command::kReadBlocks : Command::kReadBlock, address_of(first + done));
    if (several && !knows(answer)) {
      reads_several = false;
      continue;
    }
    if (answer != sd_bus::kReady) return failed(Problem::kRefused);
    const Received received = receive_blocks(done, several ? blocks : done + 1, take);
    if (several) {
      sd_bus::send(Command::kStop, 0);
      if (!sd_bus::wait_until_ready()) return failed(Problem::kRefused);
    }
    if (received == Received::kWrongCrc) ++tries;
    const bool good = received != Received::kNothing && tries != sd_bus::kTries;
    if (!is_well(several ? kPastTheEnd : 0) || !good) return failed(Problem::kRefused);
  }
  sd_bus::deselect();
  return true;
}

bool write_block(std::uint32_t block, const std::uint8_t* data) {
  std::uint8_t answer = sd_bus::kWrongCrc;
  for (int tries = 0; answer == sd_bus::kWrongCrc && tries != sd_bus::kTries; ++tries) {
    if (sd_bus::send(Command::kWriteBlock, address_of(block)) != sd_bus::kReady) return false;
    answer = sd_bus::send_block(sd_bus::kBlockFollows, data, kBlockBytes);
    const bool ready = sd_bus::wait_until_ready();
    if (!is_well() && answer == sd_bus::kAccepted) return false;
    if (!ready) return false;
  }
  return answer == sd_bus::kAccepted;
}

// Begins a write of several blocks. It will have `blocks` or more: fewer than announced might leave others erased. False: the card does not; where it cannot, writes_several is false from then on.
bool begin_write(std::uint32_t first, std::uint32_t blocks) {
  if (erases_ahead && blocks > 1) erases_ahead = knows(sd_bus::send(ApplicationCommand::kEraseAhead, blocks));
  const std::uint8_t answer = sd_bus::send(Command::kWriteBlocks, address_of(first));
  writes_several = knows(answer);
  open_write = {answer == sd_bus::kReady, first, first, 0};
  return open_write.is_open;
}

// False: the card has not written all blocks that it has accepted.
bool end_write() {
  if (!open_write.is_open) return true;
  open_write.is_open = false;
  const bool taken = sd_bus::wait_until_ready();
  sd_bus::exchange(sd_bus::kNoMoreBlocks);
  sd_bus::exchange(0xFF);
  return sd_bus::wait_until_ready() && is_well() && taken;
}

// Ends a write whose last block was not accepted; `next` is then the first block that the card has not written.
// False: it does not tell.
bool break_write(std::uint32_t& next) {
  constexpr std::uint32_t kCountBytes = 4;
  open_write.is_open = false;
  sd_bus::send(Command::kStop, 0);
  if (!sd_bus::wait_until_ready() || !is_well()) return false;
  if (sd_bus::send(ApplicationCommand::kCountWritten, 0) != sd_bus::kReady) return false;
  std::uint32_t count = 0;
  const auto add = [&](std::uint32_t, std::uint8_t byte) { count = count << 8 | byte; };
  if (sd_bus::receive_block(kCountBytes, add) != Received::kBlock) return false;
  if (count < open_write.next - open_write.first) open_write.next = open_write.first + count;
  next = open_write.next;
  return true;
}

// Writes blocks by one command, or continues the one before, which stays open. A block whose CRC was wrong ends the
// command, and the next one begins with what the card has not written: unless that is a block of an earlier call.
bool write_several(std::uint32_t first, const std::uint8_t* data, std::uint32_t blocks) {
  std::uint32_t next = first;
  for (int tries = 0; next != first + blocks;) {
    const bool continues = open_write.is_open && open_write.next == next;
    if (!continues && !(end_write() && begin_write(next, first + blocks - next))) return false;
    if (!sd_bus::wait_until_ready()) return false;
    const std::uint8_t* const block = data + (next - first) * kBlockBytes;
    const std::uint8_t answer = sd_bus::send_block(sd_bus::kNextBlockFollows, block, kBlockBytes);
    if (answer == sd_bus::kAccepted) {
      open_write.next = ++next;
    } else {
      const bool told = break_write(next);
      if (!told || next < first || answer != sd_bus::kWrongCrc || ++tries == sd_bus::kTries) return false;
    }
  }
  return true;
}

// A block that fails makes its own call fail. A write that was held when the call began has others with it.
bool write_blocks(std::uint32_t first, const std::uint8_t* data, std::uint32_t blocks) {
  const bool holds = clock_ms != nullptr && !verifies;
  const bool has_others = open_write.is_open;
  bool good = true;
  sd_bus::select();
  if (writes_several && (blocks > 1 || holds)) {
    good = write_several(first, data, blocks);
    if (good && holds) {
      open_write.ms = clock_ms();
      return true;
    }
    good = good && end_write();
    open_write.is_open = false;
    if (!good && has_others) lost = true;
    if (good || writes_several) blocks = 0;
  }
  for (; blocks != 0; --blocks, ++first, data += kBlockBytes) {
    good = write_block(first, data);
    if (!good) break;
  }
  if (!good) return failed(Problem::kRefused);
  sd_bus::deselect();
  return true;
}

constexpr std::uint32_t kRegisterBytes = 16;

// False: the card does not tell it. Each card has to, but see asks_status().
bool read_register(Command command, std::uint8_t* data) {
  const auto take = [data](std::uint32_t i, std::uint8_t byte) { data[i] = byte; };
  const bool told = sd_bus::send(command, 0) == sd_bus::kReady &&
                    sd_bus::receive_block(kRegisterBytes, take) == Received::kBlock;
  if (!told) is_well();
  return told;
}

// A card that does not tell is not protected.
bool reads_as_protected() {
  constexpr std::uint32_t kProtection = 14;
  constexpr std::uint8_t kForEver = 1U << 5;
  constexpr std::uint8_t kForNow = 1U << 4;
  std::uint8_t data[kRegisterBytes];
  return read_register(Command::kCardData, data) && (data[kProtection] & (kForEver | kForNow)) != 0;
}

// Resets the card and waits until it has started.
Problem wake_up() {
  for (int i = 0; i < 10; ++i) sd_bus::exchange(0xFF);
  sd_bus::select();
  std::uint8_t idle = 0;  // a card that is not new to it may have to hear it again
  for (int i = 0; i < kResets && idle != sd_bus::kIdle; ++i) idle = sd_bus::send(Command::kReset, 0);
  if (idle != sd_bus::kIdle) return Problem::kAbsent;
  sd_bus::send(Command::kInterface, 0x1AA);
  sd_bus::read_word();
  std::uint8_t busy = sd_bus::kIdle;
  for (int i = 0; i < kStartPolls && busy != sd_bus::kReady && busy != sd_bus::kNoAnswer; ++i) {
    busy = sd_bus::send(ApplicationCommand::kStart, 0x40000000);
  }
  return busy == sd_bus::kReady ? Problem::kNone : Problem::kRefused;
}

}  // namespace

// A write that is held here is of files that nobody can sync any more: FatFs knows no file of an earlier mount.
bool start() {
  end_write();
  sd_bus::start();
  if (const Problem problem = wake_up(); problem != Problem::kNone) return failed(problem);
  sd_bus::speed_up();
  sd_bus::send(Command::kOperatingConditions, 0);
  takes_blocks = (sd_bus::read_word() & 0x40000000) != 0;
  if (!takes_blocks) sd_bus::send(Command::kBlockLength, kBlockBytes);
  tells_status = asks_status();
  knows(sd_bus::send(Command::kCheckCrc, 1));  // a card that does not goes without
  protects = reads_as_protected();
  sd_bus::deselect();
  reads_several = writes_several = erases_ahead = true;
  lost = false;
  last_problem = Problem::kNone;
  return true;
}

bool is_protected() { return protects; }

bool identify(std::uint8_t* number) {
  if (!finish()) return false;
  sd_bus::select();
  const bool told = read_register(Command::kIdentification, number);
  sd_bus::deselect();
  return told;
}

std::uint32_t sectors() {
  std::uint8_t data[kRegisterBytes];
  if (!finish()) return 0;
  sd_bus::select();
  const bool told = read_register(Command::kCardData, data);
  sd_bus::deselect();
  if (!told) return 0;
  constexpr std::uint32_t kKibiblocks = 1024;
  if (data[0] >> 6 == 1)
    return ((data[7] & 0x3FU) << 16 | data[8] << 8 | data[9]) * kKibiblocks + kKibiblocks;
  const std::uint32_t size = (data[6] & 3U) << 10 | data[7] << 2 | data[8] >> 6;
  const std::uint32_t shift = ((data[9] & 3U) << 1 | data[10] >> 7) + 2;
  return (size + 1) << (shift + (data[5] & 15U)) >> 9;
}

bool ask(std::uint32_t argument, std::uint8_t* data) {
  if (!finish()) return false;
  sd_bus::select();
  const auto take = [data](std::uint32_t i, std::uint8_t byte) { data[i] = byte; };
  const std::uint8_t answer = sd_bus::send(Command::kGeneral, argument);
  const bool told = knows(answer) && answer == sd_bus::kReady &&
                    sd_bus::receive_block(kBlockBytes, take) == Received::kBlock;
  sd_bus::deselect();
  return told;
}

void verify_writes() {
  static_cast<void>(finish());
  verifies = true;
}

void hold_writes(std::uint32_t (*now_ms)()) {
  static_cast<void>(finish());
  clock_ms = now_ms;
}

void rest() {
  if (open_write.is_open && clock_ms() - open_write.ms >= kMaxIdleMs) static_cast<void>(finish());
}

bool finish() {
  if (open_write.is_open) {
    lost = !end_write();
    sd_bus::deselect();
  }
  if (lost) last_problem = Problem::kRefused;
  return !lost;
}

bool is_lost() { return lost; }

Problem problem() { return last_problem; }

bool read(std::uint32_t first, std::uint8_t* data, std::uint32_t blocks) {
  return finish() &&
         read_blocks(first, blocks, [data](std::uint32_t i, std::uint8_t byte) { data[i] = byte; });
}

bool write(std::uint32_t first, const std::uint8_t* data, std::uint32_t blocks) {
  rest();
  const bool continues = open_write.is_open && open_write.next == first;
  if (!continues && !finish()) return false;
  for (int i = 0; i < kWrites; ++i) {
    if (!write_blocks(first, data, blocks)) return false;
    if (!verifies) return true;
    bool same = true;
    const auto compare = [&](std::uint32_t at, std::uint8_t byte) { same = same && byte == data[at]; };
    if (!read_blocks(first, blocks, compare)) return false;
    if (same) return true;
  }
  return failed(Problem::kLostWrite);
}

}  // namespace sd_card
