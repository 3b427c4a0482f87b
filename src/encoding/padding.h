// Zeros after the values of a page, as fastparquet writes them.
#pragma once

#include <cstdint>

namespace microparquet::encoding {

// Bytes of them, if there are any.
inline constexpr std::uint32_t kPadding = 8;

}  // namespace microparquet::encoding
