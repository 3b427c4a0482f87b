#include "literal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "calendar.h"
#include "output.h"
#include "type_text.h"

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

namespace {

using microparquet::LogicalKind;
using microparquet::SchemaElement;
using microparquet::TimeUnit;
using microparquet::Type;
using microparquet::detail::Comparison;
using microparquet::detail::ValueOrder;
using LiteralBytes = microparquet::Span<const std::byte>;

template <typename T>
std::vector<std::byte> bytes_of_value(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::vector<std::byte> bytes_of_text(std::string_view text) {
  const auto* const first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

// Pairs of hexadecimal digits. False: there is something else.
bool hex_bytes(std::string_view digits, std::vector<std::byte>& bytes) {
  if (digits.size() % 2 != 0) {
    return false;
  }
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    std::uint8_t byte = 0;
    const auto [end, error] = std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    if (error != std::errc() || end != digits.data() + i + 2) {
      return false;
    }
    bytes.push_back(static_cast<std::byte>(byte));
  }
  return true;
}

bool is_float(ValueOrder order) { return microparquet::detail::has_nan(order); }

// FLOAT16 is compared as a float.
ValueOrder comparable_order(ValueOrder order) {
  return order == ValueOrder::kFloat16 ? ValueOrder::kFloat : order;
}

float float_of_half(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int fraction = half & 1023;
  float value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    value = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return (half & 0x8000) != 0 ? -value : value;
}

constexpr std::int64_t kDayNanos = 86'400'000'000'000;

// Encodes days, then nanoseconds of the day, as numbers of two's complement, the first byte highest.
std::vector<std::byte> bytes_of_moment(std::int64_t days, std::int64_t nanos) {
  std::vector<std::byte> bytes;
  for (const std::int64_t part : {days, nanos}) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(part) >> shift & 0xFF));
    }
  }
  return bytes;
}

// Nanoseconds of the day, which may be more than one, and a Julian day.
std::vector<std::byte> bytes_of_int96(LiteralBytes value) {
  constexpr std::int64_t kJulianDayOfEpoch = 2'440'588;
  std::int64_t nanos = 0;
  std::uint32_t day = 0;
  std::memcpy(&nanos, value.data(), sizeof nanos);
  std::memcpy(&day, value.data() + sizeof nanos, sizeof day);
  std::int64_t days = nanos / kDayNanos;
  nanos %= kDayNanos;
  if (nanos < 0) {
    nanos += kDayNanos;
    --days;
  }
  return bytes_of_moment(days + day - kJulianDayOfEpoch, nanos);
}

}  // namespace

bool is_comparable(const SchemaElement& element) {
  return element.type == Type::kInt96 || microparquet::detail::order_of(element) != ValueOrder::kNone;
}

LiteralBytes comparable(ValueOrder order, LiteralBytes value, std::byte (&room)[4]) {
  if (order != ValueOrder::kFloat16 || value.size() != 2) {
    return value;
  }
  std::uint16_t half = 0;
  std::memcpy(&half, value.data(), sizeof half);
  const float number = float_of_half(half);
  std::memcpy(room, &number, sizeof number);
  return {room, sizeof room};
}

Literal::Literal(const std::string& text, const std::string& column, const SchemaElement& element,
                 const WrittenValue& written)
    : element_(&element),
      text_(&text),
      column_(&column),
      word_(&written.word),
      is_int96_(element.type == Type::kInt96),
      order_(is_int96_ ? ValueOrder::kDecimal : microparquet::detail::order_of(element)) {
  const bool number = written.kind == WrittenKind::kNumber;
  const LogicalKind kind = element.logical.kind;
  const bool calendar =
      kind == LogicalKind::kDate || kind == LogicalKind::kTime || kind == LogicalKind::kTimestamp;
  if (element.type == Type::kBoolean) {
    if (written.kind != WrittenKind::kTrue && written.kind != WrittenKind::kFalse) {
      refuse("TRUE or FALSE");
    }
    value_.assign(1, written.kind == WrittenKind::kTrue ? std::byte{1} : std::byte{0});
  } else if (is_int96_) {
    if (written.kind != WrittenKind::kText || !set_int96(written.word.text)) {
      refuse("a time such as '2026-02-28T06:00:00.25'");
    }
  } else if (calendar) {
    if (written.kind != WrittenKind::kText || !set_calendar(written.word.text)) {
      refuse(kind == LogicalKind::kDate   ? "a date such as '2026-02-28'"
             : kind == LogicalKind::kTime ? "a time such as '06:00:00.25'"
             : element.logical.utc        ? "a time such as '2026-02-28T06:00:00.25Z'"
                                          : "a local time such as '2026-02-28T06:00:00.25', without a zone");
    }
  } else if (is_float(order_)) {
    if (!number && written.kind != WrittenKind::kText) {
      refuse("a number, or one of 'inf', '-inf' and 'nan'");
    }
    set_float(written.word.text);
  } else if (order_ == ValueOrder::kBytes) {
    if (!set_text(written)) {
      refuse(kind == LogicalKind::kUuid ? "a UUID such as '01234567-89ab-cdef-0123-456789abcdef'"
                                        : "'text' in single quotes, or x'00ff'");
    }
  } else {
    if (!number) {
      refuse("a number");
    }
    set_number(written.word.text);
  }
  element_ = nullptr;
  text_ = nullptr;
  column_ = nullptr;
  word_ = nullptr;
}

void Literal::refuse(const std::string& expected) const {
  refuse_word(*text_, *word_,
              "column " + *column_ + " is " + type_text(*element_) + ": expected " + expected);
}

