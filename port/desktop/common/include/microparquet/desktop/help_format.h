// The form of --help in desktop programs: for people, in 80 columns.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <sstream>
#include <string>

namespace microparquet::desktop {

// An option's arguments by their name alone: what is right for them its text says, and the message where they are wrong.
class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (!option->get_option_text().empty()) {
      return " " + option->get_option_text();
    }
    const std::string type = option->get_type_name();
    const std::string name = type.substr(0, type.find(':'));
    const bool says = option->get_type_size() != 0 && !option->get_positional() && !name.empty();
    return says ? " " + name : "";
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    if (!option->get_default_str().empty()) {
      text += " (" + option->get_default_str() + ")";
    }
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size && !option->get_positional()) {
      text += "; may be given again";
    }
    if (option->get_required() && !option->get_positional()) {
      text += "; must be given";
    }
    for (const CLI::Option* const other : option->get_excludes()) {
      text += (other == *option->get_excludes().begin() ? "; not with " : ", ") + other->get_name();
    }
    return text;
  }

  std::string make_option(const CLI::Option* option, bool positional) const override {
    return entry(make_option_name(option, positional) + make_option_opts(option), make_option_desc(option));
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_display_name(true), command->get_description());
  }

  std::string make_description(const CLI::App* app) const override {
    return app->get_description().empty() ? "" : wrapped(app->get_description(), 0) + "\n";
  }

  // A line that ends within a sentence continues in the next.
  std::string make_footer(const CLI::App* app) const override {
    std::istringstream lines(CLI::Formatter::make_footer(app));
    std::string result;
    std::string open;
    for (std::string line; std::getline(lines, line);) {
      open += (open.empty() ? "" : " ") + line;
      if (open.empty() || open.back() == '.') {
        result += wrapped(open, 0) + "\n";
        open.clear();
      }
    }
    return open.empty() ? result : result + wrapped(open, 0) + "\n";
  }

 private:
  static constexpr std::size_t kWidth = 80;

  // Puts an entry that is too long for its place on a line of its own.
  std::string entry(std::string name, const std::string& text) const {
    const std::size_t indent = get_column_width();
    name.insert(0, "  ");
    const bool fits = name.size() + 2 <= indent;
    name += fits ? std::string(indent - name.size(), ' ') : "\n" + std::string(indent, ' ');
    return name + wrapped(text, indent) + "\n";
  }

  static std::string wrapped(const std::string& text, std::size_t indent) {
    std::istringstream words(text);
    std::string result;
    std::size_t used = indent;
    for (std::string word; words >> word;) {
      const bool first = used == indent;
      if (!first && used + 1 + word.size() > kWidth) {
        result += "\n" + std::string(indent, ' ');
        used = indent;
      } else if (!first) {
        result += ' ';
        ++used;
      }
      result += word;
      used += word.size();
    }
    return result;
  }
};

}  // namespace microparquet::desktop
