// Text as it stands on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace microparquet::text {

// Whether a terminal shows the character where it stands and does nothing else by it. Not so: control characters, those of
// U+0080 to U+009F among them; separators of lines and paragraphs; and controls of the direction of text, which make one
// name look like another.
bool is_shown(char32_t code_point);

// Text that no terminal takes for anything else: '?' for each character that is not shown, U+FFFD for a byte that is not UTF-8.
std::string printable(std::string_view text);

// Columns that text takes when it is printable, as Unicode has it: two for East Asian characters and emoji,
// none for marks that combine.
std::size_t width_of(std::string_view text);

// Text in at most `width` such columns; what is cut off leaves three dots, where these have space.
std::string shortened(std::string_view text, std::size_t width);

}  // namespace microparquet::text
