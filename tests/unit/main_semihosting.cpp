// The unit tests as a firmware: [--stride FIRST/STEP] [PART OF A NAME OR FILE]
#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"
#include "support/check.h"

namespace {

microparquet::semihosting::Console console;

// Takes the first word off `text`.
std::string_view take_word(std::string_view& text) {
  const std::size_t space = text.find(' ');
  const std::size_t length = space == std::string_view::npos ? text.size() : space;
  const std::string_view word(text.data(), length);
  text.remove_prefix(space == std::string_view::npos ? length : length + 1);
  return word;
}

}  // namespace

namespace check {

void print(std::string_view text) { console.print(text); }

}  // namespace check

int main() {
  char arguments[256];
  std::string_view filter = microparquet::semihosting::command_line(arguments);
  take_word(filter);  // the firmware's own name
  std::string_view rest = filter;
  if (take_word(rest) == "--stride") {
    filter = rest;
    if (!check::set_stride(take_word(filter))) {
      check::print("--stride needs FIRST/STEP, FIRST below STEP\n");
      return 2;
    }
  }
  return check::run_tests(filter);
}
