// Floating point at the resolution of the sensor that it comes from.
//
// What a sensor of 16 bits measures is often computed as a float, whose last bits are noise of that
// computation: they take as many bytes as the others and do not compress. Rounded to the sensor's step, a
// column remains FLOAT for all readers, and takes half of its bytes when it is compressed or has a dictionary.
//
//   microparquet::column("ax", &Sample::ax).with_resolution(0.001)  // typed.h
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

namespace microparquet {

// Rounds to multiples of a power of two, the largest that is not above a step: so a value changes by half of
// the step at most. Integer operations alone, so the result is the same on every machine.
class Resolution {
 public:
  // Leaves values as they are.
  constexpr Resolution() = default;
  // `step` is what the sensor tells apart, in the unit of the values. Requires: 1e-30 <= step <= 1e30.
  constexpr explicit Resolution(double step) : exponent_(floor_log2(step)) {}

  // Whether it leaves values as they are.
  constexpr bool is_exact() const { return exponent_ == kExact; }

  // The nearest multiple, the larger one of two. NaN and infinity stay what they are.
  float nearest(float value) const { return rounded<std::uint32_t, 23>(value); }
  // The same in double precision.
  double nearest(double value) const { return rounded<std::uint64_t, 52>(value); }
  // The same of a value that may be missing.
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

  // `Bits` holds a sign, an exponent and kMantissa bits of a value.
  template <typename Bits, int kMantissa, typename T>
  T rounded(T value) const {
    static_assert(sizeof(Bits) == sizeof(T));
    constexpr int kExponents = (1 << (8 * sizeof(Bits) - 1 - kMantissa)) - 1;  // of infinity and NaN
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    const int exponent = static_cast<int>(bits >> kMantissa & kExponents);
    const int dropped = exponent_ - (exponent - kExponents / 2) + kMantissa;
    if (is_exact() || dropped <= 0 || exponent == kExponents) return value;
    if (dropped > kMantissa + 1) return 0;
    // What is carried out of the mantissa makes the exponent larger by one, as it should.
    bits += Bits{1} << (dropped - 1);
    bits &= ~Bits{0} << (dropped < kMantissa ? dropped : kMantissa);
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  int exponent_ = kExact;  // of the power of two
};

}  // namespace microparquet
