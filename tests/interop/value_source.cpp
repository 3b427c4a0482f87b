#include "value_source.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace interop {
namespace {

namespace mpq = microparquet;
using mpq::LogicalKind;
using mpq::TimeUnit;
using mpq::Value;

__extension__ typedef __int128 Int128;  // NOLINT(modernize-use-using): __extension__ goes with typedef only

constexpr std::array<std::string_view, 8> kGlyphs = {"a", "é", "漢", "😀", "z", "Ω", "0", "~"};

// A 64-bit number for a row of a column: the source of every value that is not an edge.
std::uint64_t mix(std::uint64_t row, std::uint64_t column) {
  std::uint64_t x = (row + 1) * 0x9E3779B97F4A7C15U + column * 0xD1B54A32D192ED03U;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93U;
  return x ^ (x >> 32);
}

// Every fifth row takes an edge value, one after the other.
template <typename T>
bool edge(std::uint64_t row, const std::vector<T>& edges, T& value) {
  if (row % 5 != 0) return false;
  value = edges[row / 5 % edges.size()];
  return true;
}

// Any 64-bit integer from `low` to `high`; unsigned ones are handled by their bits.
std::uint64_t integer(std::uint64_t low, std::uint64_t high, std::uint64_t row, std::uint64_t column) {
  std::uint64_t value = 0;
  if (edge<std::uint64_t>(row, {low, high, low + 1, high - 1}, value)) return value;
  const std::uint64_t span = high - low + 1;
  const std::uint64_t x = mix(row, column);
  return low + (span == 0 ? x : x % span);
}

std::uint64_t bits_of(std::int64_t value) { return static_cast<std::uint64_t>(value); }

ValueSource int32_values(std::int64_t low, std::int64_t high) {
  return [=](std::uint64_t row, std::uint64_t column) {
    const std::uint64_t bits = integer(bits_of(low), bits_of(high), row, column);
    return OwnedValue{Value::of(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits))), {}};
  };
}

ValueSource int64_values(std::uint64_t low, std::uint64_t high) {
  return [=](std::uint64_t row, std::uint64_t column) {
    return OwnedValue{Value::of(static_cast<std::int64_t>(integer(low, high, row, column))), {}};
  };
}

OwnedValue fixed(std::string bytes) {
  OwnedValue owned;
  owned.bytes = std::move(bytes);
  owned.value = Value::of_fixed({});
  return owned;
}

OwnedValue variable(std::string bytes) {
  OwnedValue owned = fixed(std::move(bytes));
  owned.value = Value::of_bytes({});
  return owned;
}

std::string big_endian(Int128 value, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = size; i > 0; --i) {
    bytes[i - 1] = static_cast<char>(static_cast<unsigned char>(value & 0xFF));
    value >>= 8;
  }
  return bytes;
}

// Bytes of the shortest two's complement form.
std::size_t shortest(Int128 value) {
  std::size_t size = 1;
  while (value < -128 || value > 127) {
    value >>= 8;
    ++size;
  }
  return size;
}

Int128 power_of_ten(int exponent) {
  Int128 value = 1;
  while (exponent-- > 0) value *= 10;
  return value;
}

Int128 big_decimal(Int128 limit, Int128 factor, std::uint64_t row, std::uint64_t column) {
  Int128 value = 0;
  if (edge<Int128>(row, {limit, -limit, 0, 1, -1, 127, 128, -128, -129}, value)) return value;
  return static_cast<Int128>(static_cast<std::int64_t>(mix(row, column))) * factor;
}

template <typename T>
OwnedValue floating(std::uint64_t row, std::uint64_t column) {
  using Limits = std::numeric_limits<T>;
  T value = 0;
  const std::vector<T> edges = {T(0),
                                -T(0),
                                Limits::quiet_NaN(),
                                Limits::infinity(),
                                -Limits::infinity(),
                                Limits::max(),
                                Limits::lowest(),
                                Limits::denorm_min()};
  if (!edge(row, edges, value)) {
    value = static_cast<T>(static_cast<std::int64_t>(mix(row, column) % 2000001) - 1000000) / T(64);
  }
  return OwnedValue{Value::of(value), {}};
}

OwnedValue half(std::uint64_t row, std::uint64_t column) {
  std::uint16_t bits = static_cast<std::uint16_t>(mix(row, column));
  edge<std::uint16_t>(row, {0x0000, 0x8000, 0x7E00, 0x7C00, 0xFC00, 0x7BFF, 0xFBFF, 0x0001}, bits);
  return fixed({static_cast<char>(bits & 0xFF), static_cast<char>(bits >> 8)});
}

std::string byte_run(std::uint64_t row, std::uint64_t column, std::size_t length) {
  const std::uint64_t start = mix(row, column);
  std::string bytes;
  for (std::size_t j = 0; j < length; ++j) bytes.push_back(static_cast<char>((start + 7 * j) & 0xFF));
  return bytes;
}

