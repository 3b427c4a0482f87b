#pragma once

#include <cstdint>

// Constants of CRC-32 folding, derived instead of quoted.
//
// The checksum is the remainder of the message, taken as a polynomial over GF(2), modulo P. Bytes come lowest
// bit first, and bit 0 of a register is the highest power: all constants here are bit-reversed. A carry-less
// product of two reversed 64-bit numbers comes out one bit too low, which the shift in fold_constant
// corrects.
namespace microparquet::crc32_polynomial {

// P without its x^32, bit-reversed.
inline constexpr std::uint32_t kReversed = 0xEDB88320;

// P whole, bit-reversed in 33 bits.
inline constexpr std::uint64_t kWhole = (std::uint64_t{kReversed} << 1) | 1;

// x^n modulo P, bit-reversed in 32 bits.
constexpr std::uint32_t power(unsigned n) {
  std::uint32_t value = 0x80000000;
  for (unsigned i = 0; i < n; ++i) value = (value >> 1) ^ ((value & 1) != 0 ? kReversed : 0);
  return value;
}

// Returns the factor that carries 64 bits forward: by n - 32 bits if they are the lower powers of their 128.
constexpr std::uint64_t fold_constant(unsigned n) { return std::uint64_t{power(n)} << 1; }

// Factors for the two halves of a 128-bit accumulator, which two products carry `bits` forward.
constexpr std::uint64_t fold_first_half(unsigned bits) { return fold_constant(bits + 32); }
constexpr std::uint64_t fold_second_half(unsigned bits) { return fold_constant(bits - 32); }

// Returns the quotient of x^64 by P, bit-reversed in 33 bits: the factor of Barrett's reduction.
constexpr std::uint64_t barrett_quotient() {
  std::uint64_t quotient = 1;      // coefficient of x^32, which comes first
  std::uint32_t rest = kReversed;  // powers 63 to 32 of x^64 - x^32 P
  for (unsigned bit = 1; bit <= 32; ++bit) {
    const std::uint64_t coefficient = rest & 1;
    quotient |= coefficient << bit;
    rest = (rest >> 1) ^ (coefficient != 0 ? kReversed : 0);
  }
  return quotient;
}

}  // namespace microparquet::crc32_polynomial
