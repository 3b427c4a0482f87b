// Numbers of encodings (Encodings.md).
#pragma once

#include <cstdint>

namespace microparquet {

// Encoding of parquet.thrift.
enum class EncodingId : std::uint8_t {
  kPlain = 0,
  kPlainDictionary = 2,
  kRle = 3,
  kBitPacked = 4,
  kDeltaBinaryPacked = 5,
  kDeltaLengthByteArray = 6,
  kDeltaByteArray = 7,
  kRleDictionary = 8,
  kByteStreamSplit = 9,
  kAlp = 10,  // a preview of the format
};

// Set of encodings: EncodingSet{EncodingId::kPlainDictionary, EncodingId::kRleDictionary}.
class EncodingSet {
 public:
  static constexpr unsigned kEnd = 16;  // one above the largest number that it can hold

  // Makes a set of these encodings.
  template <typename... Ids>
  constexpr EncodingSet(EncodingId first, Ids... others)
      : bits_(static_cast<std::uint16_t>((mask_of(first) | ... | mask_of(others)))) {}

  // Returns whether `encoding` is in the set.
  constexpr bool contains(EncodingId encoding) const {
    return static_cast<unsigned>(encoding) < kEnd && (bits_ >> static_cast<unsigned>(encoding) & 1U) != 0;
  }

 private:
  static constexpr unsigned mask_of(EncodingId encoding) { return 1U << static_cast<unsigned>(encoding); }

  std::uint16_t bits_;
};

}  // namespace microparquet
