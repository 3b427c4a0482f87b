#include "exact_number.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace mpq_tool {

namespace {

constexpr std::int64_t kMostDigits = 1000;

// Digits, and the power of ten of the last one.
struct Digits {
  bool negative = false;
  std::string digits;  // without zeros at the front; empty: zero
  std::int64_t power = 0;
};

Digits digits_of_text(std::string_view text) {
  Digits result;
  std::size_t at = 0;
  bool after_point = false;
  if (text[at] == '-' || text[at] == '+') {
    result.negative = text[at++] == '-';
  }
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.') {
      after_point = true;
      continue;
    }
    if (text[at] != '0' || !result.digits.empty()) {
      result.digits += text[at];
    }
    result.power -= after_point ? 1 : 0;
  }
  if (at < text.size()) {
    at += text[at + 1] == '+' ? 2U : 1U;
    std::int64_t exponent = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), exponent);
    static_cast<void>(end);
    const std::int64_t largest = text[at] == '-' ? -1'000'000'000 : 1'000'000'000;
    result.power +=
        error == std::errc() ? std::clamp<std::int64_t>(exponent, -1'000'000'000, 1'000'000'000) : largest;
  }
  return result;
}

// magnitude = magnitude * 10 + digit, big-endian.
void add_digit(std::vector<std::uint8_t>& magnitude, unsigned digit) {
  unsigned carry = digit;
  for (auto byte = magnitude.rbegin(); byte != magnitude.rend(); ++byte) {
    carry += *byte * 10U;
    *byte = static_cast<std::uint8_t>(carry);
    carry >>= 8;
  }
  if (carry != 0) {
    magnitude.insert(magnitude.begin(), static_cast<std::uint8_t>(carry));
  }
}

// Two's complement of the magnitude plus `more`, one byte longer for the sign.
std::vector<std::byte> signed_number(std::vector<std::uint8_t> magnitude, bool negative, unsigned more) {
  magnitude.insert(magnitude.begin(), 0);
  unsigned carry = more;
  for (auto byte = magnitude.rbegin(); byte != magnitude.rend(); ++byte) {
    carry += *byte;
    *byte = static_cast<std::uint8_t>(carry);
    carry >>= 8;
  }
  carry = 1;
  for (auto byte = magnitude.rbegin(); negative && byte != magnitude.rend(); ++byte) {
    carry += static_cast<std::uint8_t>(~*byte);
    *byte = static_cast<std::uint8_t>(carry);
    carry >>= 8;
  }
  std::vector<std::byte> number;
  for (const std::uint8_t byte : magnitude) {
    number.push_back(static_cast<std::byte>(byte));
  }
  return number;
}

}  // namespace

WholePart whole_part(std::string_view text, unsigned scale) {
  Digits written = digits_of_text(text);
  const std::int64_t power = written.power + scale;
  WholePart result;
  std::string& digits = written.digits;
  if (power >= 0 && !digits.empty()) {
    digits.append(static_cast<std::size_t>(std::min(power, kMostDigits)), '0');
  } else if (power < 0) {
    const auto kept =
        static_cast<std::size_t>(std::max<std::int64_t>(static_cast<std::int64_t>(digits.size()) + power, 0));
    result.exact = std::all_of(digits.begin() + static_cast<std::ptrdiff_t>(kept), digits.end(),
                               [](char digit) { return digit == '0'; });
    digits.resize(kept);
  }
  if (static_cast<std::int64_t>(digits.size()) > kMostDigits) {
    digits.resize(static_cast<std::size_t>(kMostDigits));
  }
  std::vector<std::uint8_t> magnitude;
  for (const char digit : digits) {
    add_digit(magnitude, static_cast<unsigned>(digit - '0'));
  }
  const bool down = written.negative && !result.exact;
  result.number = signed_number(std::move(magnitude), written.negative, down ? 1 : 0);
  return result;
}

bool fits_in(const std::vector<std::byte>& number, std::size_t bytes, bool is_signed,
             std::vector<std::byte>& stored) {
  const bool negative = (number.front() & std::byte{0x80}) != std::byte{0};
  const std::byte sign = negative ? std::byte{0xFF} : std::byte{0};
  stored.assign(bytes, sign);
  for (std::size_t i = 0; i < number.size(); ++i) {
    const std::byte byte = number[number.size() - 1 - i];
    if (i < bytes) {
      stored[i] = byte;
    } else if (byte != sign) {
      return false;
    }
  }
  const bool top_bit = (stored.back() & std::byte{0x80}) != std::byte{0};
  return is_signed ? top_bit == negative : !negative;
}

}  // namespace mpq_tool
