// The words that a debugger or emulator starts the program with: what a product would have built in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/port/semihosting.h"

// One word after the other; the program's own name is left out.
class CommandLine {
 public:
  CommandLine() : rest_(microparquet::semihosting::command_line(microparquet::Span<char>(text_))) { word(); }

  // Empty after the last one.
  std::string_view word() {
    std::size_t end = 0;
    while (end < rest_.size() && rest_[end] != ' ') ++end;
    const std::string_view word(rest_.data(), end);
    rest_.remove_prefix(end < rest_.size() ? end + 1 : end);
    return word;
  }

  std::uint32_t number() {
    std::uint32_t value = 0;
    for (const char digit : word()) value = value * 10 + static_cast<std::uint32_t>(digit - '0');
    return value;
  }

 private:
  char text_[100];
  std::string_view rest_;
};
