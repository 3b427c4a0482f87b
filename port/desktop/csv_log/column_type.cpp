#include "column_type.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "cell.h"
#include "microparquet/desktop/int96.h"

namespace csv_log {

namespace {

constexpr std::size_t kGroupDigits = 3;  // digits

constexpr std::array<NumberForm, 6> kForms = {
    {{',', '.'}, {'.', ','}, {' ', '.'}, {' ', ','}, {'\'', '.'}, {'\'', ','}}};

constexpr bool is_digit_of_number(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_at(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit_of_number);
  return static_cast<std::size_t>(end - text.begin());
}

// Bytes of what parts thousands at the beginning of `text`; 0: nothing does.
std::size_t separator_at(std::string_view text, char thousands) {
  constexpr std::array<std::string_view, 3> kSpaces = {"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"};
  if (thousands == '\0' || text.empty() || text.front() == thousands) {
    return thousands == '\0' || text.empty() ? 0 : 1;
  }
  for (const std::string_view space : kSpaces) {
    if (thousands == ' ' && text.substr(0, space.size()) == space) {
      return space.size();
    }
  }
  return 0;
}

// Takes the digits before the fraction to `number`. False: their thousands are parted in another way.
bool take_whole(std::string_view& text, char thousands, std::string& number, bool& parted) {
  const std::size_t first = digits_at(text);
  const bool zero_leads = first != 0 && text.front() == '0';
  number.append(text.substr(0, first));
  text.remove_prefix(first);
  for (std::size_t bytes = 0; (bytes = separator_at(text, thousands)) != 0;) {
    text.remove_prefix(bytes);
    if (first == 0 || first > kGroupDigits || zero_leads || digits_at(text) != kGroupDigits) {
      return false;
    }
    number.append(text.substr(0, kGroupDigits));
    text.remove_prefix(kGroupDigits);
    parted = true;
  }
  return true;
}

std::optional<std::string> plain_number(std::string_view text, NumberForm form, bool& parted) {
  std::string number;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    number.assign(1, text.front());
    text.remove_prefix(1);
  }
  if (!take_whole(text, form.thousands, number, parted)) {
    return std::nullopt;
  }
  if (!text.empty() && text.front() == form.decimal) {
    number.push_back('.');
    text.remove_prefix(1);
  }
  const bool ends = parted ? digits_at(text) == text.size() : text.find_first_of(".,") == text.npos;
  return ends ? std::optional(number.append(text)) : std::nullopt;
}

}  // namespace

std::optional<std::string> plain_number(std::string_view text, NumberForm form) {
  bool parted = false;
  return plain_number(text, form, parted);
}

bool may_part_thousands(std::string_view text, char separator) {
  bool parted = false;
  return plain_number(text, {separator, '\0'}, parted) && parted;
}

char possible_thousands(std::string_view text) {
  for (const NumberForm form : kForms) {
    bool parted = false;
    if (plain_number(text, form, parted) && parted) {
      return form.thousands;
    }
  }
  return '\0';
}

std::string thousands_option(char thousands) {
  return thousands == ',' || thousands == '.' ? std::string("--thousands ") + thousands
                                              : std::string("--thousands '") + thousands + "'";
}

void NumberFormGuess::note_point(std::string_view text) {
  const bool may_part = may_part_thousands(text, '.');
  point_may_part_ = point_may_part_ || may_part;
  point_is_decimal_ = !may_part;
}

bool NumberFormGuess::may_be(NumberForm form) const {
  return (told_.thousands == '\0' || told_.thousands == form.thousands) &&
         (told_.decimal == '\0' || told_.decimal == form.decimal);
}

void NumberFormGuess::begin(bool integers) {
  for (Reading& reading : readings_) {
    const bool point = reading.form.decimal == '.';
    const bool comma_and_parts = reading.form.thousands == '.' && !point_is_decimal_;
    const bool no_points = !point_is_decimal_ && !point_may_part_;
    reading.possible = may_be(reading.form) && (point || comma_and_parts || no_points);
    reading.proven = point && point_is_decimal_;
    reading.doubtful = point && point_may_part_;
    reading.parted = comma_and_parts && point_may_part_;
    reading.integers = integers;
  }
}