OwnedValue byte_array(std::uint64_t row, std::uint64_t column) {
  std::size_t length = mix(row, column) % 20;
  edge<std::size_t>(row, {0, 100, 31, 32, 33}, length);
  return variable(byte_run(row, column, length));
}

OwnedValue text(std::uint64_t row, std::uint64_t column) {
  std::string bytes;
  if (row % 5 == 0) {
    const std::size_t count = row % 3 == 0 ? 0 : 30;
    for (std::size_t j = 0; j < count; ++j) bytes += kGlyphs[row / 5 % 8];
    return variable(bytes);
  }
  const std::uint64_t x = mix(row, column);
  for (std::uint64_t j = 0; j < x % 12; ++j) bytes += kGlyphs[(x >> (8 + 3 * j)) & 7];
  return variable(bytes);
}

OwnedValue enumerator(std::uint64_t row, std::uint64_t column) {
  const std::array<const char*, 3> names = {"RED", "GREEN", "BLUE"};
  return variable(names[mix(row, column) % 3]);
}

OwnedValue json_document(std::uint64_t row, std::uint64_t column) {
  return variable("{\"i\":" + std::to_string(mix(row, column) % 1000) + ",\"s\":\"é\"}");
}

std::string little_endian(std::uint32_t value) {
  std::string bytes = big_endian(value, 4);
  return {bytes.rbegin(), bytes.rend()};
}

// The document {"i": int32}.
OwnedValue bson_document(std::uint64_t row, std::uint64_t column) {
  const auto number = static_cast<std::uint32_t>(mix(row, column) % 100000);
  return variable(little_endian(12) + std::string("\x10i\0", 3) + little_endian(number) +
                  std::string(1, '\0'));
}

OwnedValue uuid(std::uint64_t row, std::uint64_t column) {
  std::string bytes = big_endian(mix(row, column), 8) + big_endian(mix(row, column + 1000), 8);
  edge<std::string>(row, {std::string(16, '\0'), std::string(16, '\xFF')}, bytes);
  return fixed(bytes);
}

OwnedValue interval(std::uint64_t row, std::uint64_t column) {
  const std::uint64_t x = mix(row, column);
  return fixed(little_endian(static_cast<std::uint32_t>(x % 1000)) +
               little_endian(static_cast<std::uint32_t>((x >> 20) % 1000)) +
               little_endian(static_cast<std::uint32_t>((x >> 40) % 86400000)));
}

using Types = std::map<std::string, ColumnType>;

void add_plain_types(Types& types) {
  constexpr std::int64_t kMin32 = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kMax32 = std::numeric_limits<std::int32_t>::max();
  constexpr std::uint64_t kMin64 = 1ULL << 63;
  types["boolean"] = {mpq::boolean_field, [](std::uint64_t row, std::uint64_t column) {
                        // A hundred equal ones after a hundred others.
                        const std::uint64_t from = row / 100 % 2 != 0 ? row : row / 100;
                        return OwnedValue{Value::of((mix(from, column) & 1) != 0), {}};
                      }};
  types["int32"] = {mpq::int32_field, int32_values(kMin32, kMax32)};
  types["int64"] = {mpq::int64_field, int64_values(kMin64, kMin64 - 1)};
  types["float"] = {mpq::float_field, floating<float>};
  types["double"] = {mpq::double_field, floating<double>};
  types["float_nan"] = {mpq::float_field, [](std::uint64_t, std::uint64_t) {
                          return OwnedValue{Value::of(std::numeric_limits<float>::quiet_NaN()), {}};
                        }};
  types["double_zero"] = {mpq::double_field, [](std::uint64_t row, std::uint64_t) {
                            return OwnedValue{Value::of(row % 2 != 0 ? -0.0 : 0.0), {}};
                          }};
  types["byte_array"] = {mpq::byte_array_field, byte_array};
  types["byte_array_ff"] = {mpq::byte_array_field, [](std::uint64_t row, std::uint64_t) {
                              return variable(std::string(row % 2 != 0 ? 40 : 3, '\xFF'));
                            }};
  types["fixed"] = {[](const std::string& name) { return mpq::fixed_field(name, 7); },
                    [](std::uint64_t row, std::uint64_t column) { return fixed(byte_run(row, column, 7)); }};
}

ColumnType text_type(LogicalKind kind, ValueSource value) {
  return {[kind](const std::string& name) { return mpq::text_field(name, kind); }, std::move(value)};
}

