// Lines of text on the board's serial port: UART0, 115,200 baud, 8 bits, no parity.
#pragma once

#include <cstdint>
#include <string_view>

class SerialConsole {
 public:
  // Requires: system_clock::start().
  void start();

  // Waits until the port has taken the text.
  SerialConsole& print(std::string_view text);
  // Prints a number in decimal digits.
  SerialConsole& print(std::uint64_t number);
};
