#include "microparquet/text/printed_text.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "microparquet/desktop/files.h"
#include "microparquet/desktop/program.h"
#include "microparquet/text/terminal_text.h"

namespace microparquet::text {

namespace {

std::FILE* file_of(To to) { return to == To::kOutput ? stdout : stderr; }

int descriptor_of(To to) { return fileno(file_of(to)); }

}  // namespace

void print_line(To to, std::string_view text) {
  const std::string line = printable(text) + "\n";
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), file_of(to)));
}

void print_lines(To to, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    print_line(to, text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
}

void flush(To to) { static_cast<void>(std::fflush(file_of(to))); }

void print_over(std::string_view text) {
  constexpr std::size_t kFree = 3;  // space for the cursor, and a ^C that the terminal shows
  const std::size_t width = terminal_width(To::kErrors);
  const std::string line = printable(width <= kFree ? std::string(text) : shortened(text, width - kFree));
  std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
}

bool write_data(std::string_view data) {
  bool is_written = std::fflush(stdout) == 0;
  while (is_written && !data.empty()) {
    const std::ptrdiff_t bytes = desktop::write_some(desktop::kOutputDescriptor, data.data(), data.size());
    is_written = bytes >= 0;
    data.remove_prefix(is_written ? static_cast<std::size_t>(bytes) : 0);
  }
  return is_written;
}

bool is_terminal(To to) { return desktop::is_terminal(descriptor_of(to)); }

std::size_t terminal_width(To to) { return desktop::terminal_size(descriptor_of(to)).width; }

std::size_t terminal_height(To to) { return desktop::terminal_size(descriptor_of(to)).height; }

bool has_colors(To to) {
  const char* const unwanted = std::getenv("NO_COLOR");
  const char* const kind = std::getenv("TERM");
  const bool is_unwanted = unwanted != nullptr && *unwanted != '\0';
  return is_terminal(to) && !is_unwanted && kind != nullptr && *kind != '\0' &&
         std::string_view(kind) != "dumb";
}

std::string in_color(unsigned number, std::string_view text) {
  return "\x1b[3" + std::to_string(number) + "m" + printable(text) + "\x1b[0m";
}

}  // namespace microparquet::text
