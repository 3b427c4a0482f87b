// The dates that FatFs gives to files and folders.
#pragma once

#include <cstdint>

namespace file_dates {

// Tells the time, in seconds since 1970, UTC. Until then, it is 1 January 1980.
void set(std::int64_t unix_s);

}  // namespace file_dates
