#include "serial_console.h"

#include "device_register.h"
#include "system_clock.h"

namespace {

constexpr std::uint32_t kPortA = 0x40004000;
constexpr std::uint32_t kUart = 0x4000C000;

}  // namespace

void SerialConsole::start() {
  constexpr std::uint32_t kBaud = 115'200;
  constexpr std::uint32_t kPins = 1U << 0 | 1U << 1;                                  // received, sent
  constexpr std::uint32_t kDivisor = (system_clock::kHertz * 4 + kBaud / 2) / kBaud;  // unit: 1/64
  device_register(kSystemControl + 0x104) |= 1U << 0;                                 // clock of UART0
  device_register(kSystemControl + 0x108) |= 1U << 0;                                 // clock of port A
  device_register(kPortA + 0x420) |= kPins;                                           // theirs is the UART
  device_register(kPortA + 0x51C) |= kPins;                                           // digital
  device_register(kUart + 0x030) = 0;  // off while it is set up
  device_register(kUart + 0x024) = kDivisor >> 6;
  device_register(kUart + 0x028) = kDivisor & 0x3F;
  device_register(kUart + 0x02C) = 3U << 5 | 1U << 4;  // 8 bits, with its FIFO
  device_register(kUart + 0x030) = 1U << 8 | 1U;       // sends
}

SerialConsole& SerialConsole::print(std::string_view text) {
  constexpr std::uint32_t kFull = 1U << 5;
  for (const char c : text) {
    while ((device_register(kUart + 0x018) & kFull) != 0) {
    }
    device_register(kUart) = static_cast<std::uint8_t>(c);
  }
  return *this;
}

SerialConsole& SerialConsole::print(std::uint64_t number) {
  char digits[20];
  char* const end = digits + sizeof digits;
  char* first = end;
  do {
    *--first = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return print(std::string_view(first, static_cast<std::size_t>(end - first)));
}
