// A line over time in characters.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "envelope.h"

namespace mpq_tool {

enum class Ink : unsigned char { kBraille, kAscii };

inline constexpr std::size_t kStripLines = 2;

// How many parts of an envelope a character shows.
constexpr std::size_t parts_in_cell(Ink ink) { return ink == Ink::kBraille ? 2 : 1; }

// The envelope from its smallest value, at the bottom, to its largest. In ASCII '|' is a line that rises or falls.
std::array<std::string, kStripLines> draw_strip(const Envelope& envelope, Ink ink);

}  // namespace mpq_tool