// Takes a number exactly: one that lies between two values of the column is not rounded to either.
void Literal::set_number(const std::string& text) {
  const unsigned scale = element_->logical.kind == LogicalKind::kDecimal ? element_->logical.scale : 0;
  WholePart whole = whole_part(text, scale);
  place_ = whole.exact ? Place::kAt : Place::kAfter;
  if (order_ == ValueOrder::kDecimal) {
    value_ = std::move(whole.number);
    return;
  }
  const bool is_signed = order_ == ValueOrder::kInt32 || order_ == ValueOrder::kInt64;
  const std::size_t bytes = order_ == ValueOrder::kInt32 || order_ == ValueOrder::kUint32 ? 4 : 8;
  if (!fits_in(whole.number, bytes, is_signed, value_)) {
    const bool negative = (whole.number.front() & std::byte{0x80}) != std::byte{0};
    place_ = negative ? Place::kBelowAll : Place::kAboveAll;
  }
}

// Rounded to the nearest value of the column, as a program's literal is.
void Literal::set_float(const std::string& text) {
  const char* const first = text.data();
  const char* const last = first + text.size();
  const auto take = [&](auto number) {
    const auto [end, error] = std::from_chars(first, last, number);
    if (error == std::errc::result_out_of_range) {
      refuse("a number that it can hold");
    }
    if (error != std::errc() || end != last || text.empty()) {
      refuse("a number, or one of 'inf', '-inf' and 'nan'");
    }
    nan_ = std::isnan(number);
    value_ = bytes_of_value(number);
  };
  order_ == ValueOrder::kDouble ? take(double{}) : take(float{});
}

bool Literal::set_text(const WrittenValue& written) {
  const std::string& text = written.word.text;
  if (written.kind == WrittenKind::kHex) {
    return hex_bytes(text, value_);
  }
  if (written.kind != WrittenKind::kText) {
    return false;
  }
  if (element_->logical.kind == LogicalKind::kUuid) {
    return set_uuid(text);
  }
  value_ = bytes_of_text(text);
  return true;
}

bool Literal::set_uuid(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    digits += c == '-' ? "" : std::string(1, c);
  }
  return digits.size() == 32 && hex_bytes(digits, value_);
}

bool Literal::set_units(std::int64_t units, bool exact) {
  place_ = exact ? Place::kAt : Place::kAfter;
  if (element_->type == Type::kInt64) {
    value_ = bytes_of_value(units);
    return true;
  }
  if (units < std::numeric_limits<std::int32_t>::min()) {
    place_ = Place::kBelowAll;
  } else if (units > std::numeric_limits<std::int32_t>::max()) {
    place_ = Place::kAboveAll;
  } else {
    value_ = bytes_of_value(static_cast<std::int32_t>(units));
  }
  return true;
}

bool Literal::set_calendar(const std::string& text) {
  const microparquet::LogicalType& logical = element_->logical;
  if (logical.kind == LogicalKind::kDate) {
    const std::optional<std::int64_t> days = date_value(text);
    return days && set_units(*days, true);
  }
  const bool time = logical.kind == LogicalKind::kTime;
  const std::optional<CalendarValue> value =
      time ? time_value(text, logical.unit) : timestamp_value(text, logical.unit);
  return value && (logical.utc || !value->has_zone) && set_units(value->units, value->exact);
}

// Takes nanoseconds, or microseconds where these do not reach.
bool Literal::set_int96(const std::string& text) {
  std::int64_t step = 1;
  std::optional<CalendarValue> value = timestamp_value(text, TimeUnit::kNanos);
  if (!value) {
    step = 1000;
    value = timestamp_value(text, TimeUnit::kMicros);
  }
  if (!value) {
    return false;
  }
  const std::int64_t day = kDayNanos / step;
  const std::int64_t rest = (value->units % day + day) % day;
  value_ = bytes_of_moment((value->units - rest) / day, rest * step);
  place_ = value->exact ? Place::kAt : Place::kAfter;
  return true;
}

Comparison Literal::compare(LiteralBytes value) const {
  if (place_ == Place::kBelowAll) {
    return Comparison::kGreater;
  }
  if (place_ == Place::kAboveAll) {
    return Comparison::kLess;
  }
  std::byte room[4];
  const std::vector<std::byte> moment = is_int96_ ? bytes_of_int96(value) : std::vector<std::byte>();
  const LiteralBytes known =
      is_int96_ ? LiteralBytes(moment.data(), moment.size()) : comparable(order_, value, room);
  const ValueOrder order = comparable_order(order_);
  if (is_float(order)) {
    const bool value_nan = !microparquet::detail::has_place(order, known);
    if (value_nan || nan_) {
      return value_nan == nan_ ? Comparison::kEqual : nan_ ? Comparison::kLess : Comparison::kGreater;
    }
  }
  const Comparison found = microparquet::detail::compare(order, known, value_);
  return found == Comparison::kEqual && place_ == Place::kAfter ? Comparison::kLess : found;
}

// Whether it is a zero; zeros of floating point may have a sign.
bool Literal::is_zero() const {
  const std::vector<std::byte> zero(value_.size());
  return microparquet::detail::compare(order_, {value_.data(), value_.size()}, {zero.data(), zero.size()}) ==
         Comparison::kEqual;
}

std::optional<LiteralBytes> Literal::stored() const {
  const bool one_form = order_ != ValueOrder::kDecimal && order_ != ValueOrder::kBoolean &&
                        order_ != ValueOrder::kFloat16 && !(is_float(order_) && (nan_ || is_zero()));
  return place_ == Place::kAt && one_form ? std::optional(LiteralBytes(value_.data(), value_.size()))
                                          : std::nullopt;
}

}  // namespace mpq_tool
