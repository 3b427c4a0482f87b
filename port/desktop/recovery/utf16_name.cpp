#include "utf16_name.h"

#include "microparquet/text/utf8.h"

namespace microparquet::recovery {

std::string utf8_of(const std::u16string& name) {
  using text::append_utf8;
  std::string utf8;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const unsigned code = name[i];
    const unsigned next = i + 1 < name.size() ? name[i + 1] : 0;
    if (code >> 10 == 0xD800 >> 10 && next >> 10 == 0xDC00 >> 10) {
      append_utf8(utf8, 0x10000 + ((code & 0x3FF) << 10 | (next & 0x3FF)));
      ++i;
    } else {
      append_utf8(utf8, code);
    }
  }
  return utf8;
}

}  // namespace microparquet::recovery
