// The numbers of encodings (Encodings.md).
#pragma once

#include <cstdint>

namespace microparquet {

// parquet.thrift's Encoding.
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
};

}  // namespace microparquet
