// Standard output.
#pragma once

#include <string>
#include <string_view>

#include "microparquet/text/printed_text.h"
#include "microparquet/text/terminal_text.h"

namespace mpq_tool {

// Collects text and writes it in large pieces, or keeps it until it is asked for.
class Output {
 public:
  enum class To : unsigned char { kStandardOutput, kNowhere };

  explicit Output(To to = To::kStandardOutput);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // A line for people, made printable: whoever made the text, it does nothing to a terminal or a log.
  void line(std::string_view text);
  // A line with a part in a colour, from 1 to 6, where the terminal has them; 0: in none.
  void line(std::string_view before, std::string_view part, std::string_view after, unsigned color);
  // Data for programs, as its format has it; what goes to a terminal is printable all the same.
  void data(std::string_view text);
  // The same at the end of a line.
  void data_line(std::string_view text);
  // All that the other one, which is for nowhere, has kept.
  void add(const Output& kept);

  // Writes what is left. Throws Failure, when the disk is full for example.
  void flush();

 private:
  void flush_if_long();

  To to_;
  bool to_terminal_;
  bool has_colors_;
  std::string buffer_;
};

// Prints a message for the user on standard error.
void tell(const std::string& message);

// Columns of text the terminal has, and lines; 0 when standard output is none.
std::size_t terminal_width();
std::size_t terminal_height();

using microparquet::text::shortened;
using microparquet::text::width_of;

}  // namespace mpq_tool
