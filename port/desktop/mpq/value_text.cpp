#include "value_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "calendar.h"
#include "microparquet/text/quoted.h"

namespace mpq_tool {

namespace {

using microparquet::LogicalKind;
using microparquet::LogicalType;
using microparquet::SchemaElement;
using microparquet::Span;
using microparquet::TimeUnit;
using microparquet::Type;
using Bytes = Span<const std::byte>;

template <typename T>
T read(Bytes value) {
  T result;
  std::memcpy(&result, value.data(), sizeof(T));
  return result;
}

template <typename T>
void add_number(T number, std::string& text) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  static_cast<void>(error);  // 32 characters hold every shortest form
  text.append(digits.data(), end);
}

template <typename T>
std::string number_text(T number) {
  std::string text;
  add_number(number, text);
  return text;
}

// "-0" would be read back as an integer, which has no sign there.
template <typename T>
void add_floating(T number, std::string& text) {
  if (number == 0 && std::signbit(number)) {
    text += "-0.0";
  } else {
    add_number(number, text);
  }
}

template <typename T>
std::string floating_text(T number) {
  std::string text;
  add_floating(number, text);
  return text;
}

std::string hex_text(Bytes value) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : value) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4];
    text += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

std::string uuid_text(Bytes value) {
  std::string text = hex_text(value);
  for (const std::size_t at : std::array<std::size_t, 4>{20, 16, 12, 8}) {
    text.insert(at, 1, '-');
  }
  return text;
}

// Months, days and milliseconds, each four bytes: "P14M3DT0.500S".
std::string interval_text(Bytes value) {
  const auto months = read<std::uint32_t>(value);
  const auto days = read<std::uint32_t>(value.subspan(4, 4));
  const auto millis = read<std::uint32_t>(value.subspan(8, 4));
  std::string fraction = std::to_string(millis % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return "P" + std::to_string(months) + "M" + std::to_string(days) + "DT" + std::to_string(millis / 1000) +
         "." + fraction + "S";
}

// Nanoseconds in the day, then the Julian day.
std::string int96_text(Bytes value) {
  constexpr std::int64_t kJulianDayOfEpoch = 2'440'588;
  const auto nanos = read<std::int64_t>(value);
  const std::int64_t days = std::int64_t{read<std::uint32_t>(value.subspan(8, 4))} - kJulianDayOfEpoch;
  return date_text(days) + "T" + time_text(nanos, TimeUnit::kNanos);
}

// The decimal digits of a big-endian number without sign.
std::string digits_of(std::vector<std::uint8_t> magnitude) {
  std::string reversed;
  auto begin = magnitude.begin();
  while (begin != magnitude.end()) {
    unsigned rest = 0;
    for (auto byte = begin; byte != magnitude.end(); ++byte) {
      const unsigned number = rest << 8 | *byte;
      *byte = static_cast<std::uint8_t>(number / 10);
      rest = number % 10;
    }
    reversed += static_cast<char>('0' + rest);
    begin = std::find_if(begin, magnitude.end(), [](std::uint8_t byte) { return byte != 0; });
  }
  return {reversed.rbegin(), reversed.rend()};
}

std::string with_point(std::string digits, bool negative, unsigned scale) {
  if (digits.size() <= scale) {
    digits.insert(0, scale + 1 - digits.size(), '0');
  }
  if (scale != 0) {
    digits.insert(digits.size() - scale, ".");
  }
  return negative ? "-" + digits : digits;
}

// The unscaled value in two's complement, big-endian.
std::string decimal_text(Bytes value, unsigned scale) {
  std::vector<std::uint8_t> magnitude;
  for (const std::byte byte : value) {
    magnitude.push_back(std::to_integer<std::uint8_t>(byte));
  }
  const bool negative = !magnitude.empty() && (magnitude.front() & 0x80) != 0;
  if (negative) {
    unsigned carry = 1;
    for (auto byte = magnitude.rbegin(); byte != magnitude.rend(); ++byte) {
      carry += static_cast<std::uint8_t>(~*byte);
      *byte = static_cast<std::uint8_t>(carry);
      carry >>= 8;
    }
  }
  return with_point(digits_of(std::move(magnitude)), negative, scale);
}

std::string decimal_text(std::int64_t unscaled, unsigned scale) {
  const bool negative = unscaled < 0;
  const auto magnitude =
      negative ? 0 - static_cast<std::uint64_t>(unscaled) : static_cast<std::uint64_t>(unscaled);
  return with_point(std::to_string(magnitude), negative, scale);
}

// int32 and int64 alike.
std::string integer_text(const LogicalType& logical, std::int64_t number, bool narrow) {
  switch (logical.kind) {
    case LogicalKind::kDecimal: return decimal_text(number, logical.scale);
    case LogicalKind::kDate: return date_text(number);
    case LogicalKind::kTime: return time_text(number, logical.unit) + (logical.utc ? "Z" : "");
    case LogicalKind::kTimestamp: return timestamp_text(number, logical.unit) + (logical.utc ? "Z" : "");
    default: break;
  }
  if (logical.kind == LogicalKind::kInteger && !logical.is_signed) {
    return narrow ? number_text(static_cast<std::uint32_t>(number))
                  : number_text(static_cast<std::uint64_t>(number));
  }
  return number_text(number);
}

// Half precision. Requires: two bytes.
float float16_value(Bytes value) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, value.data(), sizeof bits);
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  float magnitude = 0;
  if (exponent == 31) {
    magnitude =
        fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

std::string bytes_text(const LogicalType& logical, Bytes value) {
  switch (logical.kind) {
    case LogicalKind::kString:
    case LogicalKind::kEnum:
    case LogicalKind::kJson: return {reinterpret_cast<const char*>(value.data()), value.size()};
    case LogicalKind::kDecimal: return decimal_text(value, logical.scale);
    case LogicalKind::kUuid: return value.size() == 16 ? uuid_text(value) : hex_text(value);
    case LogicalKind::kInterval: return value.size() == 12 ? interval_text(value) : hex_text(value);
    case LogicalKind::kFloat16:
      return value.size() == 2 ? floating_text(float16_value(value)) : hex_text(value);
    default: return hex_text(value);
  }
}

// 0: any.
std::size_t bytes_of(Type type) { return microparquet::value_bytes(type, 0); }

}  // namespace

