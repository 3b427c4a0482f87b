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

// Appends a character. Requires: it is none of UTF-16's halves, and below 0x110000.
void append_utf8(std::string& text, char32_t character);

}  // namespace microparquet::text
