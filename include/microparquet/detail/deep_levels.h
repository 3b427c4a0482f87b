// Definition levels of an optional value in optional structs: which of these are there, or that the value is.
#pragma once

#include <cstdint>

#include "microparquet/detail/column_writer.h"
#include "microparquet/levels.h"

namespace microparquet::detail {

Levels::PrepareRows prepare_deep_levels;
Levels::Put put_deep_levels;
Levels::Finish finish_deep_levels;

// Levels from 0 to `highest`, which a value has. The writer of the structs puts them, up to 14.
class DeepLevels : public Levels {
 public:
  constexpr explicit DeepLevels(std::uint8_t highest)
      : Levels(prepare_deep_levels, put_deep_levels, finish_deep_levels), highest_(highest) {}

  // Returns the level of a value.
  constexpr std::uint8_t highest() const { return highest_; }
  // Returns the bits of a level.
  constexpr std::uint8_t bit_width() const {
    return static_cast<std::uint8_t>(highest_ < 2 ? 1 : highest_ < 4 ? 2 : highest_ < 8 ? 3 : 4);
  }

 private:
  std::uint8_t highest_;
};

}  // namespace microparquet::detail
