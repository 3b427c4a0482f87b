// Text of old programs, a byte a character.
#pragma once

#include <string>
#include <string_view>

namespace csv_log {

// A line that is no UTF-8 in it, taken for Latin-1 with the characters that Windows has where that has none. Runs of 0xFF stay: a card
// left them.
std::string utf8_of_latin1(std::string_view line);

}  // namespace csv_log
