#include "microparquet/port/semihosting_console.h"

#include "microparquet/port/semihosting.h"

namespace microparquet::semihosting {

Console& Console::print(std::string_view text) {
  if (handle_plus_one_ == 0) {
    handle_plus_one_ = open(":tt", OpenMode::kWriteConsole) + 1;
  }
  if (handle_plus_one_ != 0) {
    static_cast<void>(write(handle_plus_one_ - 1, text.data(), static_cast<std::uint32_t>(text.size())));
  }
  return *this;
}

Console& Console::print(std::uint64_t number) {
  char digits[20];
  char* const end = digits + sizeof digits;
  char* first = end;
  do {
    *--first = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return print(std::string_view(first, static_cast<std::size_t>(end - first)));
}

}  // namespace microparquet::semihosting
