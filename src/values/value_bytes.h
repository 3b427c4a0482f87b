// Bytes of a value in the form of statistics.
#pragma once

#include <cstddef>

#include "microparquet/span.h"
#include "microparquet/value.h"

namespace microparquet::detail {

// Returns the value's bytes in PLAIN, a byte array without its length. They point into the value. Requires:
// it is not null.
inline Span<const std::byte> bytes_of(const Value& value) {
  const auto show = [](const auto& member) {
    return Span<const std::byte>(reinterpret_cast<const std::byte*>(&member), sizeof member);
  };
  switch (value.type) {
    case Type::kBoolean: return show(value.boolean);
    case Type::kInt32: return show(value.int32);
    case Type::kInt64: return show(value.int64);
    case Type::kFloat: return show(value.float32);
    case Type::kDouble: return show(value.float64);
    default: return {reinterpret_cast<const std::byte*>(value.bytes.data()), value.bytes.size()};
  }
}

}  // namespace microparquet::detail
