// The numbers of compressions (Compression.md).
#pragma once

#include <cstdint>

namespace microparquet {

// CompressionCodec of parquet.thrift.
enum class CodecId : std::uint8_t {
  kUncompressed = 0,
  kSnappy = 1,
  kGzip = 2,
  kLzo = 3,
  kBrotli = 4,
  kLz4 = 5,  // LZ4 framed by Hadoop, deprecated
  kZstd = 6,
  kLz4Raw = 7,
};

}  // namespace microparquet
