// INT96 timestamps, for readers that know no others: nanoseconds of any day. The format has deprecated them, and gives them no
// order: columns have no bounds, and readers pass over nothing.
//
//   std::array<char, mpq::desktop::kInt96Bytes> bytes;
//   mpq::desktop::store_int96(bytes.data(), seconds, nanos);
//   row[0] = mpq::desktop::int96_value(bytes);
//
// Writer::append_columns() takes them as Int96, one after another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/schema.h"
#include "microparquet/value.h"

namespace microparquet::desktop {

constexpr std::size_t kInt96Bytes = 12;

// PLAIN of INT96. A library that is built for size (-Os) writes none: opening a file with it is kInvalidArgument.
const Encoder& plain_int96();

// A required column of them.
inline Field int96_field(std::string_view name) {
  return make_field(name, Type::kInt96, {}, plain_int96(), kNoBounds);
}

// Stores an instant: `seconds` since 1970-01-01 00:00 UTC, and `nanos` from 0 to 999,999,999 after it. False: its day is none
// that INT96 has.
bool store_int96(char* to, std::int64_t seconds, std::uint32_t nanos);

// A value for Writer::append(); the bytes are not copied.
inline Value int96_value(const std::array<char, kInt96Bytes>& bytes) {
  Value value = Value::of_fixed({bytes.data(), bytes.size()});
  value.type = Type::kInt96;
  return value;
}

}  // namespace microparquet::desktop
