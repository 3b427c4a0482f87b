// Large numbers for people.
#pragma once

#include <cstdint>
#include <string>

namespace microparquet::text {

// 1234567 as "1,234,567".
inline std::string grouped_digits(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) {
    digits.insert(i - 3, ",");
  }
  return digits;
}

}  // namespace microparquet::text
