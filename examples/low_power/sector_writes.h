// How many sectors have been written to the card, whatever for: for the report only.
#pragma once

#include <cstdint>

std::uint32_t sector_writes();
