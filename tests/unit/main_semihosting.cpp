// The unit tests as a firmware; its first argument, if any, is part of a test's name or file.
#include "check.h"
#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"

namespace {
microparquet::semihosting::Console console;
}

namespace check {

void print(std::string_view text) { console.print(text); }

}  // namespace check

int main() {
  char arguments[256];
  std::string_view filter = microparquet::semihosting::command_line(arguments);
  // The first word is the firmware's own name.
  const std::size_t space = filter.find(' ');
  filter.remove_prefix(space == std::string_view::npos ? filter.size() : space + 1);
  return check::run_tests(filter);
}
