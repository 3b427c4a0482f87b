// Bytes in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "microparquet/span.h"

namespace microparquet::recovery {

using Bytes = std::vector<std::byte>;
using ByteView = Span<const std::byte>;

inline void append(Bytes& bytes, ByteView more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

}  // namespace microparquet::recovery
