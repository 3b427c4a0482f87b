// Sets of physical types.
#pragma once

#include <cstdint>

#include "microparquet/type.h"

namespace microparquet {

// Set of physical types, in one byte: TypeSet{Type::kInt32, Type::kInt64}.
class TypeSet {
 public:
  constexpr TypeSet() = default;

  // Makes a set of these types.
  template <typename... Types>
  constexpr TypeSet(Type first, Types... others)
      : bits_(static_cast<std::uint8_t>((mask_of(first) | ... | mask_of(others)))) {}

  // Returns whether `type` is in the set.
  constexpr bool contains(Type type) const { return (bits_ & mask_of(type)) != 0; }

 private:
  static constexpr unsigned mask_of(Type type) { return 1U << static_cast<unsigned>(type); }

  std::uint8_t bits_ = 0;
};

}  // namespace microparquet
