// Large numbers for people, and from them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace microparquet::text {

// 1234567 as "1,234,567".
inline std::string grouped_digits(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) {
    digits.insert(i - 3, ",");
  }
  return digits;
}

// "1 row", "1,234 rows".
inline std::string counted(std::uint64_t number, std::string_view one, std::string_view several) {
  return (grouped_digits(number) + " ").append(number == 1 ? one : several);
}

// The number that all of the text is. None: it is another text, or a number beyond 64 bits.
inline std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

}  // namespace microparquet::text
