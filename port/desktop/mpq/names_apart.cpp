#include "names_apart.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "microparquet/text/terminal_text.h"
#include "microparquet/text/utf8.h"

namespace mpq_tool {

namespace {

using microparquet::text::Character;
using microparquet::text::first_character;
using microparquet::text::is_shown;

constexpr std::string_view kWhileWritten = ".part";

std::u32string lower(std::string_view text) {
  std::u32string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    result += microparquet::text::in_one_case(character.code_point);
    text.remove_prefix(character.bytes);
  }
  return result;
}

std::string shown_characters(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.valid && is_shown(character.code_point)) {
      result += text.substr(0, character.bytes);
    } else {
      result += '_';
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

// Offset of the name's ending, such as ".parquet"; the name's size without one.
std::size_t ending_of(const std::string& name) {
  const std::size_t point = name.rfind('.');
  return point == name.npos || point == 0 ? name.size() : point;
}

// Leaves space for what is added to it, in as many bytes as file systems give a name.
std::string shortened_name(const std::string& name) {
  constexpr std::size_t kMostBytes = 255 - 23;
  if (name.size() <= kMostBytes) {
    return name;
  }
  const std::string ending = name.substr(std::max(ending_of(name), name.size() - kMostBytes / 2));
  std::size_t end = kMostBytes - ending.size();
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) {
    --end;  // within a character
  }
  return name.substr(0, end) + ending;
}

std::string numbered(std::string name, unsigned number) {
  return name.insert(ending_of(name), "-" + std::to_string(number));
}

std::string sound_name(const std::string& name, const std::string& otherwise) {
  const std::string last = name.substr(name.rfind('/') + 1);  // npos + 1 is 0
  if (last.empty() || last == "." || last == "..") {
    return otherwise;
  }
  return shortened_name(shown_characters(last));
}

}  // namespace

std::vector<std::string> names_apart(const std::vector<std::string>& names,
                                     const std::vector<std::string>& otherwise) {
  std::vector<std::string> result;
  std::map<std::u32string, unsigned> next;  // number of each name that a file wants
  for (std::size_t i = 0; i < names.size(); ++i) {
    result.push_back(sound_name(names[i], otherwise[i]));
    next.emplace(lower(result.back()), 2);
  }
  std::set<std::u32string> taken;
  const std::u32string part = lower(kWhileWritten);
  const auto take = [&](const std::u32string& key) {
    const bool free = taken.count(key) == 0 && taken.count(key + part) == 0;
    if (free) {
      taken.insert({key, key + part});
    }
    return free;
  };
  for (std::string& name : result) {
    const std::string first = name;
    unsigned& number = next[lower(first)];
    while (!take(lower(name))) {
      do {
        name = numbered(first, number++);
      } while (next.count(lower(name)) != 0);
    }
  }
  return result;
}

}  // namespace mpq_tool
