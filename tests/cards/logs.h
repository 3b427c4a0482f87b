// Logs of the workload `imu8` on a card: by the library, as CSV, and as structs as they are in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "cards/logged_card.h"

namespace cards {

struct Rate {
  double seconds = 3600;
  double hertz = 100;

  std::int32_t rows() const { return static_cast<std::int32_t>(seconds * hertz); }
  std::uint32_t ms_of(std::int32_t row) const { return static_cast<std::uint32_t>(row * 1000.0 / hertz); }
};

struct Logged {
  std::int32_t rows = 0;
  std::size_t ram_bytes = 0;  // on this machine, whose pointers have 64 bits
  std::uint64_t file_bytes = 0;
  double longest_wait_s = 0;  // of a row until it is durable
};

struct Log {
  const char* name;
  const char* what;
  Logged (*run)(LoggedCard& card, const Rate& rate);
  Rate rate = {};                 // of its figures
  std::uint32_t block_bytes = 0;  // of a card's page that it keeps whole, see OrderCheck; 0: of none
};

// Bytes of the values of a row.
inline constexpr double kRowBytes = 36;

const std::vector<Log>& logs();

}  // namespace cards