void NumberFormGuess::see(std::string_view text) {
  for (Reading& reading : readings_) {
    if (reading.possible) {
      see(reading, text);
    }
  }
}

void NumberFormGuess::see(Reading& reading, std::string_view text) {
  const auto [thousands, decimal] = reading.form;
  bool parted = false;
  const auto number = plain_number(text, reading.form, parted);
  reading.possible = number && parse_number<double>(*number).has_value();
  if (!reading.possible) {
    return;
  }
  reading.integers = reading.integers && parse_number<std::int64_t>(*number).has_value();
  const bool has_fraction = text.find(decimal) != text.npos;
  const bool doubtful = has_fraction && !parted && may_part_thousands(text, decimal);
  const bool two_commas = thousands == ',' && std::count(text.begin(), text.end(), ',') > 1;
  reading.parted = reading.parted || parted;
  reading.doubtful = reading.doubtful || doubtful;
  reading.proven = reading.proven || (has_fraction && !doubtful) || two_commas;
}

bool NumberFormGuess::any() const {
  return std::any_of(readings_.begin(), readings_.end(),
                     [](const Reading& reading) { return reading.possible; });
}

char NumberFormGuess::possible_thousands() const {
  const auto parted = std::find_if(readings_.begin(), readings_.end(),
                                   [](const Reading& reading) { return reading.possible && reading.parted; });
  return parted != readings_.end() ? parted->form.thousands : '\0';
}

bool NumberFormGuess::is_settled(const Reading& reading) const {
  const bool apostrophe = reading.form.thousands == '\'' && !reading.doubtful;
  const bool found = reading.parted && (reading.proven || apostrophe);
  return reading.possible && (found || told_.thousands != '\0');
}

const NumberFormGuess::Reading* NumberFormGuess::settled() const {
  const auto found = std::find_if(readings_.begin(), readings_.end(),
                                  [&](const Reading& reading) { return is_settled(reading); });
  return found != readings_.end() ? &*found : nullptr;
}

std::optional<NumberForm> NumberFormGuess::form() const {
  const Reading* const reading = settled();
  return reading != nullptr ? std::optional(reading->form) : std::nullopt;
}

bool NumberFormGuess::are_integers() const {
  const Reading* const reading = settled();
  return reading != nullptr && reading->integers;
}

