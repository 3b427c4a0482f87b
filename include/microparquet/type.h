// Physical types, which determine how a value is stored.
#pragma once

#include <cstdint>

namespace microparquet {

// Type of parquet.thrift, with its numbers.
enum class Type : std::uint8_t {
  kBoolean = 0,
  kInt32 = 1,
  kInt64 = 2,
  kInt96 = 3,  // written on desktops only
  kFloat = 4,
  kDouble = 5,
  kByteArray = 6,
  kFixedLenByteArray = 7,
};

}  // namespace microparquet
