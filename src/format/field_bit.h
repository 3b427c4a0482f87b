// Fields of a struct as bits, to detect missing ones.
#pragma once

namespace microparquet::format {

// Requires: 0 < field < 32.
constexpr unsigned field_bit(int field) { return 1U << static_cast<unsigned>(field); }

}  // namespace microparquet::format