namespace {

namespace mpq = microparquet;

struct NamedKind {
  std::string_view name;
  Kind kind;
};
constexpr std::array<NamedKind, 11> kPlainKinds = {{{"bool", Kind::kBool},
                                                    {"float", Kind::kFloat},
                                                    {"double", Kind::kDouble},
                                                    {"string", Kind::kString},
                                                    {"enum", Kind::kEnum},
                                                    {"json", Kind::kJson},
                                                    {"binary", Kind::kBinary},
                                                    {"uuid", Kind::kUuid},
                                                    {"date", Kind::kDate},
                                                    {"time", Kind::kTime},
                                                    {"int96", Kind::kInt96}}};

struct NamedInteger {
  std::string_view name;
  std::uint8_t bits;
  bool is_signed;
};
constexpr std::array<NamedInteger, 8> kIntegers = {{{"int8", 8, true},
                                                    {"int16", 16, true},
                                                    {"int32", 32, true},
                                                    {"int64", 64, true},
                                                    {"uint8", 8, false},
                                                    {"uint16", 16, false},
                                                    {"uint32", 32, false},
                                                    {"uint64", 64, false}}};

struct NamedUnit {
  std::string_view suffix;
  mpq::TimeUnit unit;
};
constexpr std::array<NamedUnit, 3> kTimestampUnits = {
    {{"_ms", mpq::TimeUnit::kMillis}, {"_us", mpq::TimeUnit::kMicros}, {"_ns", mpq::TimeUnit::kNanos}}};

struct NamedEpoch {
  std::string_view name;
  std::int64_t units;
  mpq::TimeUnit stored;  // seconds may have a fraction, and the format has no unit of seconds
};
constexpr std::array<NamedEpoch, 4> kEpochs = {{{"epoch_s", 1, mpq::TimeUnit::kMicros},
                                                {"epoch_ms", 1'000, mpq::TimeUnit::kMillis},
                                                {"epoch_us", 1'000'000, mpq::TimeUnit::kMicros},
                                                {"epoch_ns", 1'000'000'000, mpq::TimeUnit::kNanos}}};

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (text.size() < suffix.size() || text.substr(text.size() - suffix.size()) != suffix) {
    return false;
  }
  text.remove_suffix(suffix.size());
  return true;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

bool take_number(std::string_view& text, std::uint8_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc{};
}

ColumnType of_kind(Kind kind) {
  ColumnType type;
  type.kind = kind;
  return type;
}

std::optional<ColumnType> parse_decimal(std::string_view name) {
  constexpr std::uint8_t kMaxPrecision = 18;  // digits of 64 bits
  ColumnType type = of_kind(Kind::kDecimal);
  if (!take_prefix(name, "decimal(") || !take_number(name, type.precision) || !take_prefix(name, ",") ||
      !take_number(name, type.scale) || name != ")") {
    return std::nullopt;
  }
  const bool valid = type.precision >= 1 && type.precision <= kMaxPrecision && type.scale <= type.precision;
  return valid ? std::optional(type) : std::nullopt;
}

// time[_ms|_us|_ns], timestamp[_ms|_us|_ns][_utc|_local]
std::optional<ColumnType> parse_time_type(std::string_view name) {
  ColumnType type;
  if (take_suffix(name, "_utc")) {
    type.zone = Zone::kUtc;
  } else if (take_suffix(name, "_local")) {
    type.zone = Zone::kLocal;
  }
  for (const NamedUnit& named : kTimestampUnits) {
    if (take_suffix(name, named.suffix)) {
      type.unit = named.unit;
      break;
    }
  }
  if (name == "time" && type.zone == Zone::kOfValues) {
    type.kind = Kind::kTime;
    return type;
  }
  type.kind = Kind::kTimestamp;
  return name == "timestamp" ? std::optional(type) : std::nullopt;
}

std::string_view suffix_of(mpq::TimeUnit unit) {
  for (const NamedUnit& named : kTimestampUnits) {
    if (named.unit == unit) {
      return named.suffix;
    }
  }
  return {};
}

}  // namespace

std::optional<ColumnType> parse_column_type(std::string_view name) {
  for (const NamedKind& named : kPlainKinds) {
    if (name == named.name) {
      return of_kind(named.kind);
    }
  }
  for (const NamedInteger& named : kIntegers) {
    if (name == named.name) {
      ColumnType type = of_kind(Kind::kInteger);
      type.bits = named.bits;
      type.is_signed = named.is_signed;
      return type;
    }
  }
  for (const NamedEpoch& named : kEpochs) {
    if (name == named.name) {
      ColumnType type = of_kind(Kind::kTimestamp);
      type.unit = named.stored;
      type.zone = Zone::kUtc;
      type.epoch_units = named.units;
      return type;
    }
  }
  const auto decimal = parse_decimal(name);
  return decimal ? decimal : parse_time_type(name);
}

std::string column_type_names() {
  std::string names;
  for (const NamedKind& named : kPlainKinds) {
    names.append(named.name).append(", ");
  }
  for (const NamedInteger& named : kIntegers) {
    names.append(named.name).append(", ");
  }
  return names +
         "decimal(PRECISION,SCALE), time[_ms|_us|_ns], timestamp[_ms|_us|_ns][_utc|_local], epoch_s, "
         "epoch_ms, epoch_us, epoch_ns";
}

ColumnType stored(ColumnType type) {
  type.epoch_units = 0;
  type.date_order = DateOrder::kUnknown;
  type.number_form = NumberForm();
  type.is_elapsed = false;
  type.affixes = Affixes();
  return type;
}

bool is_number(const ColumnType& type) {
  return type.kind == Kind::kInteger || type.kind == Kind::kFloat || type.kind == Kind::kDouble ||
         type.kind == Kind::kDecimal;
}

bool has_date(const ColumnType& type) {
  return type.kind == Kind::kDate || type.kind == Kind::kInt96 ||
         (type.kind == Kind::kTimestamp && type.epoch_units == 0);
}

std::string to_string(const ColumnType& type) {
  for (const NamedEpoch& named : kEpochs) {
    if (named.units == type.epoch_units) {
      return std::string(named.name);
    }
  }
  switch (type.kind) {
    case Kind::kInteger: return (type.is_signed ? "int" : "uint") + std::to_string(type.bits);
    case Kind::kDecimal:
      return "decimal(" + std::to_string(type.precision) + "," + std::to_string(type.scale) + ")";
    case Kind::kTime: return "time" + std::string(suffix_of(type.unit));
    case Kind::kTimestamp:
      return "timestamp" + std::string(suffix_of(type.unit)) +
             (type.zone == Zone::kUtc     ? "_utc"
              : type.zone == Zone::kLocal ? "_local"
                                          : "");
    default: break;
  }
  for (const NamedKind& named : kPlainKinds) {
    if (named.kind == type.kind) {
      return std::string(named.name);
    }
  }
  return {};
}

mpq::Field field_of(std::string_view name, const ColumnType& type) {
  switch (type.kind) {
    case Kind::kBool: return mpq::boolean_field(name);
    case Kind::kInteger: return mpq::integer_field(name, type.bits, type.is_signed);
    case Kind::kFloat: return mpq::float_field(name);
    case Kind::kDouble: return mpq::double_field(name);
    case Kind::kDecimal:
      return type.precision <= 9 ? mpq::decimal32_field(name, type.precision, type.scale)
                                 : mpq::decimal64_field(name, type.precision, type.scale);
    case Kind::kString: return mpq::string_field(name);
    case Kind::kEnum: return mpq::text_field(name, mpq::LogicalKind::kEnum);
    case Kind::kJson: return mpq::text_field(name, mpq::LogicalKind::kJson);
    case Kind::kBinary: return mpq::byte_array_field(name);
    case Kind::kUuid: return mpq::uuid_field(name);
    case Kind::kDate: return mpq::date_field(name);
    case Kind::kTime: return mpq::time_field(name, type.unit, false);
    case Kind::kTimestamp: return mpq::timestamp_field(name, type.unit, type.zone == Zone::kUtc);
    case Kind::kInt96: return mpq::desktop::int96_field(name);
  }
  return {};
}

std::optional<ColumnType> column_type_of(const mpq::SchemaElement& element) {
  const mpq::LogicalType& logical = element.logical;
  ColumnType type;
  switch (logical.kind) {
    case mpq::LogicalKind::kNone:
      type.kind = element.type == mpq::Type::kBoolean  ? Kind::kBool
                  : element.type == mpq::Type::kFloat  ? Kind::kFloat
                  : element.type == mpq::Type::kDouble ? Kind::kDouble
                  : element.type == mpq::Type::kInt96  ? Kind::kInt96
                                                       : Kind::kBinary;
      break;
    case mpq::LogicalKind::kString: type.kind = Kind::kString; break;
    case mpq::LogicalKind::kEnum: type.kind = Kind::kEnum; break;
    case mpq::LogicalKind::kJson: type.kind = Kind::kJson; break;
    case mpq::LogicalKind::kUuid: type.kind = Kind::kUuid; break;
    case mpq::LogicalKind::kDate: type.kind = Kind::kDate; break;
    case mpq::LogicalKind::kTime: type.kind = Kind::kTime; break;
    case mpq::LogicalKind::kTimestamp: type.kind = Kind::kTimestamp; break;
    case mpq::LogicalKind::kInteger: type.kind = Kind::kInteger; break;
    case mpq::LogicalKind::kDecimal: type.kind = Kind::kDecimal; break;
    default: return std::nullopt;
  }
  if (type.kind == Kind::kInteger) {
    type.bits = logical.bits;
    type.is_signed = logical.is_signed;
  }
  if (type.kind == Kind::kTimestamp) {
    type.zone = logical.utc ? Zone::kUtc : Zone::kLocal;
  }
  type.precision = logical.precision;
  type.scale = logical.scale;
  type.unit = logical.unit;
  const mpq::Field field = field_of(element.name, type);
  const bool same = field.type == element.type && field.type_length == element.type_length &&
                    (type.kind != Kind::kTime || field.logical.utc == logical.utc);
  return same ? std::optional(type) : std::nullopt;
}

std::int64_t units_per_second(mpq::TimeUnit unit) {
  switch (unit) {
    case mpq::TimeUnit::kMillis: return 1'000;
    case mpq::TimeUnit::kMicros: return 1'000'000;
    case mpq::TimeUnit::kNanos: return 1'000'000'000;
  }
  return 1;
}

}  // namespace csv_log
