// Characters of UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace microparquet::text {

// A character and the bytes it takes; one byte that begins none is U+FFFD, and `valid` says so.
struct Character {
  char32_t code_point;
  std::size_t bytes;
  bool valid;
};

// The one that `text` begins with. Requires: text is not empty.
Character first_character(std::string_view text);

bool is_utf8(std::string_view text);

// The same for a letter's capital and its small forms.
char32_t in_one_case(char32_t character);

// Appends a character, below 0x110000. A half of UTF-16 by itself gets the bytes that it would have.
inline void append_utf8(std::string& text, char32_t character) {
  constexpr unsigned kBits = 6;  // of each byte but the first
  unsigned following = character < 0x80 ? 0 : character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
  constexpr unsigned char kFirst[] = {0, 0xC0, 0xE0, 0xF0};
  text.push_back(static_cast<char>(kFirst[following] | character >> kBits * following));
  for (; following != 0; --following) {
    text.push_back(static_cast<char>(0x80U | (character >> kBits * (following - 1) & 0x3FU)));
  }
}

}  // namespace microparquet::text
