// Numbers of any length, as they are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace mpq_tool {

// A whole number in two's complement, big-endian, of as many bytes as it needs, and how much of what was
// written it is.
struct WholePart {
  std::vector<std::byte> number;
  bool exact = true;  // false: what was written lies between it and the next greater one
};

// The number "-12.50e3" times 10 to the `scale`, rounded down. Of more than 1,000 digits before its point it is
// cut to that many: beyond every column's. Requires: digits with at most one point, a sign and an exponent.
WholePart whole_part(std::string_view text, unsigned scale);

// Whether the number is one of `bytes` bytes; then `stored` is it, little-endian.
bool fits_in(const std::vector<std::byte>& number, std::size_t bytes, bool is_signed,
             std::vector<std::byte>& stored);

}  // namespace mpq_tool
