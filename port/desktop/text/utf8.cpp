#include "microparquet/text/utf8.h"

#include <utf8proc.h>

#include <algorithm>

namespace microparquet::text {

Character first_character(std::string_view text) {
  constexpr Character kNone = {0xFFFD, 1, false};
  constexpr std::size_t kMostBytes = 4;
  utf8proc_int32_t code_point = 0;
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto limit = static_cast<utf8proc_ssize_t>(std::min(text.size(), kMostBytes));
  const utf8proc_ssize_t taken = utf8proc_iterate(bytes, limit, &code_point);
  return taken > 0 ? Character{static_cast<char32_t>(code_point), static_cast<std::size_t>(taken), true}
                   : kNone;
}

bool is_utf8(std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  for (;;) {
    const auto* const other = std::find_if_not(text.begin(), text.end(), is_ascii);
    text.remove_prefix(static_cast<std::size_t>(other - text.begin()));
    if (text.empty()) {
      return true;
    }
    const Character character = first_character(text);
    if (!character.valid) {
      return false;
    }
    text.remove_prefix(character.bytes);
  }
}

void append_utf8(std::string& text, char32_t character) {
  constexpr unsigned kBits = 6;  // of each byte but the first
  unsigned following = character < 0x80 ? 0 : character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
  constexpr unsigned char kFirst[] = {0, 0xC0, 0xE0, 0xF0};
  text.push_back(static_cast<char>(kFirst[following] | character >> kBits * following));
  for (; following != 0; --following) {
    text.push_back(static_cast<char>(0x80U | (character >> kBits * (following - 1) & 0x3FU)));
  }
}

}  // namespace microparquet::text
