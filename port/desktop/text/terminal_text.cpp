#include "microparquet/text/terminal_text.h"

#include <algorithm>
#include <array>

#include "microparquet/text/utf8.h"

namespace microparquet::text {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t N>
bool lies_in(const std::array<Range, N>& ranges, char32_t code_point) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

// Unicode's East Asian Width W and F, in whole blocks, and characters without a width.
std::size_t columns_of(char32_t code_point) {
  constexpr std::array<Range, 13> kWide = {{{0x1100, 0x115F},
                                            {0x231A, 0x231B},
                                            {0x2E80, 0x303E},
                                            {0x3041, 0xA4CF},
                                            {0xA960, 0xA97F},
                                            {0xAC00, 0xD7A3},
                                            {0xF900, 0xFAFF},
                                            {0xFE30, 0xFE6F},
                                            {0xFF01, 0xFF60},
                                            {0xFFE0, 0xFFE6},
                                            {0x1F300, 0x1F64F},
                                            {0x1F680, 0x1FAFF},
                                            {0x20000, 0x3FFFD}}};
  constexpr std::array<Range, 7> kWithout = {{{0x0300, 0x036F},
                                              {0x0483, 0x0489},
                                              {0x1AB0, 0x1AFF},
                                              {0x1DC0, 0x1DFF},
                                              {0x200B, 0x200F},
                                              {0x20D0, 0x20FF},
                                              {0xFE00, 0xFE0F}}};
  if (code_point < 0x0300 || !is_shown(code_point)) {
    return 1;
  }
  return lies_in(kWithout, code_point) ? 0 : lies_in(kWide, code_point) ? 2 : 1;
}

// The longest beginning of `text` that takes no more than `width` columns.
std::string_view beginning(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  for (std::size_t used = 0; end < text.size();) {
    const Character character = first_character(text.substr(end));
    used += columns_of(character.code_point);
    if (used > width) {
      break;
    }
    end += character.bytes;
  }
  return text.substr(0, end);
}

}  // namespace

bool is_shown(char32_t code_point) {
  constexpr std::array<Range, 7> kNotShown = {
      {{0x00, 0x1F},        // C0
       {0x7F, 0x9F},        // DEL, C1
       {0x061C, 0x061C},    // Arabic letter mark
       {0x200E, 0x200F},    // marks from left to right, and right to left
       {0x2028, 0x2029},    // separators of lines and paragraphs
       {0x202A, 0x202E},    // embeddings and overrides
       {0x2066, 0x2069}}};  // isolates
  const bool plain = code_point >= 0x20 && code_point < 0x7F;
  return plain || !lies_in(kNotShown, code_point);
}

std::string printable(std::string_view text) {
  const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7F; };
  if (std::all_of(text.begin(), text.end(), is_plain)) {
    return std::string(text);
  }
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.valid) {
      result += "\xEF\xBF\xBD";
    } else if (is_shown(character.code_point)) {
      result += text.substr(0, character.bytes);
    } else {
      result += '?';
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    width += columns_of(character.code_point);
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string shortened(std::string_view text, std::size_t width) {
  constexpr std::string_view kDots = "...";
  if (width_of(text) <= width) {
    return std::string(text);
  }
  if (width <= kDots.size()) {
    return std::string(beginning(text, width));
  }
  return std::string(beginning(text, width - kDots.size())) + std::string(kDots);
}

}  // namespace microparquet::text
