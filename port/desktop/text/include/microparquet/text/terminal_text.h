// Text as it stands on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace microparquet::text {

// Columns of the terminal that `descriptor` is; 0 when it is none.
std::size_t terminal_width(int descriptor);

// Text that no terminal takes for anything else: control characters, those of U+0080 to U+009F among them,
// become '?', bytes that are not UTF-8 U+FFFD.
std::string printable(std::string_view text);

// How many columns printable text takes: East Asian characters and emoji two, combining marks none.
std::size_t width_of(std::string_view text);

// Printable text in at most `width` columns; what is cut off leaves three dots, where these have space.
std::string shortened(std::string_view text, std::size_t width);

}  // namespace microparquet::text