void add_byte_types(Types& types) {
  types["string"] = {mpq::string_field, text};
  types["enum"] = text_type(LogicalKind::kEnum, enumerator);
  types["json"] = text_type(LogicalKind::kJson, json_document);
  types["bson"] = text_type(LogicalKind::kBson, bson_document);
  types["uuid"] = {mpq::uuid_field, uuid};
  types["float16"] = {mpq::float16_field, half};
  types["interval"] = {mpq::interval_field, interval};
}

void add_integer_types(Types& types) {
  for (const std::uint8_t bits : {std::uint8_t{8}, std::uint8_t{16}, std::uint8_t{32}, std::uint8_t{64}}) {
    const std::uint64_t half = 1ULL << (bits - 1);
    const std::uint64_t last = half - 1 + half;
    for (const bool is_signed : {true, false}) {
      const auto field = [=](const std::string& name) { return mpq::integer_field(name, bits, is_signed); };
      const std::uint64_t low = is_signed ? 0 - half : 0;
      const std::uint64_t high = is_signed ? half - 1 : last;
      types[(is_signed ? "int_" : "uint_") + std::to_string(bits)] = {
          field, bits == 64 ? int64_values(low, high)
                            : int32_values(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high))};
    }
  }
}

ValueSource decimal_fixed(std::size_t size,
                          const std::function<Int128(std::uint64_t, std::uint64_t)>& number) {
  return
      [=](std::uint64_t row, std::uint64_t column) { return fixed(big_endian(number(row, column), size)); };
}

void add_decimal_types(Types& types) {
  const Int128 nines9 = power_of_ten(9) - 1;
  const Int128 nines18 = power_of_ten(18) - 1;
  const auto nines11 = static_cast<std::uint64_t>(power_of_ten(11) - 1);
  types["decimal_int32"] = {
      [](const std::string& name) { return mpq::decimal32_field(name, 9, 2); },
      int32_values(static_cast<std::int64_t>(-nines9), static_cast<std::int64_t>(nines9))};
  types["decimal_int64"] = {
      [](const std::string& name) { return mpq::decimal64_field(name, 18, 4); },
      int64_values(static_cast<std::uint64_t>(-nines18), static_cast<std::uint64_t>(nines18))};
  types["decimal_fixed_5"] = {
      [](const std::string& name) { return mpq::decimal_fixed_field(name, 5, 11, 3); },
      decimal_fixed(5, [=](std::uint64_t row, std::uint64_t column) {
        return static_cast<Int128>(static_cast<std::int64_t>(integer(0 - nines11, nines11, row, column)));
      })};
  types["decimal_fixed_16"] = {
      [](const std::string& name) { return mpq::decimal_fixed_field(name, 16, 38, 10); },
      decimal_fixed(16, [](std::uint64_t row, std::uint64_t column) {
        return big_decimal(power_of_ten(38) - 1, power_of_ten(18), row, column);
      })};
  types["decimal_binary"] = {[](const std::string& name) { return mpq::decimal_binary_field(name, 20, 5); },
                             [](std::uint64_t row, std::uint64_t column) {
                               const Int128 n = big_decimal(power_of_ten(20) - 1, 1, row, column);
                               return variable(big_endian(n, shortest(n)));
                             }};
}

// The range that every reader can show: 1900-01-01 to 2262-04-11.
constexpr std::int64_t kFirstSecond = -2208988800;
constexpr std::int64_t kLastSecond = 9223286400;

struct Unit {
  const char* name;
  TimeUnit unit;
  std::int64_t per_second;
};

void add_time_types(Types& types) {
  types["date"] = {mpq::date_field, int32_values(kFirstSecond / 86400, kLastSecond / 86400)};
  for (const Unit& u : {Unit{"ms", TimeUnit::kMillis, 1000}, Unit{"us", TimeUnit::kMicros, 1000000},
                        Unit{"ns", TimeUnit::kNanos, 1000000000}}) {
    for (const bool utc : {true, false}) {
      const std::string suffix = std::string(u.name) + (utc ? "_utc" : "_local");
      const TimeUnit unit = u.unit;
      const std::int64_t day = 86400 * u.per_second - 1;
      types["time_" + suffix] = {
          [=](const std::string& name) { return mpq::time_field(name, unit, utc); },
          unit == TimeUnit::kMillis ? int32_values(0, day) : int64_values(0, bits_of(day))};
      types["timestamp_" + suffix] = {
          [=](const std::string& name) { return mpq::timestamp_field(name, unit, utc); },
          int64_values(bits_of(kFirstSecond * u.per_second),
                       bits_of(kLastSecond * u.per_second + u.per_second - 1))};
    }
  }
}

OwnedValue of_int64(std::int64_t value) { return OwnedValue{Value::of(value), {}}; }

OwnedValue sequence_text(std::uint64_t row) {
  const std::string digits = std::to_string(row);
  return variable(std::string(6 - digits.size(), '0') + digits + std::string(40, 'x'));
}

