// The serial port UART0 of Arm's MPS2 boards, polled.
#pragma once

#include "microparquet/port/uart_file.h"

class Uart final : public microparquet::ByteLine {
 public:
  void start();

  // Waits until the port has taken all of it.
  std::size_t write(microparquet::Span<const std::byte> data) override;
  bool flush() override;
};
