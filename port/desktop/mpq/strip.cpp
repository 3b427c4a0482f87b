#include "strip.h"

#include <cmath>
#include <cstdint>

namespace mpq_tool {

namespace {

// From the top, of one character.
constexpr std::size_t kBrailleLevels = 4;
constexpr std::array<std::array<std::uint8_t, kBrailleLevels>, 2> kBrailleDots = {
    {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};
constexpr std::array<char, 3> kAsciiLevels = {'\'', '-', '_'};

struct Levels {
  std::size_t top;  // counted from the top
  std::size_t bottom;
};

// Of `count` levels; values that are all alike lie in the middle.
std::size_t level_of(double value, const Extent& all, std::size_t count) {
  const double span = all.most - all.least;
  const double share = span > 0 ? value / span - all.least / span : 0.5;
  const double from_bottom = share * static_cast<double>(count - 1);
  return count - 1 - static_cast<std::size_t>(std::lround(from_bottom));
}

Levels levels_of(const Extent& part, const Extent& all, std::size_t count) {
  return {level_of(part.most, all, count), level_of(part.least, all, count)};
}

std::string braille(std::uint8_t dots) {
  return {'\xE2', static_cast<char>(0xA0 | dots >> 6), static_cast<char>(0x80 | (dots & 0x3F))};
}

std::array<std::string, kStripLines> draw_braille(const Envelope& envelope) {
  std::array<std::string, kStripLines> lines;
  const auto& parts = envelope.parts();
  for (std::size_t cell = 0; cell < parts.size() / 2; ++cell) {
    std::array<std::uint8_t, kStripLines> dots = {};
    for (std::size_t side = 0; side < 2; ++side) {
      const Extent& part = parts[2 * cell + side];
      if (part.empty()) {
        continue;
      }
      const Levels levels = levels_of(part, envelope.all(), kStripLines * kBrailleLevels);
      for (std::size_t level = levels.top; level <= levels.bottom; ++level) {
        dots[level / kBrailleLevels] |= kBrailleDots[side][level % kBrailleLevels];
      }
    }
    for (std::size_t line = 0; line < kStripLines; ++line) {
      lines[line] += braille(dots[line]);
    }
  }
  return lines;
}

std::array<std::string, kStripLines> draw_ascii(const Envelope& envelope) {
  std::array<std::string, kStripLines> lines;
  constexpr std::size_t kLevels = kAsciiLevels.size();
  for (const Extent& part : envelope.parts()) {
    std::array<char, kStripLines> cell;
    cell.fill(' ');
    if (!part.empty()) {
      const Levels levels = levels_of(part, envelope.all(), kStripLines * kLevels);
      for (std::size_t level = levels.top; level <= levels.bottom; ++level) {
        char& drawn = cell[level / kLevels];
        drawn = drawn == ' ' ? kAsciiLevels[level % kLevels] : '|';
      }
    }
    for (std::size_t line = 0; line < kStripLines; ++line) {
      lines[line] += cell[line];
    }
  }
  return lines;
}

}  // namespace

std::array<std::string, kStripLines> draw_strip(const Envelope& envelope, Ink ink) {
  return ink == Ink::kBraille ? draw_braille(envelope) : draw_ascii(envelope);
}

}  // namespace mpq_tool
