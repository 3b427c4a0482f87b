#include "sd_bus.h"

#include "device_register.h"

namespace sd_bus {
namespace {

constexpr std::uint32_t kPortA = 0x40004000;
constexpr std::uint32_t kPortD = 0x40007000;
constexpr std::uint32_t kBus = 0x40008000;  // SSI0

// Number of times that a card is asked before it is given up; each takes half a microsecond or more.
constexpr int kAnswerPolls = 64;
constexpr int kBlockPolls = 300'000;   // a block comes within 100 ms
constexpr int kBusyPolls = 4'000'000;  // a card may be at its own work for more than a second

// Dividers of the clock of 50 MHz: 390 kHz until a card has started, then all it can.
constexpr std::uint32_t kSlow = 128;
constexpr std::uint32_t kFast = 2;

void set_speed(std::uint32_t divider) {
  device_register(kBus + 0x004) = 0;  // off while it is set up
  device_register(kBus + 0x010) = divider;
  device_register(kBus + 0x000) = 7;  // 8 bits, SPI mode 0
  device_register(kBus + 0x004) = 2;
}

std::uint8_t skip(std::uint8_t byte, int polls) {
  std::uint8_t answer = byte;
  for (int i = 0; i < polls && answer == byte; ++i) answer = exchange(0xFF);
  return answer;
}

// Sends a byte of a command and returns its CRC-7 of polynomial 0x09, begun at 0, in the upper seven bits.
std::uint8_t send_and_add(std::uint8_t crc, std::uint8_t byte) {
  exchange(byte);
  std::uint32_t sum = crc ^ byte;
  for (int bit = 0; bit < 8; ++bit) sum = sum << 1 ^ ((sum & 0x80) != 0 ? 0x112 : 0);
  return static_cast<std::uint8_t>(sum);
}

std::uint8_t send_once(std::uint8_t command, std::uint32_t argument) {
  exchange(0xFF);
  std::uint8_t crc = send_and_add(0, static_cast<std::uint8_t>(0x40 | command));
  for (int shift = 24; shift >= 0; shift -= 8) {
    crc = send_and_add(crc, static_cast<std::uint8_t>(argument >> shift));
  }
  exchange(crc | 1);
  // A card that was sending data does not stop before this byte.
  if (command == static_cast<std::uint8_t>(Command::kStop)) exchange(0xFF);
  std::uint8_t answer = kNoAnswer;
  for (int i = 0; i < kAnswerPolls && (answer & 0x80) != 0; ++i) answer = exchange(0xFF);
  return answer;
}

bool has_wrong_crc(std::uint8_t answer) { return answer != kNoAnswer && (answer & 8) != 0; }

}  // namespace

void start() {
  device_register(kSystemControl + 0x104) |= 1U << 4;       // clock of SSI0
  device_register(kSystemControl + 0x108) |= 1U << 3 | 1U;  // clocks of the ports A and D
  device_register(kPortD + 0x400) |= 1;                     // D0 is an output
  device_register(kPortD + 0x51C) |= 1;                     // digital
  constexpr std::uint32_t kBusPins = 1U << 2 | 1U << 4 | 1U << 5;
  device_register(kPortA + 0x420) |= kBusPins;  // are the bus's
  device_register(kPortA + 0x51C) |= kBusPins;
  device_register(kPortD + (1 << 2)) = 1;
  set_speed(kSlow);
}

void speed_up() { set_speed(kFast); }

void select() { device_register(kPortD + (1 << 2)) = 0; }

void deselect() {
  device_register(kPortD + (1 << 2)) = 1;
  exchange(0xFF);
}

std::uint8_t exchange(std::uint8_t byte) {
  device_register(kBus + 0x008) = byte;
  while ((device_register(kBus + 0x00C) & 4) == 0) {
  }
  return static_cast<std::uint8_t>(device_register(kBus + 0x008));
}

std::uint32_t read_word() {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | exchange(0xFF);
  return word;
}

std::uint8_t send(Command command, std::uint32_t argument) {
  std::uint8_t answer = kNoAnswer;
  for (int i = 0; i < kTries; ++i) {
    answer = send_once(static_cast<std::uint8_t>(command), argument);
    if (!has_wrong_crc(answer)) break;
  }
  return answer;
}

std::uint8_t send(ApplicationCommand command, std::uint32_t argument) {
  std::uint8_t answer = kNoAnswer;
  for (int i = 0; i < kTries; ++i) {
    answer = send(Command::kApplication, 0);
    if (answer > kIdle) break;
    answer = send_once(static_cast<std::uint8_t>(command), argument);
    if (!has_wrong_crc(answer)) break;
  }
  return answer;
}

bool wait_until_ready() {
  for (int i = 0; i < kBusyPolls; ++i) {
    if (exchange(0xFF) == 0xFF) return true;
  }
  return false;
}

std::uint16_t add_to_crc(std::uint16_t crc, std::uint8_t byte) {
  std::uint32_t sum = (crc >> 8 | crc << 8) ^ byte;
  sum ^= (sum & 0xFF) >> 4;
  sum ^= sum << 12;
  sum ^= (sum & 0xFF) << 5;
  return static_cast<std::uint16_t>(sum);
}

std::uint8_t send_block(std::uint8_t token, const std::uint8_t* data, std::uint32_t bytes) {
  exchange(0xFF);
  exchange(token);
  std::uint16_t crc = 0;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    exchange(data[i]);
    crc = add_to_crc(crc, data[i]);
  }
  exchange(static_cast<std::uint8_t>(crc >> 8));
  exchange(static_cast<std::uint8_t>(crc));
  return skip(0xFF, kAnswerPolls) & 0x1F;
}

std::uint8_t wait_for_block() { return skip(0xFF, kBlockPolls); }

}  // namespace sd_bus
