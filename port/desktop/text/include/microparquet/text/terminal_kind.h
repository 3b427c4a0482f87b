// The abilities of a program's output: a terminal, its colours and its characters.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

namespace microparquet::text {

// Whether the locale of the environment says that text is in UTF-8.
inline bool is_utf8_locale() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') {
      continue;
    }
    const std::string_view locale = value;
    for (const char* const encoding : {"UTF-8", "utf-8", "UTF8", "utf8"}) {
      if (locale.find(encoding) != locale.npos) {
        return true;
      }
    }
    return false;
  }
  return false;
}

}  // namespace microparquet::text
