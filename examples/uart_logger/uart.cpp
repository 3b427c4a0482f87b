#include "uart.h"

#include <cstdint>

namespace {

// Cortex-M System Design Kit, APB UART: data, state, control, interrupts, baud rate divider.
constexpr std::uint32_t kUart = 0x40004000;
constexpr std::uint32_t kSendBufferFull = 1;
constexpr std::uint32_t kSends = 1;
constexpr std::uint32_t kDivisor = 25'000'000 / 115'200;

volatile std::uint32_t& uart_register(std::uint32_t offset) {
  return *reinterpret_cast<volatile std::uint32_t*>(kUart + offset);
}

void wait_until_free() {
  while ((uart_register(0x004) & kSendBufferFull) != 0) {
  }
}

}  // namespace

void Uart::start() {
  uart_register(0x010) = kDivisor;
  uart_register(0x008) = kSends;
}

std::size_t Uart::write(microparquet::Span<const std::byte> data) {
  for (const std::byte byte : data) {
    wait_until_free();
    uart_register(0x000) = std::to_integer<std::uint32_t>(byte);
  }
  return data.size();
}

bool Uart::flush() {
  wait_until_free();
  return true;
}
