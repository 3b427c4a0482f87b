#include "utf16.h"

#include "microparquet/text/utf8.h"

namespace csv_log {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool is_high(unsigned unit) { return unit >> 10 == 0x36; }
bool is_low(unsigned unit) { return unit >> 10 == 0x37; }

bool has_zeros(std::string_view text, std::size_t zero) {
  return text.size() >= 4 && text[zero] == '\0' && text[zero + 2] == '\0' && text[1 - zero] != '\0' &&
         text[3 - zero] != '\0';
}

}  // namespace

Utf16 utf16_of(std::string_view beginning) {
  const std::string_view mark = beginning.substr(0, 2);
  if (mark == "\xFF\xFE" || has_zeros(beginning, 1)) {
    return Utf16::kLittleEndian;
  }
  return mark == "\xFE\xFF" || has_zeros(beginning, 0) ? Utf16::kBigEndian : Utf16::kNone;
}

void Utf16Decoder::decode(std::string_view bytes, std::string& text) {
  const std::size_t first = order_ == Utf16::kLittleEndian ? 1 : 0;  // the high byte of a unit
  std::string whole;
  if (!odd_.empty()) {
    whole = odd_ + std::string(bytes);
    bytes = whole;
    odd_.clear();
  }
  std::size_t at = 0;
  for (; at + 1 < bytes.size(); at += 2) {
    const auto high = static_cast<unsigned char>(bytes[at + first]);
    const auto low = static_cast<unsigned char>(bytes[at + 1 - first]);
    take(unsigned{high} << 8 | low, text);
  }
  odd_ = bytes.substr(at);
}

void Utf16Decoder::take(unsigned unit, std::string& text) {
  using microparquet::text::append_utf8;
  if (high_ != 0 && is_low(unit)) {
    append_utf8(text, 0x10000 + ((high_ & 0x3FFU) << 10 | (unit & 0x3FFU)));
    high_ = 0;
    return;
  }
  if (high_ != 0) {
    append_utf8(text, kReplacement);
  }
  high_ = is_high(unit) ? unit : 0;
  if (high_ == 0) {
    append_utf8(text, is_low(unit) ? kReplacement : char32_t{unit});
  }
}

}  // namespace csv_log
