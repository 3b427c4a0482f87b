// The decoders of RLE_DICTIONARY (Encodings.md), which older files call PLAIN_DICTIONARY: numbers of values
// that stand in the chunk's dictionary page.
#pragma once

#include <cstdint>

#include "microparquet/dictionary_decoder.h"

namespace microparquet {

// Of values of a fixed width.
class FixedDictionaryDecoder final : public DictionaryDecoder {
 public:
  // Of a column: see state_bytes().
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

// Of byte arrays. Beside the dictionary four bytes a value are kept, which say where it begins.
class ByteArrayDictionaryDecoder final : public DictionaryDecoder {
 public:
  // Of a column: see state_bytes().
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

// For ReaderOptions::decoders.
inline constexpr FixedDictionaryDecoder kFixedDictionaryDecoder;
// For ReaderOptions::decoders.
inline constexpr ByteArrayDictionaryDecoder kByteArrayDictionaryDecoder;

}  // namespace microparquet
