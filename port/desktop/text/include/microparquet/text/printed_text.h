// The one way by which the desktop's programs print: text of strangers, such as names of files and columns, values and messages
// of libraries, leaves through it, and nothing of it does anything to a terminal or a log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace microparquet::text {

enum class To : std::uint8_t { kOutput, kErrors };  // standard output, standard error

// Prints a line, printable (terminal_text.h): a line break within `text` makes no second one.
void print_line(To to, std::string_view text);

// The same of each line of `text`, which has line breaks of our own.
void print_lines(To to, std::string_view text);

// Text that is printed is out of the program.
void flush(To to);

// Prints over the line of the terminal that standard error is, as much as fits in it; empty text clears the line.
void print_over(std::string_view text);

// Data of a program's own format, as it is. False: not all of it could be written, and errno says why.
bool write_data(std::string_view data);

bool is_terminal(To to);

// Columns of the terminal; 0 when it is none.
std::size_t terminal_width(To to);

// Lines of it; 0 when it is none.
std::size_t terminal_height(To to);

// Whether it shows colours, and nobody has said by NO_COLOR that they are not wanted.
bool has_colors(To to);

// The text, made printable, in a colour of a terminal that has them: `number` is from 1 to 6.
std::string in_color(unsigned number, std::string_view text);

}  // namespace microparquet::text
