// The host's standard output, for programs without printf.
#pragma once

#include <cstdint>
#include <string_view>

namespace microparquet::semihosting {

// Console, which opens at its first print, and stays open. Text that cannot be printed is dropped. One
// thread.
class Console {
 public:
  // Prints text.
  Console& print(std::string_view text);
  // Prints a number in decimal digits.
  Console& print(std::uint64_t number);
  // Prints a number with a comma between each three digits.
  Console& print_grouped(std::uint64_t number);

 private:
  std::int32_t handle_plus_one_ = 0;  // 0: not open yet, so that a static Console lies in .bss
};

}  // namespace microparquet::semihosting
