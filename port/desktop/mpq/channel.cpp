#include "channel.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "calendar.h"
#include "literal.h"
#include "type_text.h"

namespace mpq_tool {

namespace {

using microparquet::Cell;
using microparquet::LogicalKind;
using microparquet::SchemaElement;
using microparquet::Type;
using microparquet::detail::ValueOrder;

constexpr std::size_t kDigitsWidth = 10;    // "-1.234e+05"
constexpr std::size_t kCalendarWidth = 19;  // "2026-02-28T06:00:00"

double half_number(const Cell& cell) {
  std::byte room[4];
  const auto bytes = comparable(ValueOrder::kFloat16, {cell.data, cell.bytes}, room);
  float number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return static_cast<double>(number);
}

// Two's complement, the largest byte first.
double big_number(const Cell& cell) {
  if (cell.bytes == 0) {
    return 0;
  }
  double number = static_cast<double>(static_cast<std::int8_t>(cell.data[0]));
  for (std::uint32_t i = 1; i < cell.bytes; ++i) {
    number = number * 256 + static_cast<double>(std::to_integer<unsigned>(cell.data[i]));
  }
  return number;
}

std::string with_digits(double number, int digits) {
  std::array<char, 40> text = {};
  std::snprintf(text.data(), text.size(), "%.*g", digits, number == 0 ? 0 : number);
  return text.data();
}

// Whole numbers have all their digits, as far as these are within bounds.
std::string digits_text(double number, double other) {
  constexpr int kUsual = 4;
  constexpr int kMost = 17;
  constexpr double kMostWhole = 1e9;
  if (number == std::floor(number) && std::abs(number) < kMostWhole) {
    return with_digits(number, kDigitsWidth);
  }
  int digits = kUsual;
  while (digits < kMost && number != other && with_digits(number, digits) == with_digits(other, digits)) {
    ++digits;
  }
  return with_digits(number, digits);
}

}  // namespace

std::string why_not_drawn(const Column& column) {
  const SchemaElement& element = column.element;
  if (element.max_repetition_level != 0) {
    return "it holds lists";
  }
  const LogicalKind logical = element.logical.kind;
  const bool bytes = element.type == Type::kByteArray || element.type == Type::kFixedLenByteArray;
  if (logical == LogicalKind::kDecimal || logical == LogicalKind::kFloat16) {
    return "";
  }
  if (logical == LogicalKind::kString || logical == LogicalKind::kEnum || logical == LogicalKind::kJson) {
    return "it holds text";
  }
  return bytes || element.type == Type::kInt96 ? "it holds " + type_text(element) : "";
}

Channel::Channel(const Column& column, const Facts& facts) : column_(column) {
  const SchemaElement& element = column.element;
  const bool has_sign = element.logical.kind != LogicalKind::kInteger || element.logical.is_signed;
  switch (element.type) {
    case Type::kBoolean: kind_ = Kind::kBoolean; break;
    case Type::kInt32: kind_ = has_sign ? Kind::kInt32 : Kind::kUint32; break;
    case Type::kInt64: kind_ = has_sign ? Kind::kInt64 : Kind::kUint64; break;
    case Type::kFloat: kind_ = Kind::kFloat; break;
    case Type::kDouble: kind_ = Kind::kDouble; break;
    default: kind_ = element.logical.kind == LogicalKind::kFloat16 ? Kind::kFloat16 : Kind::kBytes; break;
  }
  if (element.logical.kind == LogicalKind::kDecimal) {
    divisor_ = std::pow(10, static_cast<double>(element.logical.scale));
  }
  if (const auto scale = facts.scales.find(column.name); scale != facts.scales.end() && !is_calendar()) {
    scale_ = scale->second;
  }
  if (const auto offset = facts.offsets.find(column.name); offset != facts.offsets.end() && !is_calendar()) {
    offset_ = offset->second;
  }
  if (const auto unit = facts.units.find(column.name); unit != facts.units.end()) {
    unit_ = unit->second;
  }
}

double Channel::number(const Cell& cell) const {
  if (cell.null()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const double number = physical(cell);
  return std::isfinite(number) ? number : std::numeric_limits<double>::quiet_NaN();
}

double Channel::stored_number(const Cell& cell) const {
  switch (kind_) {
    case Kind::kBoolean: return cell.as<std::uint8_t>() == 0 ? 0 : 1;
    case Kind::kInt32: return cell.as<std::int32_t>();
    case Kind::kUint32: return cell.as<std::uint32_t>();
    case Kind::kInt64: return static_cast<double>(cell.as<std::int64_t>());
    case Kind::kUint64: return static_cast<double>(cell.as<std::uint64_t>());
    case Kind::kFloat: return static_cast<double>(cell.as<float>());
    case Kind::kDouble: return cell.as<double>();
    case Kind::kFloat16: return half_number(cell);
    case Kind::kBytes: return big_number(cell);
  }
  return 0;
}

bool Channel::is_calendar() const {
  const LogicalKind kind = column_.element.logical.kind;
  return kind == LogicalKind::kDate || kind == LogicalKind::kTime || kind == LogicalKind::kTimestamp;
}

// Calendar values are exact to the second, which a double holds for any time.
std::string Channel::text(double number, double other) const {
  const microparquet::LogicalType& logical = column_.element.logical;
  if (kind_ == Kind::kBoolean) {
    return number == 0 ? "false" : "true";
  }
  if (logical.kind == LogicalKind::kDate) {
    return date_text(std::llround(number));
  }
  if (!is_calendar()) {
    return digits_text(number, other);
  }
  const auto per_second = static_cast<double>(units_per_second(logical.unit));
  const auto millis = static_cast<std::int64_t>(std::floor(number / per_second)) * 1'000;
  return logical.kind == LogicalKind::kTime ? time_text(millis, microparquet::TimeUnit::kMillis)
                                            : timestamp_text(millis, microparquet::TimeUnit::kMillis);
}

std::size_t Channel::text_width() const { return is_calendar() ? kCalendarWidth : kDigitsWidth; }

namespace {

// Levels of one character, from the top.
constexpr std::size_t kBrailleLevels = 4;
constexpr std::array<std::array<std::uint8_t, kBrailleLevels>, 2> kBrailleDots = {
    {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};
constexpr std::array<char, 3> kAsciiLevels = {'\'', '-', '_'};

struct Levels {
  std::size_t top;  // counted from the top
  std::size_t bottom;
};

// The level of a value among `count` levels; values that are all alike lie in the middle.
std::size_t level_of(double value, const Extent& all, std::size_t count) {
  const double span = all.most - all.least;
  const double share = span > 0 ? value / span - all.least / span : 0.5;
  const double from_bottom = share * static_cast<double>(count - 1);
  return count - 1 - static_cast<std::size_t>(std::lround(from_bottom));
}

Levels levels_of(const Extent& part, const Extent& all, std::size_t count) {
  return {level_of(part.most, all, count), level_of(part.least, all, count)};
}

std::string braille(std::uint8_t dots) {
  return {'\xE2', static_cast<char>(0xA0 | dots >> 6), static_cast<char>(0x80 | (dots & 0x3F))};
}

std::vector<std::string> draw_braille(const Envelope& envelope, std::size_t count) {
  std::vector<std::string> lines(count);
  std::vector<std::uint8_t> dots(count);
  const auto& parts = envelope.parts();
  for (std::size_t cell = 0; cell < parts.size() / 2; ++cell) {
    std::fill(dots.begin(), dots.end(), std::uint8_t{0});
    for (std::size_t side = 0; side < 2; ++side) {
      const Extent& part = parts[2 * cell + side];
      if (part.empty()) {
        continue;
      }
      const Levels levels = levels_of(part, envelope.all(), count * kBrailleLevels);
      for (std::size_t level = levels.top; level <= levels.bottom; ++level) {
        dots[level / kBrailleLevels] |= kBrailleDots[side][level % kBrailleLevels];
      }
    }
    for (std::size_t line = 0; line < count; ++line) {
      lines[line] += braille(dots[line]);
    }
  }
  return lines;
}

std::vector<std::string> draw_ascii(const Envelope& envelope, std::size_t count) {
  std::vector<std::string> lines(count);
  std::string cell;
  constexpr std::size_t kLevels = kAsciiLevels.size();
  for (const Extent& part : envelope.parts()) {
    cell.assign(count, ' ');
    if (!part.empty()) {
      const Levels levels = levels_of(part, envelope.all(), count * kLevels);
      for (std::size_t level = levels.top; level <= levels.bottom; ++level) {
        char& drawn = cell[level / kLevels];
        drawn = drawn == ' ' ? kAsciiLevels[level % kLevels] : '|';
      }
    }
    for (std::size_t line = 0; line < count; ++line) {
      lines[line] += cell[line];
    }
  }
  return lines;
}

}  // namespace

std::vector<std::string> draw_strip(const Envelope& envelope, Ink ink, std::size_t lines) {
  return ink == Ink::kBraille ? draw_braille(envelope, lines) : draw_ascii(envelope, lines);
}

}  // namespace mpq_tool
