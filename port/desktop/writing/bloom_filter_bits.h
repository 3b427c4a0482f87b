// Split-block bloom filters (BloomFilter.md): of a value eight bits in one block of 32 bytes, a bit in each of its words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/span.h"

namespace microparquet::desktop {

// Adds the value, as PLAIN has it, a byte array without its length, to whole blocks.
void add_to_filter(Span<std::byte> filter, Span<const std::byte> value);

}  // namespace microparquet::desktop
