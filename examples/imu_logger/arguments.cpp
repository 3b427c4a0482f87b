#include "arguments.h"

#include <string_view>

#include "microparquet/port/semihosting.h"

bool split_arguments(microparquet::Span<char> text, const char*& in, const char*& out) {
  const std::string_view line = microparquet::semihosting::command_line(text);
  const char* words[3] = {};
  std::size_t count = 0;
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (text[i] == ' ') {
      text[i] = '\0';
      inside = false;
    } else if (!inside) {
      inside = true;
      if (count == 3) {
        return false;
      }
      words[count++] = &text[i];
    }
  }
  in = words[1];
  out = words[2];
  return count == 3;
}
