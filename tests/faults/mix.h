// Numbers that look like chance.
#pragma once

#include <cstdint>

namespace faults {

// A number that follows from its arguments.
constexpr std::uint32_t mix(std::uint32_t a, std::uint32_t b) {
  std::uint32_t x = a * 0x9E3779B9U ^ (b + 1) * 0x85EBCA6BU;
  x ^= x >> 15;
  x *= 0x2C1B3C6DU;
  return x ^ x >> 13;
}

}  // namespace faults