// Values that grow from row to row, so that row groups can be skipped by their statistics.
void add_sequence_types(Types& types) {
  const auto number = [](std::uint64_t row) { return static_cast<std::int64_t>(row); };
  types["seq_int64"] = {mpq::int64_field,
                        [=](std::uint64_t row, std::uint64_t) { return of_int64(10 * number(row) - 1500); }};
  types["seq_uint_64"] = {[](const std::string& name) { return mpq::integer_field(name, 64, false); },
                          [](std::uint64_t row, std::uint64_t) {
                            return of_int64(static_cast<std::int64_t>((1ULL << 63) - 150 + row));
                          }};
  types["seq_double"] = {mpq::double_field, [](std::uint64_t row, std::uint64_t) {
                           return OwnedValue{Value::of(static_cast<double>(row) / 4 - 40), {}};
                         }};
  types["seq_string"] = {mpq::string_field,
                         [](std::uint64_t row, std::uint64_t) { return sequence_text(row); }};
  types["seq_date"] = {mpq::date_field, [=](std::uint64_t row, std::uint64_t) {
                         return OwnedValue{Value::of(static_cast<std::int32_t>(number(row) - 100)), {}};
                       }};
  types["seq_timestamp"] = {
      [](const std::string& name) { return mpq::timestamp_field(name); },
      [=](std::uint64_t row, std::uint64_t) { return of_int64(1700000000000000 + 1001 * number(row)); }};
  types["seq_decimal_fixed"] = {
      [](const std::string& name) { return mpq::decimal_fixed_field(name, 16, 38, 2); },
      [=](std::uint64_t row, std::uint64_t) { return fixed(big_endian(number(row) - 150, 16)); }};
  types["seq_decimal_int64"] = {
      [](const std::string& name) { return mpq::decimal64_field(name, 18, 2); },
      [=](std::uint64_t row, std::uint64_t) { return of_int64(3 * number(row) - 450); }};
}

constexpr std::array<std::string_view, 6> kBoundGlyphs = {"\x7F",         "\xDF\xBF",         "\xED\x9F\xBF",
                                                          "\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF", "é"};

// Code points that are the last of their length, or before the surrogates, at every place of a bound.
OwnedValue bound_string(std::uint64_t row, std::uint64_t column) {
  const std::uint64_t x = mix(row, column);
  std::string bytes(x % 35, 'a');
  for (std::uint64_t j = 0; j < (x >> 20) % 12; ++j) bytes += kBoundGlyphs[row % 6];
  return variable(bytes);
}

OwnedValue bound_bytes(std::uint64_t row, std::uint64_t column) {
  const std::uint64_t x = mix(row, column);
  return variable(std::string(x % 35, 'b') + std::string((x >> 20) % 40, '\xFF'));
}

OwnedValue bound_document(std::uint64_t row, std::uint64_t column) {
  return variable("{\"j\":\"" + std::string(mix(row, column) % 45, 'j') + "\"}");
}

OwnedValue bound_decimal(std::uint64_t row, std::uint64_t column) {
  const Int128 n = static_cast<std::int64_t>(mix(row, column)) >> (row % 60);
  return variable(big_endian(n, shortest(n)));
}

// Adds types for bounds: a row group of one row has that row's value as both.
void add_bound_types(Types& types) {
  types["bound_string"] = {mpq::string_field, bound_string};
  types["bound_bytes"] = {mpq::byte_array_field, bound_bytes};
  types["bound_json"] = text_type(LogicalKind::kJson, bound_document);
  types["bound_decimal"] = {[](const std::string& name) { return mpq::decimal_binary_field(name, 20, 5); },
                            bound_decimal};
}

Types make_types() {
  Types types;
  add_plain_types(types);
  add_byte_types(types);
  add_integer_types(types);
  add_decimal_types(types);
  add_time_types(types);
  add_sequence_types(types);
  add_bound_types(types);
  return types;
}

const std::map<std::string, bool (*)(std::uint64_t)>& null_patterns() {
  static const std::map<std::string, bool (*)(std::uint64_t)> patterns = {
      {"required", [](std::uint64_t) { return false; }},
      {"none", [](std::uint64_t) { return false; }},
      {"all", [](std::uint64_t) { return true; }},
      {"alternating", [](std::uint64_t row) { return row % 2 == 0; }},
      {"thirds", [](std::uint64_t row) { return row % 3 == 0; }},
      {"runs", [](std::uint64_t row) { return row / 70 % 2 == 0; }},
  };
  return patterns;
}

}  // namespace

const std::map<std::string, ColumnType>& column_types() {
  static const Types types = make_types();
  return types;
}

bool is_null_pattern(const std::string& pattern) { return null_patterns().count(pattern) != 0; }

bool is_null(const std::string& pattern, std::uint64_t row) { return null_patterns().at(pattern)(row); }

}  // namespace interop
