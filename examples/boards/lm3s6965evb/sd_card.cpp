#include "sd_card.h"

#include "device_register.h"

namespace sd_card {
namespace {

constexpr std::uint32_t kPortA = 0x40004000;
constexpr std::uint32_t kPortD = 0x40007000;
constexpr std::uint32_t kBus = 0x40008000;  // SSI0

// Commands of the SD Physical Layer Specification; those after kApplication are of their own table.
enum class Command : std::uint8_t {
  kReset = 0,
  kInterface = 8,
  kCardData = 9,
  kIdentification = 10,
  kStatus = 13,
  kBlockLength = 16,
  kReadBlock = 17,
  kWriteBlock = 24,
  kStart = 41,
  kApplication = 55,
  kOperatingConditions = 58,
};

constexpr std::uint8_t kDataFollows = 0xFE;
constexpr int kResets = 4;
// Number of times that a card is asked before it is given up; each takes half a microsecond or more.
constexpr int kAnswerPolls = 64;
constexpr int kDataPolls = 300'000;    // a block comes within 100 ms
constexpr int kBusyPolls = 4'000'000;  // a card may be at its own work for more than a second
// A card may take a second to start, and is asked by two commands, 18 bytes or more at 390 kHz.
constexpr int kStartPolls = 3'000;

constexpr int kWrites = 3;  // tries for a block that turns out to be lost

bool takes_blocks = false;  // else addresses are in bytes
bool tells_status = false;
bool protects = false;
bool verifies = false;
Problem last_problem = Problem::kNone;

void select(bool selected) { device_register(kPortD + (1 << 2)) = selected ? 0 : 1; }

std::uint8_t exchange(std::uint8_t byte) {
  device_register(kBus + 0x008) = byte;
  while ((device_register(kBus + 0x00C) & 4) == 0) {
  }
  return static_cast<std::uint8_t>(device_register(kBus + 0x008));
}

// Dividers of the clock of 50 MHz: 390 kHz until a card has started, then all it can.
constexpr std::uint32_t kSlow = 128;
constexpr std::uint32_t kFast = 2;

void set_speed(std::uint32_t divider) {
  device_register(kBus + 0x004) = 0;  // off while it is set up
  device_register(kBus + 0x010) = divider;
  device_register(kBus + 0x000) = 7;  // 8 bits, SPI mode 0
  device_register(kBus + 0x004) = 2;
}

void start_bus() {
  device_register(kSystemControl + 0x104) |= 1U << 4;       // clock of SSI0
  device_register(kSystemControl + 0x108) |= 1U << 3 | 1U;  // clocks of the ports A and D
  device_register(kPortD + 0x400) |= 1;                     // D0 is an output
  device_register(kPortD + 0x51C) |= 1;                     // digital
  constexpr std::uint32_t kBusPins = 1U << 2 | 1U << 4 | 1U << 5;
  device_register(kPortA + 0x420) |= kBusPins;  // are the bus's
  device_register(kPortA + 0x51C) |= kBusPins;
  select(false);
  set_speed(kSlow);
}

std::uint32_t answer_word() {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | exchange(0xFF);
  return word;
}

constexpr std::uint8_t kNoAnswer = 0xFF;

// The card's first answer, or kNoAnswer. Only the first two commands need their CRC.
std::uint8_t send(Command command, std::uint32_t argument, std::uint8_t crc = 1) {
  exchange(0xFF);
  exchange(static_cast<std::uint8_t>(0x40 | static_cast<std::uint8_t>(command)));
  for (int shift = 24; shift >= 0; shift -= 8) exchange(static_cast<std::uint8_t>(argument >> shift));
  exchange(crc);
  std::uint8_t answer = kNoAnswer;
  for (int i = 0; i < kAnswerPolls && (answer & 0x80) != 0; ++i) answer = exchange(0xFF);
  return answer;
}

std::uint8_t wait_for_other_than(std::uint8_t byte, int polls) {
  std::uint8_t answer = byte;
  for (int i = 0; i < polls && answer == byte; ++i) answer = exchange(0xFF);
  return answer;
}

void deselect() {
  select(false);
  exchange(0xFF);
}

bool failed(Problem problem) {
  deselect();
  last_problem = problem;
  return false;
}

std::uint32_t address_of(std::uint32_t block) { return takes_blocks ? block : block * kBlockBytes; }

// CRC-16 of polynomial 0x1021, begun at 0, as data blocks end with.
std::uint16_t add_to_crc(std::uint16_t crc, std::uint8_t byte) {
  std::uint32_t sum = (crc >> 8 | crc << 8) ^ byte;
  sum ^= (sum & 0xFF) >> 4;
  sum ^= sum << 12;
  sum ^= (sum & 0xFF) << 5;
  return static_cast<std::uint16_t>(sum);
}

// Has `take` take each byte of the data that the card sends.
template <typename Take>
bool receive(std::uint32_t bytes, Take take) {
  if (wait_for_other_than(0xFF, kDataPolls) != kDataFollows) return false;
  std::uint16_t crc = 0;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const std::uint8_t byte = exchange(0xFF);
    crc = add_to_crc(crc, byte);
    take(i, byte);
  }
  const std::uint32_t high = exchange(0xFF);
  return (high << 8 | exchange(0xFF)) == crc;
}

// Whether the last command went well to its end. A card that was pulled out meanwhile does not answer, or has
// not been started: then it does not take a command that changes nothing otherwise.
bool is_well() {
  if (!tells_status) return send(Command::kBlockLength, kBlockBytes) == 0;
  return send(Command::kStatus, 0) == 0 && exchange(0xFF) == 0;
}

// Each card has to tell its status, but QEMU's from 9.1 to 10.0 takes the question for an illegal command.
bool asks_status() {
  constexpr std::uint8_t kIllegal = 4;
  const bool told = send(Command::kStatus, 0) != kIllegal;
  exchange(0xFF);
  return told;
}

template <typename Take>
bool read_block(std::uint32_t block, Take take) {
  select(true);
  const bool good =
      send(Command::kReadBlock, address_of(block)) == 0 && receive(kBlockBytes, take) && is_well();
  if (!good) return failed(Problem::kRefused);
  deselect();
  return true;
}

bool write_block(std::uint32_t block, const std::uint8_t* data) {
  select(true);
  if (send(Command::kWriteBlock, address_of(block)) != 0) return failed(Problem::kRefused);
  exchange(0xFF);
  exchange(kDataFollows);
  for (std::uint32_t i = 0; i < kBlockBytes; ++i) exchange(data[i]);
  exchange(0xFF);  // CRC
  exchange(0xFF);
  const std::uint8_t answer = wait_for_other_than(0xFF, kAnswerPolls);
  const bool ready = wait_for_other_than(0, kBusyPolls) != 0;
  if (!ready || (answer & 0x1F) != 5 || !is_well()) return failed(Problem::kRefused);
  deselect();
  return true;
}

constexpr std::uint32_t kRegisterBytes = 16;

// False: the card does not tell it. Each card has to, but the same QEMU takes this for illegal too, and says
// so again in its answer to the next command, as cards do outside of SPI mode: is_well() is that next one.
bool read_register(Command command, std::uint8_t* data) {
  const bool told = send(command, 0) == 0 &&
                    receive(kRegisterBytes, [data](std::uint32_t i, std::uint8_t byte) { data[i] = byte; });
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

}  // namespace

bool start() {
  start_bus();
  for (int i = 0; i < 10; ++i) exchange(0xFF);  // the card wakes up
  select(true);
  std::uint8_t idle = 0;  // a card that is not new to it may have to hear it again
  for (int i = 0; i < kResets && idle != 1; ++i) idle = send(Command::kReset, 0, 0x95);
  if (idle != 1) return failed(Problem::kAbsent);
  send(Command::kInterface, 0x1AA, 0x87);
  answer_word();
  std::uint8_t busy = 1;
  for (int i = 0; i < kStartPolls && busy != 0 && busy != kNoAnswer; ++i) {
    send(Command::kApplication, 0);
    busy = send(Command::kStart, 0x40000000);
  }
  if (busy != 0) return failed(Problem::kRefused);
  set_speed(kFast);
  send(Command::kOperatingConditions, 0);
  takes_blocks = (answer_word() & 0x40000000) != 0;
  if (!takes_blocks) send(Command::kBlockLength, kBlockBytes);
  tells_status = asks_status();
  protects = reads_as_protected();
  deselect();
  last_problem = Problem::kNone;
  return true;
}

bool is_protected() { return protects; }

bool identify(std::uint8_t* number) {
  select(true);
  const bool told = read_register(Command::kIdentification, number);
  deselect();
  return told;
}

void verify_writes() { verifies = true; }

Problem problem() { return last_problem; }

bool read(std::uint32_t block, std::uint8_t* data) {
  return read_block(block, [data](std::uint32_t i, std::uint8_t byte) { data[i] = byte; });
}

bool write(std::uint32_t block, const std::uint8_t* data) {
  for (int i = 0; i < kWrites; ++i) {
    if (!write_block(block, data)) return false;
    if (!verifies) return true;
    bool same = true;
    const auto compare = [&](std::uint32_t at, std::uint8_t byte) { same = same && byte == data[at]; };
    if (!read_block(block, compare)) return false;
    if (same) return true;
  }
  return failed(Problem::kLostWrite);
}

}  // namespace sd_card
