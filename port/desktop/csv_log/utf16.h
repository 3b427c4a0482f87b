// Files in UTF-16, as spreadsheets and Windows programs save them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace csv_log {

enum class Utf16 : std::uint8_t { kNone, kLittleEndian, kBigEndian };

// The order of bytes of a file that begins so, by its mark, or since every second byte is 0; kNone: it is no UTF-16.
Utf16 utf16_of(std::string_view beginning);

// Makes UTF-8 of a file, piece by piece.
class Utf16Decoder {
 public:
  explicit Utf16Decoder(Utf16 order) : order_(order) {}

  // Appends the text of the next bytes; what is no character becomes U+FFFD.
  void decode(std::string_view bytes, std::string& text);

 private:
  void take(unsigned unit, std::string& text);

  Utf16 order_;
  std::string odd_;    // the first byte of a unit whose second one is to come
  unsigned high_ = 0;  // the first half of a character; 0: there is none
};

}  // namespace csv_log
