// Lists of numbers in a footer or an index.
#pragma once

#include <cstdint>

#include "microparquet/span.h"
#include "thrift/compact_reader.h"

namespace microparquet::read {

// Reads the `size` numbers that are next into `places`. If `places` has another size, it passes them and
// returns false.
inline bool take_numbers(thrift::CompactReader& in, std::uint32_t size, Span<std::uint64_t> places) {
  const bool fits = size == places.size();
  for (std::uint32_t i = 0; i < size && in.ok(); ++i) {
    const std::uint64_t number = in.element_count();
    if (fits) places[i] = number;
  }
  return fits;
}

}  // namespace microparquet::read
