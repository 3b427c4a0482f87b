#include "output.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "failure.h"

namespace mpq_tool {

namespace {

constexpr bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

}  // namespace

void Output::print(std::string_view text) {
  constexpr std::size_t kPiece = 1 << 16;
  buffer_ += text;
  if (buffer_.size() >= kPiece) {
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

unsigned terminal_width() {
  winsize size = {};
  return isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string printable(std::string_view text) {
  using nlohmann::json;
  const std::string quoted = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  std::string result = json::parse(quoted).get<std::string>();
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      c = '?';
    }
  }
  return result;
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) {
    width += begins_character(c) ? 1u : 0u;
  }
  return width;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) {
    return std::string(text);
  }
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (begins_character(text[end]) && seen++ == width - 3) {
      break;
    }
  }
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace mpq_tool
