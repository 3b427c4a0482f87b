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

// By way of the capital: some letters have several small forms.
char32_t in_one_case(char32_t character) {
  return static_cast<char32_t>(utf8proc_tolower(utf8proc_toupper(static_cast<utf8proc_int32_t>(character))));
}

}  // namespace microparquet::text
