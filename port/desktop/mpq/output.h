// Standard output.
#pragma once

#include <string>
#include <string_view>

#include "microparquet/text/terminal_text.h"

namespace mpq_tool {

// Collects text and writes it in large pieces, or keeps it until it is asked for.
class Output {
 public:
  enum class To : unsigned char { kStandardOutput, kNowhere };

  explicit Output(To to = To::kStandardOutput) : to_(to) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void print(std::string_view text);
  // Whether text goes to a terminal: data must not have it do things then.
  bool to_terminal() const;
  // Writes what is left. Throws Failure, when the disk is full for example.
  void flush();
  // What was kept for To::kNowhere.
  const std::string& text() const { return buffer_; }

 private:
  To to_;
  std::string buffer_;
};

// Prints a message for the user on standard error.
void tell(const std::string& message);

// Columns of text the terminal has; 0 when standard output is none.
std::size_t terminal_width();

using microparquet::text::printable;
using microparquet::text::shortened;
using microparquet::text::width_of;

}  // namespace mpq_tool
