#include "format/page_header_writer.h"

#include "base/varint.h"

namespace microparquet::format {

std::byte* write_dictionary_page_header(std::byte* at, const DictionaryPageFields& fields) {
  constexpr unsigned kFields = sizeof fields / sizeof fields.type;
  constexpr unsigned kInStruct = 2;
  const std::uint32_t* const numbers = &fields.type;
  for (unsigned i = 0; i < kFields; ++i) {
    if (i == kFields - kInStruct) *at++ = std::byte{kDictionaryPageStruct};
    *at++ = std::byte{kPageNumber};
    at = util::put_varint(at, detail::zigzag(numbers[i]));
  }
  *at++ = std::byte{0};  // ends the struct, then the header
  *at++ = std::byte{0};
  return at;
}

}  // namespace microparquet::format
