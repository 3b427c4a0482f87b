// How many sectors have been written to the card, whatever for: for the report only. A card without supply
// refuses them, which the emulated one does not do by itself.
#pragma once

#include <cstdint>

std::uint32_t sector_writes();
