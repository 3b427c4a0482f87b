// Numbers that follow from a seed, one after another.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lives {

// Spreads every bit of a number over all of them (the finalizer of splitmix64).
constexpr std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(mix(seed + 1)) {}

  std::uint64_t next() { return mix(state_ += 0x9E3779B97F4A7C15); }
  unsigned below(unsigned end) { return static_cast<unsigned>((next() >> 32) * end >> 32); }
  unsigned between(unsigned least, unsigned most) { return least + below(most - least + 1); }
  bool percent(unsigned share) { return below(100) < share; }
  template <typename T, std::size_t kSize>
  T any_of(const T (&list)[kSize]) {
    return list[below(kSize)];
  }

 private:
  std::uint64_t state_;
};

}  // namespace lives
