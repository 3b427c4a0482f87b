// Numbers as text, for programs without a library for that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace microparquet::semihosting {

// Decimal digits of a number, such as "1234567", or grouped for people, "1,234,567".
class Decimal {
 public:
  // Converts a number; `grouped`: with a comma between each three digits.
  explicit Decimal(std::uint64_t number, bool grouped = false) {
    constexpr unsigned kGroup = 3;
    for (unsigned digits = 0; digits == 0 || number != 0; ++digits) {
      if (grouped && digits != 0 && digits % kGroup == 0) text_[--first_] = ',';
      text_[--first_] = static_cast<char>('0' + number % 10);
      number /= 10;
    }
  }

  // Returns the digits. Valid as long as this object.
  std::string_view text() const { return {text_ + first_, kMax - first_}; }

 private:
  static constexpr std::size_t kMax = 26;  // 20 digits and 6 separators

  char text_[kMax];
  std::size_t first_ = kMax;
};

}  // namespace microparquet::semihosting
