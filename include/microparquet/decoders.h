// Decoders of encodings other than PLAIN (Encodings.md); a program links those that it names in
// ReaderOptions.
#pragma once

#include <cstdint>

#include "microparquet/decoder.h"
#include "microparquet/dictionary_decoder.h"
#include "microparquet/page_input.h"
#include "microparquet/status.h"

namespace microparquet {

// Decoder of DELTA_BINARY_PACKED (Encodings.md): integers as packed differences.
// Decodes int32 and int64. Blocks may have any size, with up to kMostMiniblocks miniblocks, since the decoder
// keeps their widths; a page with more is kUnsupported.
class DeltaDecoder final : public Decoder {
 public:
  // Largest number of miniblocks in a block.
  static constexpr std::uint32_t kMostMiniblocks = 32;
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 72;

  constexpr DeltaDecoder()
      : Decoder(EncodingId::kDeltaBinaryPacked, {Type::kInt32, Type::kInt64}, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr DeltaDecoder kDeltaDecoder;

// Decoder of DELTA_LENGTH_BYTE_ARRAY (Encodings.md): the lengths of byte arrays as packed differences, then
// their bytes.
// Decodes byte_array. The bytes lie far from the lengths, so a page must fit in its column's buffer whole;
// otherwise the status is kOutOfMemory, see Reader::needed_bytes(). A compressed page is there anyway. The
// decoder checks all lengths of a page before it gives out the first value. Like DeltaDecoder, it reads
// blocks of up to DeltaDecoder::kMostMiniblocks miniblocks.
class DeltaLengthDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 88;

  constexpr DeltaLengthDecoder()
      : Decoder(EncodingId::kDeltaLengthByteArray, Type::kByteArray, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr DeltaLengthDecoder kDeltaLengthDecoder;

// Decoders of DELTA_BYTE_ARRAY (Encodings.md): for each value the length of the prefix that it shares with
// the one before it, and the rest.
// Decodes byte_array. A page must fit in its column's buffer whole, and beside it the longest of its values,
// which is no longer than the page; otherwise the status is kOutOfMemory, see Reader::needed_bytes(). A batch
// has as many values as fit there at once: a buffer of twice the page's bytes, or more if the values repeat
// much, makes batches longer. The decoder checks all lengths of a page before it gives out the first value.
class DeltaByteArrayDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 200;

  constexpr DeltaByteArrayDecoder() : Decoder(EncodingId::kDeltaByteArray, Type::kByteArray, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Decodes fixed_len_byte_array, with the same memory.
class DeltaFixedDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = DeltaByteArrayDecoder::kStateBytes;

  constexpr DeltaFixedDecoder()
      : Decoder(EncodingId::kDeltaByteArray, Type::kFixedLenByteArray, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr DeltaByteArrayDecoder kDeltaByteArrayDecoder;
// Object for ReaderOptions::decoders.
inline constexpr DeltaFixedDecoder kDeltaFixedDecoder;

// Decoders of RLE_DICTIONARY (Encodings.md), called PLAIN_DICTIONARY in older files: numbers of values in the
// chunk's dictionary page.
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

// Decoder of booleans in RLE (Encodings.md).
// Decodes RLE of boolean. Thread-safe.
class RleBooleanDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 16;
  constexpr RleBooleanDecoder() : Decoder(EncodingId::kRle, Type::kBoolean, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr RleBooleanDecoder kRleBooleanDecoder;

// Decoder of BYTE_STREAM_SPLIT (Encodings.md): the first byte of each value, then the second of each, and so
// on.
// Decodes values of up to kMostValueBytes bytes; wider ones are kUnsupported. The bytes of a value lie far
// apart, so a page must fit in its column's buffer whole; otherwise the status is kOutOfMemory, see
// Reader::needed_bytes(). A compressed page is there anyway.
class ByteStreamSplitDecoder final : public Decoder {
 public:
  // Longest value.
  static constexpr std::uint32_t kMostValueBytes = 16;
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 24;
  constexpr ByteStreamSplitDecoder()
      : Decoder(EncodingId::kByteStreamSplit,
                {Type::kInt32, Type::kInt64, Type::kFloat, Type::kDouble, Type::kFixedLenByteArray},
                kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Decodes fixed_len_byte_array of any length; a value must fit in its column's buffer beside the page. Name
// it before the other one, which decodes values of up to 16 bytes with less code.
class WideByteStreamSplitDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 24;
  constexpr WideByteStreamSplitDecoder()
      : Decoder(EncodingId::kByteStreamSplit, Type::kFixedLenByteArray, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr ByteStreamSplitDecoder kByteStreamSplitDecoder;
// Object for ReaderOptions::decoders.
inline constexpr WideByteStreamSplitDecoder kWideByteStreamSplitDecoder;

// Decoder of ALP (AlpEncoding.md), which the format has in preview: decimals in floating point as packed
// integers.
// Decodes float and double. The exceptions of some hundred values follow these, so a page must fit in its
// column's buffer whole; otherwise the status is kOutOfMemory, see Reader::needed_bytes(). A compressed page
// is there anyway. The decoder refuses exceptions that are not in the order of their places, and modes that
// the format reserves, with kUnsupported. A double takes two multiplications of doubles, which cores without
// a unit for them compute in software.
class AlpDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 64;

  constexpr AlpDecoder() : Decoder(EncodingId::kAlp, {Type::kFloat, Type::kDouble}, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders.
inline constexpr AlpDecoder kAlpDecoder;

// Levels in the deprecated BIT_PACKED encoding (Encodings.md), found in data pages V1 of old files.
// Reads the next `count` levels of the page into `levels`, and passes them. Thread-safe.
// - kCorrupt: the page is shorter
// - kOutOfMemory: the page and its levels do not fit in the buffer together, see Reader::needed_bytes()
// - statuses of the file
using LevelReader = Status(PageInput page, detail::LevelDecoder& levels, std::uint32_t count);

// Function for ReaderOptions::bit_packed_levels; a program that does not name it does not link it.
LevelReader read_bit_packed_levels;

}  // namespace microparquet
