// Floating point at the resolution of the sensor that it comes from.
//
// Programs often compute a float from a sensor of 16 bits. Its last bits are noise of that computation, which
// does not compress. Rounded to the sensor's step, a column remains FLOAT for all readers, and takes half of
// its bytes when it is compressed or has a dictionary.
//
//   microparquet::column("ax", &Sample::ax).with_resolution(0.001)  // typed.h
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

namespace microparquet {

// Rounds to multiples of the largest power of two not above a step, which changes a value by at most half of
// the step. It uses only integer operations: the result is the same on every machine.
class Resolution {
 public:
  // Makes a resolution that leaves values unchanged.
  constexpr Resolution() = default;
  // Makes a resolution of `step`, the smallest difference that the sensor measures, in the unit of the
  // values. Requires: 1e-30 <= step <= 1e30.
  constexpr explicit Resolution(double step) : exponent_(floor_log2(step)) {}

  // Returns whether it leaves values unchanged.
  constexpr bool is_exact() const { return exponent_ == kExact; }

  // Returns the nearest multiple, the larger one of two. NaN and infinity stay unchanged.
  float nearest(float value) const { return rounded<std::uint32_t, 23>(value); }
  // Returns the nearest multiple in double precision.
  double nearest(double value) const { return rounded<std::uint64_t, 52>(value); }
  // Returns the nearest multiple of a value that may be missing.
  template <typename T>
  std::optional<T> nearest(const std::optional<T>& value) const {
    return value ? std::optional<T>(nearest(*value)) : value;
  }

 private:
  static constexpr int kExact = -1024;

  static constexpr int floor_log2(double step) {
    int exponent = 0;
    while (step >= 2) {
      step /= 2;
      ++exponent;
    }
    while (step < 1) {
      step *= 2;
      --exponent;
    }
    return exponent;
  }

  // Rounds a value. `Bits` holds a sign, an exponent and kMantissa bits of it.
  template <typename Bits, int kMantissa, typename T>
  T rounded(T value) const {
    static_assert(sizeof(Bits) == sizeof(T));
    constexpr int kExponents = (1 << (8 * sizeof(Bits) - 1 - kMantissa)) - 1;  // exponent of infinity and NaN
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    const int exponent = static_cast<int>(bits >> kMantissa & kExponents);
    const int dropped = exponent_ - (exponent - kExponents / 2) + kMantissa;
    if (is_exact() || dropped <= 0 || exponent == kExponents) return value;
    if (dropped > kMantissa + 1) return 0;
    // A carry out of the mantissa increments the exponent, which is right.
    bits += Bits{1} << (dropped - 1);
    bits &= ~Bits{0} << (dropped < kMantissa ? dropped : kMantissa);
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  int exponent_ = kExact;  // exponent of the power of two
};

}  // namespace microparquet
