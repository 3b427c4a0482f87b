// The blocks of a file (Options::block_bytes), which it does not state.
#pragma once

#include <cstdint>

#include "traces.h"

namespace microparquet::recovery {

// 512; or, where footers of file `file_id` lie as only larger blocks make them, the largest size on which
// they all end.
std::uint32_t block_bytes_of(const Traces& traces, std::uint32_t file_id);

}  // namespace microparquet::recovery
