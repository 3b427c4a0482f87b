// Standard output.
#pragma once

#include <string>
#include <string_view>

namespace mpq_tool {

// Collects text and writes it in large pieces.
class Output {
 public:
  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void print(std::string_view text);
  // Writes what is left. Throws Failure, when the disk is full for example.
  void flush();

 private:
  std::string buffer_;
};

// Columns of text the terminal has; 0 when standard output is none.
unsigned terminal_width();

// Text as it can stand on a terminal or in a table: control characters become '?', bytes that are not UTF-8
// become U+FFFD.
std::string printable(std::string_view text);

// Code points of valid UTF-8.
std::size_t width_of(std::string_view text);

// At most `width` code points of valid UTF-8; what is cut off leaves three dots.
std::string shortened(std::string_view text, std::size_t width);

}  // namespace mpq_tool
