#include "value_order.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace microparquet::recovery {

namespace {

template <typename T>
int compare_numbers(T a, T b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

template <typename T>
int compare_as(ByteView a, ByteView b) {
  T x = {};
  T y = {};
  return bound_as(a, x) && bound_as(b, y) ? compare_numbers(x, y) : 0;
}

int compare_bytes(ByteView a, ByteView b) {
  const std::size_t both = std::min(a.size(), b.size());
  const int order = both != 0 ? std::memcmp(a.data(), b.data(), both) : 0;
  return order != 0 ? order : compare_numbers(a.size(), b.size());
}

// Two's complement, big-endian, of any lengths.
int compare_decimals(ByteView a, ByteView b) {
  const auto negative = [](ByteView value) {
    return !value.empty() && (value[0] & std::byte{0x80}) != std::byte{0};
  };
  if (negative(a) != negative(b)) {
    return negative(a) ? -1 : 1;
  }
  const std::byte extension = negative(a) ? std::byte{0xFF} : std::byte{0};
  const std::size_t size = std::max(a.size(), b.size());
  const auto byte_at = [&](ByteView value, std::size_t i) {
    const std::size_t missing = size - value.size();
    return i < missing ? extension : value[i - missing];
  };
  for (std::size_t i = 0; i < size; ++i) {
    if (byte_at(a, i) != byte_at(b, i)) {
      return byte_at(a, i) < byte_at(b, i) ? -1 : 1;
    }
  }
  return 0;
}

bool is_float16(const SchemaElement& element) {
  return element.type == Type::kFixedLenByteArray && element.logical.kind == LogicalKind::kFloat16;
}

}  // namespace

bool has_order(const SchemaElement& element) {
  return element.type != Type::kInt96 && element.logical.kind != LogicalKind::kInterval &&
         !is_read_only(element.logical.kind);
}

int compare(const SchemaElement& element, ByteView a, ByteView b) {
  const bool is_unsigned = element.logical.kind == LogicalKind::kInteger && !element.logical.is_signed;
  switch (element.type) {
    case Type::kBoolean: return compare_as<std::uint8_t>(a, b);
    case Type::kInt32: return is_unsigned ? compare_as<std::uint32_t>(a, b) : compare_as<std::int32_t>(a, b);
    case Type::kInt64: return is_unsigned ? compare_as<std::uint64_t>(a, b) : compare_as<std::int64_t>(a, b);
    case Type::kFloat: return compare_as<float>(a, b);
    case Type::kDouble: return compare_as<double>(a, b);
    default: break;
  }
  if (element.logical.kind == LogicalKind::kDecimal) {
    return compare_decimals(a, b);
  }
  if (is_float16(element) && a.size() == 2 && b.size() == 2) {
    return compare_numbers(float16_value(a), float16_value(b));
  }
  return compare_bytes(a, b);
}

float float16_value(ByteView value) {
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

bool is_nan(const SchemaElement& element, ByteView value) {
  float single = 0;
  double wide = 0;
  if (element.type == Type::kFloat) {
    return bound_as(value, single) && std::isnan(single);
  }
  if (element.type == Type::kDouble) {
    return bound_as(value, wide) && std::isnan(wide);
  }
  return is_float16(element) && value.size() == 2 && std::isnan(float16_value(value));
}

}  // namespace microparquet::recovery