std::string value_text(const SchemaElement& element, Bytes value) {
  if (bytes_of(element.type) != 0 && bytes_of(element.type) != value.size()) {
    return hex_text(value);
  }
  switch (element.type) {
    case Type::kBoolean: return value[0] == std::byte{0} ? "false" : "true";
    case Type::kInt32: return integer_text(element.logical, read<std::int32_t>(value), true);
    case Type::kInt64: return integer_text(element.logical, read<std::int64_t>(value), false);
    case Type::kInt96: return int96_text(value);
    case Type::kFloat: return floating_text(read<float>(value));
    case Type::kDouble: return floating_text(read<double>(value));
    case Type::kByteArray:
    case Type::kFixedLenByteArray: return bytes_text(element.logical, value);
  }
  return {};
}

// Plain numbers, as most columns are, need no string of their own.
void add_value_text(const SchemaElement& element, Bytes value, std::string& text) {
  const bool plain = element.logical.kind == LogicalKind::kNone && bytes_of(element.type) == value.size();
  switch (plain ? element.type : Type::kByteArray) {
    case Type::kInt32: add_number(read<std::int32_t>(value), text); return;
    case Type::kInt64: add_number(read<std::int64_t>(value), text); return;
    case Type::kFloat: add_floating(read<float>(value), text); return;
    case Type::kDouble: add_floating(read<double>(value), text); return;
    default: text += value_text(element, value);
  }
}

// DEL and U+0080 to U+009F are control characters as well, and nlohmann-json leaves them as they are.
std::string json_string(std::string_view text) {
  return microparquet::text::shown_json(
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string value_json(const SchemaElement& element, Bytes value) {
  const std::string text = value_text(element, value);
  const bool integer =
      (element.type == Type::kInt32 || element.type == Type::kInt64) &&
      (element.logical.kind == LogicalKind::kNone || element.logical.kind == LogicalKind::kInteger ||
       microparquet::is_read_only(element.logical.kind));
  const bool floating = element.type == Type::kFloat || element.type == Type::kDouble ||
                        (element.logical.kind == LogicalKind::kFloat16 && value.size() == 2);
  const bool finite = text.find_first_of("in") == text.npos;  // neither inf nor nan
  return element.type == Type::kBoolean || integer || (floating && finite) ? text : json_string(text);
}

bool is_number(const SchemaElement& element) {
  switch (element.logical.kind) {
    case LogicalKind::kNone:
    case LogicalKind::kUnknown:
    case LogicalKind::kNull:
      return element.type == Type::kInt32 || element.type == Type::kInt64 || element.type == Type::kFloat ||
             element.type == Type::kDouble;
    case LogicalKind::kInteger:
    case LogicalKind::kDecimal:
    case LogicalKind::kFloat16: return true;
    default: return false;
  }
}

}  // namespace mpq_tool
