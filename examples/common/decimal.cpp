#include "decimal.h"

namespace {

constexpr int kMaxDigits = 18;
constexpr int kMaxPower = 22;  // the largest power of ten that a double holds exactly

// The number (-1)^negative * digits * 10^exponent.
struct Decimal {
  bool negative = false;
  std::uint64_t digits = 0;
  int exponent = 0;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes a leading sign off the text; whether it was a minus.
bool take_sign(std::string_view& text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    text.remove_prefix(1);
  }
  return negative;
}

// The digits and the point, up to an exponent or the end.
bool take_digits(std::string_view& text, Decimal& number) {
  int count = 0;
  bool point = false;
  while (!text.empty() && (is_digit(text.front()) || (text.front() == '.' && !point))) {
    if (text.front() == '.') {
      point = true;
    } else {
      number.digits = number.digits * 10 + static_cast<std::uint64_t>(text.front() - '0');
      number.exponent -= point ? 1 : 0;
      ++count;
    }
    text.remove_prefix(1);
  }
  return count > 0 && count <= kMaxDigits;
}

bool take_exponent(std::string_view& text, Decimal& number) {
  if (text.empty()) {
    return true;
  }
  if (text.front() != 'e' && text.front() != 'E') {
    return false;
  }
  text.remove_prefix(1);
  const bool negative = take_sign(text);
  if (text.empty() || text.size() > 2) {
    return false;
  }
  int exponent = 0;
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1)) {
    exponent = exponent * 10 + (text.front() - '0');
  }
  number.exponent += negative ? -exponent : exponent;
  return text.empty();
}

bool parse(std::string_view text, Decimal& number) {
  number.negative = take_sign(text);
  return take_digits(text, number) && take_exponent(text, number) && number.exponent >= -kMaxPower &&
         number.exponent <= kMaxPower;
}

double power_of_ten(int exponent) {
  double power = 1;
  for (; exponent > 0; --exponent) {
    power *= 10;
  }
  return power;
}

}  // namespace

bool parse_float(std::string_view text, float& value) {
  Decimal number;
  if (!parse(text, number)) {
    return false;
  }
  // Both operands are exact for up to 15 digits, so the quotient is the nearest double.
  auto magnitude = static_cast<double>(number.digits);
  if (number.exponent < 0) {
    magnitude /= power_of_ten(-number.exponent);
  } else {
    magnitude *= power_of_ten(number.exponent);
  }
  value = static_cast<float>(number.negative ? -magnitude : magnitude);
  return true;
}

bool parse_seconds(std::string_view text, std::int64_t& microseconds) {
  constexpr std::uint64_t kMax = 1000000000000000000;  // beyond it, ten times as much would not fit
  Decimal number;
  if (!parse(text, number) || number.negative) {
    return false;
  }
  int exponent = number.exponent + 6;
  for (; exponent > 0 && number.digits != 0; --exponent) {
    if (number.digits >= kMax / 10) {
      return false;
    }
    number.digits *= 10;
  }
  bool round_up = false;
  for (; exponent < 0; ++exponent) {
    round_up = number.digits % 10 >= 5;
    number.digits /= 10;
  }
  microseconds = static_cast<std::int64_t>(number.digits + (round_up ? 1 : 0));
  return true;
}
