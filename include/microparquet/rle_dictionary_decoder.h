// Decoders of RLE_DICTIONARY (Encodings.md), called PLAIN_DICTIONARY in older files: numbers of values in the
// chunk's dictionary page.
#pragma once

#include <cstdint>

#include "microparquet/dictionary_decoder.h"

namespace microparquet {

// Decodes values of a fixed width.
class FixedDictionaryDecoder final : public DictionaryDecoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 16;
  constexpr FixedDictionaryDecoder()
      : DictionaryDecoder(
            {EncodingId::kPlainDictionary, EncodingId::kRleDictionary},
            {Type::kInt32, Type::kInt64, Type::kInt96, Type::kFloat, Type::kDouble, Type::kFixedLenByteArray},
            kStateBytes) {}
  Status begin_dictionary(PageInput column, const Dictionary& dictionary) const override;
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Decodes byte arrays. Beside the dictionary it keeps four bytes a value, which tell where the value begins.
class ByteArrayDictionaryDecoder final : public DictionaryDecoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 16;
  constexpr ByteArrayDictionaryDecoder()
      : DictionaryDecoder({EncodingId::kPlainDictionary, EncodingId::kRleDictionary}, Type::kByteArray,
                          kStateBytes) {}
  std::uint64_t index_bytes(std::uint32_t count) const override;
  Status begin_dictionary(PageInput column, const Dictionary& dictionary) const override;
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr FixedDictionaryDecoder kFixedDictionaryDecoder;
// Object for ReaderOptions::decoders.
inline constexpr ByteArrayDictionaryDecoder kByteArrayDictionaryDecoder;

}  // namespace microparquet
