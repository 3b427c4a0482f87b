#include "base64.h"

#include <cstdint>

namespace mpq_tool {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t kBytes = 3;
  constexpr unsigned kBits = 6;
  std::string text;
  text.reserve((bytes.size() + kBytes - 1) / kBytes * 4);
  for (std::size_t at = 0; at < bytes.size(); at += kBytes) {
    std::uint32_t group = 0;
    for (std::size_t i = at; i < at + kBytes; ++i) {
      group = group << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
    }
    for (std::size_t i = 0; i <= kBytes; ++i) {
      const bool is_there = at + i <= bytes.size();
      text += is_there ? kLetters[group >> (kBits * (kBytes - i)) & 0x3F] : '=';
    }
  }
  return text;
}

}  // namespace mpq_tool
