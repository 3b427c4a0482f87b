#include "microparquet/port/semihosting_console.h"

#include "microparquet/port/decimal.h"
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

Console& Console::print(std::uint64_t number) { return print(Decimal(number).text()); }

Console& Console::print_grouped(std::uint64_t number) { return print(Decimal(number, true).text()); }

}  // namespace microparquet::semihosting
