#include "microparquet/text/quoted.h"

#include <algorithm>
#include <cstdint>

#include "microparquet/text/terminal_text.h"
#include "microparquet/text/utf8.h"

namespace microparquet::text {

namespace {

std::string hex_of(std::uint32_t number, unsigned digits) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  while (digits-- > 0) {
    text += kDigits[number >> (4 * digits) & 15];
  }
  return text;
}

// "\x1b" for each byte.
std::string escaped_bytes(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += "\\x" + hex_of(static_cast<unsigned char>(byte), 2);
  }
  return text;
}

// `text` with what `escape` makes of a character where it stands, which is empty for one that stays as it is.
template <typename Escape>
std::string escaped(std::string_view text, Escape escape) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    const std::string instead = escape(character, bytes);
    result += instead.empty() ? std::string(bytes) : instead;
    text.remove_prefix(character.bytes);
  }
  return result;
}

// Puts text between two of `quote`, of which one within is written twice.
std::string in_doubled(char quote, std::string_view text) {
  std::string result(1, quote);
  for (const char c : text) {
    result.append(c == quote ? 2 : 1, c);
  }
  return result + quote;
}

// Puts text between two of `quote`, with backslashes. Bytes that are no character have an escape as well.
std::string in_escaped(char quote, std::string_view text) {
  return quote +
         escaped(text,
                 [&](const Character& character, std::string_view bytes) -> std::string {
                   const bool is_sign = bytes == "\\" || bytes.front() == quote;
                   const bool is_shown = character.valid && text::is_shown(character.code_point);
                   return is_sign ? "\\" + std::string(bytes) : is_shown ? "" : escaped_bytes(bytes);
                 }) +
         quote;
}

std::size_t longest_run(std::string_view text, char of) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == of ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string python_text(std::string_view text) {
  return '"' +
         escaped(text,
                 [](const Character& character, std::string_view bytes) -> std::string {
                   const char32_t c = character.code_point;
                   if (c == U'"' || c == U'\\') {
                     return "\\" + std::string(bytes);
                   }
                   if (!character.valid || !is_shown(c)) {
                     return c < 0x100 ? "\\x" + hex_of(c, 2) : "\\u" + hex_of(c, 4);
                   }
                   return {};
                 }) +
         '"';
}

std::string clickhouse_name(std::string_view name) { return in_escaped('`', name); }

std::string clickhouse_text(std::string_view text) { return in_escaped('\'', text); }

std::string duckdb_name(std::string_view name) { return in_doubled('"', name); }

std::string duckdb_text(std::string_view text) { return in_doubled('\'', text); }

std::string spark_name(std::string_view name) { return in_doubled('`', name); }

std::string markdown_code(std::string_view text) {
  constexpr std::string_view kTrimmed = "` ";  // at its ends
  std::string code = text.empty() ? " " : printable(text);
  const std::string fence(longest_run(code, '`') + 1, '`');
  if (kTrimmed.find(code.front()) != kTrimmed.npos || kTrimmed.find(code.back()) != kTrimmed.npos) {
    code = " " + code + " ";
  }
  return fence + code + fence;
}

std::string markdown_block(std::string_view language, std::string_view text) {
  const std::string fence(std::max<std::size_t>(longest_run(text, '`') + 1, 3), '`');
  std::string block = fence + std::string(language) + "\n";
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    block += printable(text.substr(0, end)) + "\n";
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return block + fence + "\n";
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:";
  if (!text.empty() && text.front() != '=' && text.find_first_not_of(kPlain) == text.npos) {
    return std::string(text);
  }
  if (printable(text) != text) {
    return "$" + in_escaped('\'', text);
  }
  std::string word = "'";
  for (const char c : text) {
    word += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return word + "'";
}

std::string shell_path(std::string_view path) {
  return shell_word(path.substr(0, 1) == "-" ? "./" + std::string(path) : std::string(path));
}

std::string shown_json(std::string_view json) {
  const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7F; };
  if (std::all_of(json.begin(), json.end(), is_plain)) {
    return std::string(json);
  }
  return escaped(json, [](const Character& character, std::string_view) -> std::string {
    return character.valid && !is_shown(character.code_point) ? "\\u" + hex_of(character.code_point, 4) : "";
  });
}

}  // namespace microparquet::text
