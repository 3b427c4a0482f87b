#include "utf16_name.h"

namespace microparquet::recovery {

namespace {

void append_utf8(std::string& text, unsigned code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | code >> 6);
    text += static_cast<char>(0x80 | (code & 63));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | code >> 12);
    text += static_cast<char>(0x80 | (code >> 6 & 63));
    text += static_cast<char>(0x80 | (code & 63));
  } else {
    text += static_cast<char>(0xF0 | code >> 18);
    text += static_cast<char>(0x80 | (code >> 12 & 63));
    text += static_cast<char>(0x80 | (code >> 6 & 63));
    text += static_cast<char>(0x80 | (code & 63));
  }
}

}  // namespace

std::string utf8_of(const std::u16string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const unsigned code = name[i];
    const unsigned next = i + 1 < name.size() ? name[i + 1] : 0;
    if (code >> 10 == 0xD800 >> 10 && next >> 10 == 0xDC00 >> 10) {
      append_utf8(text, 0x10000 + ((code & 0x3FF) << 10 | (next & 0x3FF)));
      ++i;
    } else {
      append_utf8(text, code);
    }
  }
  return text;
}

}  // namespace microparquet::recovery
