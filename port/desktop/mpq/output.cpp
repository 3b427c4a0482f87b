#include "output.h"

#include <cerrno>
#include <cstdlib>

#include "microparquet/desktop/native_file.h"
#include "read_failure.h"

namespace mpq_tool {

namespace text = microparquet::text;

Output::Output(To to)
    : to_(to),
      to_terminal_(to == To::kStandardOutput && text::is_terminal(text::To::kOutput)),
      has_colors_(to_terminal_ && text::has_colors(text::To::kOutput)) {}

void Output::line(std::string_view text) {
  buffer_ += text::printable(text);
  buffer_ += '\n';
  flush_if_long();
}

void Output::line(std::string_view before, std::string_view part, std::string_view after, unsigned color) {
  buffer_ += text::printable(before);
  buffer_ += has_colors_ && color != 0 ? text::in_color(color, part) : text::printable(part);
  line(after);
}

void Output::data(std::string_view text) {
  if (to_terminal_) {
    buffer_ += text::printable(text);
  } else {
    buffer_ += text;
  }
  flush_if_long();
}

void Output::data_line(std::string_view text) {
  data(text);
  buffer_ += '\n';
}

void Output::add(const Output& kept) { buffer_ += kept.buffer_; }

void Output::flush_if_long() {
  constexpr std::size_t kPiece = 1 << 16;
  if (buffer_.size() >= kPiece && to_ == To::kStandardOutput) {
    flush();
  }
}

void Output::flush() {
  if (!text::write_data(buffer_)) {
    if (errno == EPIPE) {
      std::_Exit(1);  // whoever reads has seen enough; there is nobody to tell
    }
    throw Failure("standard output: " + microparquet::desktop::error_text(errno));
  }
  buffer_.clear();
}

void tell(const std::string& message) { text::print_line(text::To::kErrors, "mpq: " + message); }

std::size_t terminal_width() { return text::terminal_width(text::To::kOutput); }

std::size_t terminal_height() { return text::terminal_height(text::To::kOutput); }

}  // namespace mpq_tool
