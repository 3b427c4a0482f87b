#include "latin1.h"

#include <cstddef>

#include "microparquet/text/utf8.h"

namespace csv_log {

namespace {

constexpr unsigned kFirstOfWindows = 0x80;
constexpr unsigned kFirstOfLatin = 0xA0;
constexpr unsigned char kErased = 0xFF;

// Code points of 0x80 to 0x9F as Windows-1252 has them; those that it has not are controls.
constexpr char16_t kWindows[] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                 0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

}  // namespace

std::string utf8_of_latin1(std::string_view line) {
  using microparquet::text::append_utf8;
  std::string text;
  const auto is_erased = [&](std::size_t at) {
    return at < line.size() && static_cast<unsigned char>(line[at]) == kErased;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if (is_erased(i) && (is_erased(i + 1) || (i != 0 && is_erased(i - 1)))) {
      text.push_back(line[i]);
    } else if (byte >= kFirstOfWindows && byte < kFirstOfLatin) {
      append_utf8(text, kWindows[byte - kFirstOfWindows]);
    } else {
      append_utf8(text, byte);
    }
  }
  return text;
}

}  // namespace csv_log
