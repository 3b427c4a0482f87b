// DELTA_BINARY_PACKED of numbers that are all there (Encodings.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace microparquet::desktop {

// Appends the numbers to `out`, in blocks of 128 values and 4 miniblocks. They wrap as numbers of 32 bits.
void append_packed(std::vector<std::byte>& out, const std::vector<std::uint32_t>& numbers);

}  // namespace microparquet::desktop
