// The answers of desktop programs to a command line that asks for help, or is wrong.
#pragma once

#include <CLI/CLI.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "microparquet/text/printed_text.h"

namespace microparquet::desktop {

// Prints what CLI11 makes of `error`, whose words may be a stranger's: a name that a shell found by "*". True: it is the help or
// the version, which was asked for. Link microparquet_text.
inline bool is_answered(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream asked;
  std::ostringstream wrong;
  const bool answered = app.exit(error, asked, wrong) == 0;
  text::print_lines(text::To::kOutput, asked.str());
  text::flush(text::To::kOutput);
  const std::string complaint = wrong.str();
  const std::string_view what = error.what();
  std::string_view rest = complaint;
  if (rest.substr(0, what.size()) == what && !what.empty()) {
    text::print_line(text::To::kErrors, what);
    rest.remove_prefix(what.size());
    rest.remove_prefix(rest.substr(0, 1) == "\n" ? 1 : 0);
  }
  text::print_lines(text::To::kErrors, rest);
  return answered;
}

}  // namespace microparquet::desktop
