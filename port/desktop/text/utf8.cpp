#include "microparquet/text/utf8.h"

namespace microparquet::text {

namespace {

constexpr Character kNone = {0xFFFD, 1, false};

// What a first byte says: how many bytes there are, its own bits, and the smallest code point written so; no
// bytes for what cannot begin a character.
struct Lead {
  std::size_t bytes;
  char32_t bits;
  char32_t smallest;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) {
    return {1, byte, 0};
  }
  if (byte >= 0xC2 && byte < 0xE0) {
    return {2, byte & 0x1Fu, 0x80};
  }
  if (byte >= 0xE0 && byte < 0xF0) {
    return {3, byte & 0x0Fu, 0x800};
  }
  if (byte >= 0xF0 && byte < 0xF5) {
    return {4, byte & 0x07u, 0x10000};
  }
  return {0, 0, 0};
}

}  // namespace

Character first_character(std::string_view text) {
  const Lead lead = lead_of(static_cast<unsigned char>(text.front()));
  if (lead.bytes == 0 || lead.bytes > text.size()) {
    return kNone;
  }
  char32_t code_point = lead.bits;
  for (std::size_t i = 1; i < lead.bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) {
      return kNone;
    }
    code_point = code_point << 6 | (next & 0x3Fu);
  }
  const bool surrogate = code_point >= 0xD800 && code_point < 0xE000;
  const bool valid = code_point >= lead.smallest && !surrogate && code_point <= 0x10FFFF;
  return valid ? Character{code_point, lead.bytes, true} : kNone;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    if (!character.valid) {
      return false;
    }
    text.remove_prefix(character.bytes);
  }
  return true;
}

}  // namespace microparquet::text
