// The file that the tests of the ports log into.
#pragma once

#include <cstdint>

namespace microparquet {}

namespace ports {

namespace mpq = microparquet;

inline constexpr char kName[] = "LOG.PQT";

// What a sketch says of the space there is.
inline std::uint64_t most_bytes = 0xFFFFFFFF;

}  // namespace ports
