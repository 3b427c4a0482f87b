// Values as the tests of the corpus write them: exactly.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "microparquet/column_values.h"
#include "microparquet/value.h"

namespace value_texts {

namespace mpq = microparquet;

template <typename To, typename From>
To bits_of(From value) {
  static_assert(sizeof(To) == sizeof(From), "");
  To bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline std::string hex(std::string_view bytes) {
  std::string text = "x";
  char digits[3];
  for (const char byte : bytes) {
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(byte));
    text += digits;
  }
  return text;
}

template <typename... Arguments>
std::string format(const char* pattern, Arguments... arguments) {
  char text[32];
  std::snprintf(text, sizeof text, pattern, arguments...);
  return text;
}

inline std::string show(const mpq::Value& value) {
  if (value.null) return "null";
  switch (value.type) {
    case mpq::Type::kBoolean: return value.boolean ? "true" : "false";
    case mpq::Type::kInt32: return format("%" PRId32, value.int32);
    case mpq::Type::kInt64: return format("%" PRId64, value.int64);
    case mpq::Type::kFloat: return format("f%08" PRIx32, bits_of<std::uint32_t>(value.float32));
    case mpq::Type::kDouble: return format("d%016" PRIx64, bits_of<std::uint64_t>(value.float64));
    default: return hex(value.bytes);
  }
}

// A value at `data` in the form of next_batch or, with `width`, of next_run.
inline mpq::Value value_at(const std::byte* data, std::size_t i, mpq::Type type, std::uint32_t width) {
  mpq::Cell cell{data + i * width, width};
  mpq::Value value;
  value.type = type;
  value.null = false;
  switch (type) {
    case mpq::Type::kBoolean: value.boolean = cell.as<bool>(); break;
    case mpq::Type::kInt32: value.int32 = cell.as<std::int32_t>(); break;
    case mpq::Type::kInt64: value.int64 = cell.as<std::int64_t>(); break;
    case mpq::Type::kFloat: value.float32 = cell.as<float>(); break;
    case mpq::Type::kDouble: value.float64 = cell.as<double>(); break;
    case mpq::Type::kByteArray: value.bytes = cell.as<std::string_view>(); break;
    default: value.bytes = cell.text(); break;
  }
  return value;
}

// A value as cells and items have it.
inline mpq::Value value_of(const mpq::Cell& cell, mpq::Type type) {
  mpq::Value value;
  if (type == mpq::Type::kByteArray) {
    value.type = type;
    value.null = false;
    value.bytes = cell.text();
    return value;
  }
  return value_at(cell.data, 0, type, cell.bytes);
}

}  // namespace value_texts
