// The file that the tests of the ports log into.
#pragma once

#include <cstdint>

namespace microparquet {}

namespace ports {

namespace mpq = microparquet;

inline constexpr char kName[] = "LOG.PQT";

// The space that a sketch allows the file.
inline std::uint64_t most_bytes = 0xFFFFFFFF;

}  // namespace ports
