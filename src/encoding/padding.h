// Zeros that fastparquet writes after the values of a page.
#pragma once

#include <cstdint>

namespace microparquet::encoding {

// Number of these bytes, if there are any.
inline constexpr std::uint32_t kPadding = 8;

}  // namespace microparquet::encoding
