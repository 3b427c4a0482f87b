// Counts all sectors written to the card, for the report. A card without supply refuses them, which the
// emulated one does not do by itself.
#pragma once

#include <cstdint>

std::uint32_t sector_writes();
