#include "output.h"

#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "failure.h"

namespace mpq_tool {

void Output::print(std::string_view text) {
  constexpr std::size_t kPiece = 1 << 16;
  buffer_ += text;
  if (buffer_.size() >= kPiece && to_ == To::kStandardOutput) {
    flush();
  }
}

void Output::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), stdout) != buffer_.size() || std::fflush(stdout) != 0) {
    if (errno == EPIPE) {
      std::_Exit(1);  // whoever reads has seen enough; there is nobody to tell
    }
    throw Failure(std::string("standard output: ") + std::strerror(errno));
  }
  buffer_.clear();
}

bool Output::to_terminal() const { return isatty(STDOUT_FILENO) != 0; }

void tell(const std::string& message) { std::fprintf(stderr, "mpq: %s\n", printable(message).c_str()); }

std::size_t terminal_width() { return microparquet::text::terminal_width(STDOUT_FILENO); }

}  // namespace mpq_tool
