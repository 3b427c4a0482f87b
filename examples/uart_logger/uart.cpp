#include "uart.h"

#include <cstdint>

namespace {

// Cortex-M System Design Kit, APB UART: data, state, control, interrupts, baud rate divider.
constexpr std::uint32_t kUart = 0x40004000;
constexpr std::uint32_t kState = 0x004;
constexpr std::uint32_t kSendBufferFull = 1;
constexpr std::uint32_t kSends = 1;
constexpr std::uint32_t kDivisor = 25'000'000 / 115'200;
constexpr std::uint32_t kBitsPerByte = 10;  // eight bits, a start and a stop bit

volatile std::uint32_t& uart_register(std::uint32_t offset) {
  return *reinterpret_cast<volatile std::uint32_t*>(kUart + offset);
}

void wait_until_free() {
  while ((uart_register(kState) & kSendBufferFull) != 0) {
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

// The buffer is free as soon as its byte is on its way, and the port does not say when that has left. Each
// look takes a cycle of the port's clock or more.
bool Uart::flush() {
  wait_until_free();
  for (std::uint32_t cycle = 0; cycle < kBitsPerByte * kDivisor; ++cycle) wait_until_free();
  return true;
}
