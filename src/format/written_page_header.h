// Page headers in the form of page_header_writer.h, read back by the library that wrote them. No checksum
// covers a header, and it may begin in a lost sector that holds an older page. The reader therefore accepts
// only bytes that the writer would have written.
#pragma once

#include <cstdint>

#include "format/desktop/page_header_v2.h"
#include "format/page_header.h"
#include "microparquet/detail/math.h"
#include "microparquet/encoding_id.h"

namespace microparquet::format {

struct WrittenPageHeader {
  bool is_dictionary;
  bool is_v2;  // false without kWritesV2
  std::uint8_t encoding;
  std::uint32_t uncompressed_bytes;
  std::uint32_t stored_bytes;  // length after the header
  std::uint32_t crc;
  std::uint32_t values;
};

// Reader on a `Source`, whose byte() returns zeros from at_end() on.
template <typename Source>
class WrittenPageHeaderReader : public Source {
 public:
  using Source::Source;

  [[gnu::always_inline]] void read(WrittenPageHeader& header) {
    constexpr auto kRle = static_cast<std::uint32_t>(EncodingId::kRle);
    const std::uint32_t type = number();
    const bool v2 = kWritesV2 && type == static_cast<std::uint32_t>(PageType::kDataV2);
    expect(v2 || (type & ~static_cast<std::uint32_t>(PageType::kDictionary)) == 0);
    if constexpr (kWritesV2) header.is_v2 = v2;
    header.is_dictionary = !v2 && type != static_cast<std::uint32_t>(PageType::kData);
    header.uncompressed_bytes = number();
    header.stored_bytes = number();
    header.crc = number();
    expect_byte(v2 ? kDataPageV2Struct : header.is_dictionary ? kDictionaryPageStruct : kDataPageStruct);
    header.values = number();
    if (v2) {
      expect(number() <= header.values);  // nulls
      expect(number() == header.values);  // rows
    }
    const std::uint32_t encoding = number();
    expect(encoding <= 0xFF);
    header.encoding = static_cast<std::uint8_t>(encoding);
    if (v2) {
      expect(number() <= header.stored_bytes);  // length of definition levels
      expect(number() == 0);                    // length of repetition levels
      expect_byte(is_compressed_byte(header.stored_bytes != header.uncompressed_bytes));
    } else if (!header.is_dictionary) {
      expect(number() == kRle);
      expect(number() == kRle);
    }
    expect_byte(0);
    if (next() == 0) return;
    // The next field is the extension.
    expect(varint() >> 1 == static_cast<std::uint32_t>(kExtensionField));
    for (std::uint32_t left = varint(); left != 0 && sound_ && !Source::at_end(); --left) next();
    expect_byte(0);
  }

  std::uint32_t taken() const { return taken_; }
  // Returns whether all bytes were as the writer writes them; only valid if they could be read.
  bool is_sound() const { return sound_; }

 private:
  [[gnu::always_inline]] unsigned next() {
    ++taken_;
    return Source::byte();
  }
  void expect(bool condition) { sound_ = condition && sound_; }
  void expect_byte(unsigned expected) { expect(next() == expected); }
  std::uint32_t varint() {
    std::uint32_t value = 0;
    unsigned byte = 0x80;
    for (unsigned shift = 0; byte >= 0x80 && shift < 35; shift += 7) {
      byte = next();
      value |= (byte & 0x7F) << shift;
    }
    expect(byte < 0x80);
    return value;
  }
  std::uint32_t number() {
    expect_byte(kPageNumber);
    return detail::unzigzag(varint());
  }

  std::uint32_t taken_ = 0;
  bool sound_ = true;
};

}  // namespace microparquet::format
