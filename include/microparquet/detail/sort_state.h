// Check whether the rows of a row group came in the order that the options name.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/options.h"

namespace microparquet::detail {

// Value of one sorting column in the last row.
struct SortKey {
  std::uint8_t bytes;  // kept length of a byte array
  bool null;
  bool shortened;       // the byte array was longer
  std::byte value[33];  // the value; a number's place in the order, in eight bytes
};

struct SortState {
  bool any;             // a row has been seen in this row group
  bool broken;          // the order has been broken in this row group
  std::int8_t verdict;  // order of the current row so far: below 0 it comes after the last one, above 0
                        // before
  SortKey keys[1];      // key of each sorting column in the options
};

constexpr std::size_t sort_state_bytes(const Options& options) {
  const std::size_t keys = options.sorting.columns.size();
  return keys == 0 ? 0 : sizeof(SortState) + (keys - 1) * sizeof(SortKey);
}

}  // namespace microparquet::detail
