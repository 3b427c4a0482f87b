// xxHash with 64 bits and seed 0 (XXHASH of parquet.thrift), by which bloom filters know values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/span.h"

namespace microparquet::util {

std::uint64_t xxhash64(Span<const std::byte> bytes);

}  // namespace microparquet::util
