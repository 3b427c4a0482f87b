#include "microparquet/text/terminal_text.h"

#include <utf8proc.h>

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

// Vowels and finals of Hangul join the syllable before them; utf8proc gives each a column of its own.
bool joins_syllable(const utf8proc_property_t& property) {
  return property.boundclass == UTF8PROC_BOUNDCLASS_V || property.boundclass == UTF8PROC_BOUNDCLASS_T;
}

std::size_t columns_of(char32_t code_point) {
  constexpr char32_t kFirstMark = 0x0300;  // all characters before it take one column
  if (code_point < kFirstMark || !is_shown(code_point)) {
    return 1;
  }
  const auto character = static_cast<utf8proc_int32_t>(code_point);
  const utf8proc_property_t& property = *utf8proc_get_property(character);
  if (property.category == UTF8PROC_CATEGORY_CN) {
    return 1;  // a later Unicode may have it
  }
  return joins_syllable(property) ? 0 : static_cast<std::size_t>(utf8proc_charwidth(character));
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
