// The footer of a summary, made the footer of one file that holds all parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "byte_views.h"

namespace microparquet::recovery {

// Bytes of positions that the summary and each part have for themselves: more than a file of either has, and
// few enough that 2^22 parts fit in 64 bits with a sign.
inline constexpr std::uint64_t kRoomBytes = std::uint64_t{1} << 40;

struct JoinedFooter {
  std::vector<std::byte> bytes;  // up to and with its PAR1
  std::vector<std::string>
      paths;  // of the parts; that of number i has positions from (i + 1) * kRoomBytes on
};

// `footer` is FileMetaData as it stands in the summary, without the length and PAR1 after it. Throws Failure.
JoinedFooter join_footer(ByteView footer);

}  // namespace microparquet::recovery
