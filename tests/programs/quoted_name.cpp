// Says a text in each of the languages for which our programs quote: a line each, its name and what it is there, in
// hexadecimal digits. The text is all of standard input. With --widths it says how many columns each line takes.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "microparquet/text/quoted.h"
#include "microparquet/text/terminal_text.h"

namespace {

void say(const char* language, std::string_view text) {
  std::printf("%s ", language);
  for (const char c : text) {
    std::printf("%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  namespace text = microparquet::text;
  if (argc > 1 && std::string_view(argv[1]) == "--widths") {
    for (std::string line; std::getline(std::cin, line);) {
      std::printf("%zu\n", text::width_of(line));
    }
    return 0;
  }
  const std::string name((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  const std::string printable = text::printable(name);
  say("printable", printable);
  std::printf("widths %zu %zu\n", text::width_of(name), text::width_of(printable));
  say("python", text::python_text(name));
  say("clickhouse_name", text::clickhouse_name(name));
  say("clickhouse_text", text::clickhouse_text(name));
  say("clickhouse_both", text::clickhouse_text(text::clickhouse_name(name) + " Int8"));
  say("duckdb_name", text::duckdb_name(name));
  say("duckdb_text", text::duckdb_text(name));
  say("spark", text::python_text(text::spark_name(name) + " int"));
  say("markdown_code", text::markdown_code(name));
  say("markdown_block", text::markdown_block("python", "x = " + text::python_text(name) + "\n" + name));
  say("shell_word", text::shell_word(name));
  say("shell_path", text::shell_path(name));
  return 0;
}
