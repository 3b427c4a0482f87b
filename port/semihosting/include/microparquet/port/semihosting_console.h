// The host's standard output, for programs without printf.
#pragma once

#include <cstdint>
#include <string_view>

namespace microparquet::semihosting {

// Opens the console at its first print, and keeps it. What cannot be printed is dropped. One thread.
class Console {
 public:
  // As it is.
  Console& print(std::string_view text);
  // In decimal digits.
  Console& print(std::uint64_t number);
  // With a comma between each three of them.
  Console& print_grouped(std::uint64_t number);

 private:
  std::int32_t handle_plus_one_ = 0;  // 0: not open yet, so that a static Console lies in .bss
};

}  // namespace microparquet::semihosting
