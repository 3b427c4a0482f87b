#include "cell.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "microparquet/desktop/int96.h"
#include "microparquet/text/terminal_text.h"
#include "microparquet/text/utf8.h"
#include "timestamp.h"

namespace csv_log {

namespace {

using microparquet::Value;

constexpr bool is_space(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <typename Integer>
std::optional<Value> integer_value(std::string_view text, std::uint8_t bits) {
  const auto number = parse_number<Integer>(text);
  if (!number) {
    return std::nullopt;
  }
  if (bits == 64) {
    return Value::of(static_cast<std::int64_t>(*number));
  }
  const Integer limit =
      static_cast<Integer>(Integer{1} << (std::numeric_limits<Integer>::is_signed ? bits - 1 : bits));
  if (*number >= limit || (std::numeric_limits<Integer>::is_signed && *number < Integer{0} - limit)) {
    return std::nullopt;
  }
  return Value::of(static_cast<std::int32_t>(*number));
}

// The digits without their point, exactly: no digit after the scale may be lost.
std::optional<Value> decimal_value(std::string_view text, const ColumnType& type) {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    text.remove_prefix(1);
  }
  std::int64_t unscaled = 0;
  std::int64_t limit = 1;
  for (int i = 0; i < type.precision; ++i) {
    limit *= 10;
  }
  int scale = -1;  // digits after the point so far; -1: no point yet
  bool any_digit = false;
  for (const char c : text) {
    if (c == '.' && scale < 0) {
      scale = 0;
    } else if (!is_digit(c)) {
      return std::nullopt;
    } else if (scale >= type.scale) {
      if (c != '0') {
        return std::nullopt;
      }
    } else {
      any_digit = true;
      unscaled = unscaled * 10 + (c - '0');
      scale += scale >= 0 ? 1 : 0;
      if (unscaled >= limit) {
        return std::nullopt;
      }
    }
  }
  for (int i = scale < 0 ? 0 : scale; i < type.scale; ++i) {
    unscaled *= 10;
    if (unscaled >= limit) {
      return std::nullopt;
    }
  }
  if (!any_digit) {
    return std::nullopt;
  }
  unscaled = negative ? -unscaled : unscaled;
  return type.precision <= 9 ? Value::of(static_cast<std::int32_t>(unscaled)) : Value::of(unscaled);
}

std::optional<unsigned> hex_digit(char c) {
  if (is_digit(c)) {
    return static_cast<unsigned>(c - '0');
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? std::optional(static_cast<unsigned>(lower - 'a') + 10) : std::nullopt;
}

// 8-4-4-4-12 hexadecimal digits, with the hyphens or without any.
std::optional<Value> uuid_value(std::string_view text, Scratch& scratch) {
  const bool hyphens = text.size() == 36;
  if (!hyphens && text.size() != 32) {
    return std::nullopt;
  }
  std::size_t at = 0;
  for (std::size_t byte = 0; byte < scratch.size(); ++byte) {
    if (hyphens && (byte == 4 || byte == 6 || byte == 8 || byte == 10) && text[at++] != '-') {
      return std::nullopt;
    }
    const auto high = hex_digit(text[at]);
    const auto low = hex_digit(text[at + 1]);
    if (!high || !low) {
      return std::nullopt;
    }
    scratch[byte] = static_cast<char>(*high << 4 | *low);
    at += 2;
  }
  return Value::of_fixed({scratch.data(), scratch.size()});
}

std::optional<Value> time_value(std::string_view text, microparquet::TimeUnit unit) {
  const auto nanos = read_time_text(text);
  if (!nanos) {
    return std::nullopt;
  }
  const std::int64_t units = *nanos / (1'000'000'000 / units_per_second(unit));
  return unit == microparquet::TimeUnit::kMillis ? Value::of(static_cast<std::int32_t>(units))
                                                 : Value::of(units);
}

// Hours, minutes and seconds as seconds.
std::optional<Value> elapsed_value(std::string_view text) {
  constexpr double kNanosPerSecond = 1e9;
  const auto nanos = read_elapsed_text(text);
  return nanos ? std::optional(Value::of(static_cast<double>(*nanos) / kNanosPerSecond)) : std::nullopt;
}

// Digits after a point that are finer than the type's unit are cut off towards the past.
std::optional<Value> epoch_value(std::string_view text, const ColumnType& type) {
  const std::int64_t scale = units_per_second(type.unit) / type.epoch_units;
  const std::size_t point = scale == 1 ? text.npos : text.find('.');
  const auto whole = parse_number<std::int64_t>(text.substr(0, point));
  std::int64_t units = 0;
  if (!whole || __builtin_mul_overflow(*whole, scale, &units)) {
    return std::nullopt;
  }
  if (point == text.npos) {
    return Value::of(units);
  }
  std::int64_t fraction = 0;
  std::int64_t unit = scale;
  bool more = false;
  for (const char c : text.substr(point + 1)) {
    if (!is_digit(c)) {
      return std::nullopt;
    }
    unit /= 10;
    fraction += (c - '0') * unit;
    more = more || (unit == 0 && c != '0');
  }
  const bool negative = text.front() == '-';
  const std::int64_t step = negative ? -fraction - (more ? 1 : 0) : fraction;
  const bool fits = point + 1 != text.size() && !__builtin_add_overflow(units, step, &units);
  return fits ? std::optional(Value::of(units)) : std::nullopt;
}

std::optional<Value> timestamp_value(std::string_view text, const ColumnType& type) {
  if (type.epoch_units != 0) {
    return epoch_value(text, type);
  }
  const auto timestamp = parse_timestamp(text, type.date_order);
  if (!timestamp || (timestamp->has_zone && type.zone != Zone::kUtc)) {
    return std::nullopt;
  }
  const auto units = in_units(*timestamp, units_per_second(type.unit));
  return units ? std::optional(Value::of(*units)) : std::nullopt;
}

// Takes a time without a zone for UTC, as readers do.
std::optional<Value> int96_value(std::string_view text, DateOrder order, Scratch& scratch) {
  const auto timestamp = parse_timestamp(text, order);
  if (!timestamp || !microparquet::desktop::store_int96(scratch.data(), timestamp->seconds,
                                                        static_cast<std::uint32_t>(timestamp->nanos))) {
    return std::nullopt;
  }
  Value value = Value::of_fixed({scratch.data(), microparquet::desktop::kInt96Bytes});
  value.type = microparquet::Type::kInt96;
  return value;
}

std::optional<bool> parse_bool(std::string_view text) {
  if (text == "1" || text == "0") {
    return text == "1";
  }
  return parse_bool_word(text);
}

std::optional<Value> text_value(std::string_view text) {
  return microparquet::text::is_utf8(text) ? std::optional(Value::of_bytes(text)) : std::nullopt;
}

bool has_fraction(const ColumnType& type) {
  return type.kind == Kind::kFloat || type.kind == Kind::kDouble || type.kind == Kind::kDecimal ||
         type.epoch_units != 0;
}

template <typename T>
std::optional<Value> value_of(const std::optional<T>& parsed) {
  return parsed ? std::optional(Value::of(*parsed)) : std::nullopt;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

namespace {

// Those of pandas, and dashes.
constexpr std::array<std::string_view, 19> kNothing = {
    "NA",   "N/A", "n/a", "NULL", "null",    "Null",     "None",   "#N/A",    "#NA",   "#N/A N/A",
    "<NA>", "-",   "--",  "---",  "1.#QNAN", "-1.#QNAN", "1.#IND", "-1.#IND", "#NULL!"};
constexpr std::array<std::string_view, 6> kNan = {"nan", "NaN", "NAN", "-nan", "-NaN", "-NAN"};

template <std::size_t kSize>
bool is_one_of(const std::array<std::string_view, kSize>& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_told_null(std::string_view text, const CellRules& rules) {
  return !rules.nulls.empty() && std::find(rules.nulls.begin(), rules.nulls.end(), text) != rules.nulls.end();
}

}  // namespace

bool is_null(std::string_view text, const CellRules& rules) {
  constexpr std::size_t kLongest = 8;
  text = trimmed(text);
  if (text.empty() || is_told_null(text, rules)) {
    return true;
  }
  if (text.size() > kLongest || (is_digit(text.front()) && (text.size() < 3 || text[2] != '#'))) {
    return false;
  }
  if (text.front() == '-' && text.size() > 1 && is_digit(text[1]) && (text.size() < 4 || text[3] != '#')) {
    return false;
  }
  return is_one_of(kNothing, text) || is_one_of(kNan, text);
}

bool is_nan(std::string_view text, const CellRules& rules) {
  text = trimmed(text);
  return is_one_of(kNan, text) && !is_told_null(text, rules);
}

bool has_leading_zero(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    text.remove_prefix(1);
  }
  return text.size() > 1 && text[0] == '0' && is_digit(text[1]);
}

std::optional<std::string> without_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos || text.find_first_of(".,", comma + 1) != text.npos ||
      text.substr(0, comma).find('.') != text.npos) {
    return std::nullopt;
  }
  std::string number(text);
  number[comma] = '.';
  return number;
}

bool may_be_number(std::string_view text) {
  const auto number = without_comma(text);
  return parse_number<double>(number ? *number : text).has_value() || possible_thousands(text) != '\0';
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kMax = 40;
  return "\"" + microparquet::text::shortened(text, kMax) + "\"";
}

std::optional<bool> parse_bool_word(std::string_view text) {
  for (const std::string_view word : {"true", "True", "TRUE"}) {
    if (text == word) {
      return true;
    }
  }
  for (const std::string_view word : {"false", "False", "FALSE"}) {
    if (text == word) {
      return false;
    }
  }
  return std::nullopt;
}

namespace {

// "- 0.018", as some instruments print it.
template <typename Number>
std::optional<Number> parse_number_after_sign(std::string_view text, bool* out_of_range) {
  const std::size_t begin = text.find_first_not_of(' ', 1);
  if (begin == text.npos || (!is_digit(text[begin]) && text[begin] != '.')) {
    return std::nullopt;
  }
  return parse_number<Number>(std::string(1, text.front()).append(text.substr(begin)), out_of_range);
}

// "1.#INF", as Windows printed it.
template <typename Number>
std::optional<Number> windows_infinity(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  text.remove_prefix(negative ? 1 : 0);
  if (text.substr(0, 6) != "1.#INF" || text.find_first_not_of('0', 6) != text.npos) {
    return std::nullopt;
  }
  constexpr Number kInfinity = std::numeric_limits<Number>::infinity();
  return negative ? -kInfinity : kInfinity;
}

}  // namespace

template <typename Number>
std::optional<Number> parse_number(std::string_view text, bool* out_of_range) {
  if (text.size() > 2 && text[1] == ' ' && (text[0] == '+' || text[0] == '-')) {
    return parse_number_after_sign<Number>(text, out_of_range);
  }
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') {
    text.remove_prefix(1);
  }
  Number number = {};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = end == text.data() + text.size();
  if constexpr (!std::numeric_limits<Number>::is_integer) {
    if (!whole && text.find('#') != text.npos) {
      return windows_infinity<Number>(text);
    }
    if (whole && error == std::errc::result_out_of_range) {
      const double nearest = std::strtod(std::string(text).c_str(), nullptr);
      if (std::abs(nearest) < 1) {
        return static_cast<Number>(nearest);
      }
    }
  }
  if (out_of_range != nullptr) {
    *out_of_range = whole && error == std::errc::result_out_of_range;
  }
  return whole && error == std::errc{} ? std::optional(number) : std::nullopt;
}
template std::optional<std::int64_t> parse_number(std::string_view text, bool* out_of_range);
template std::optional<std::uint64_t> parse_number(std::string_view text, bool* out_of_range);
template std::optional<float> parse_number(std::string_view text, bool* out_of_range);
template std::optional<double> parse_number(std::string_view text, bool* out_of_range);

std::optional<Value> parse_cell(std::string_view text, const ColumnType& type, const CellRules& rules,
                                Scratch& scratch) {
  if (type.affixes.any()) {
    text = without_affixes(trimmed(text), type.affixes);
  }
  if (type.number_form.thousands != '\0' && is_number(type)) {
    const auto number = plain_number(trimmed(text), type.number_form);
    return number ? parse_cell(*number, stored(type), CellRules(), scratch) : std::nullopt;
  }
  if (rules.decimal_comma && has_fraction(type)) {
    if (const auto number = without_comma(text)) {
      return parse_cell(*number, type, CellRules(), scratch);
    }
  }
  switch (type.kind) {
    case Kind::kBool: return value_of(parse_bool(trimmed(text)));
    case Kind::kInteger:
      return type.is_signed ? integer_value<std::int64_t>(trimmed(text), type.bits)
                            : integer_value<std::uint64_t>(trimmed(text), type.bits);
    case Kind::kFloat: return value_of(parse_number<float>(trimmed(text)));
    case Kind::kDouble:
      return type.is_elapsed ? elapsed_value(trimmed(text)) : value_of(parse_number<double>(trimmed(text)));
    case Kind::kDecimal: return decimal_value(trimmed(text), type);
    case Kind::kString:
    case Kind::kEnum:
    case Kind::kJson: return text_value(text);
    case Kind::kBinary: return Value::of_bytes(text);
    case Kind::kUuid: return uuid_value(trimmed(text), scratch);
    case Kind::kDate: return value_of(parse_date(trimmed(text), type.date_order));
    case Kind::kTime: return time_value(trimmed(text), type.unit);
    case Kind::kTimestamp: return timestamp_value(trimmed(text), type);
    case Kind::kInt96: return int96_value(trimmed(text), type.date_order, scratch);
  }
  return std::nullopt;
}

}  // namespace csv_log
