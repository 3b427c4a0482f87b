// Compressors and decompressors (Compression.md); a program links those that it names.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/compressor.h"
#include "microparquet/decompressor.h"

namespace microparquet {

// Compressor of LZ4_RAW (Compression.md): a block of LZ4 without a frame.
// Finds repeated bytes by a table with the last places of four bytes: `1 << table_bits` entries of two bytes,
// in the writer's memory. 64 entries do for pages of up to 4 KB; larger pages gain by larger tables. Without
// matches the search advances in growing steps, so that noise costs little time. The steps restart at one
// byte at each quarter of a page, where the streams of split floats begin. Thread-safe.
//
//   mpq::column("speed", &Sample::speed).with_compressor(mpq::kLz4RawCompressor)
class Lz4RawCompressor final : public Compressor {
 public:
  // Smallest table that the constructor takes.
  static constexpr unsigned kLeastTableBits = 4;
  // Largest table that the constructor takes.
  static constexpr unsigned kMostTableBits = 16;

  // Makes a compressor with `1 << table_bits` entries. Requires: kLeastTableBits <= table_bits <=
  // kMostTableBits.
  explicit constexpr Lz4RawCompressor(unsigned table_bits = 6)
      : Compressor(CodecId::kLz4Raw, {2, 255}, std::uint32_t{sizeof(std::uint16_t)} << table_bits),
        table_bits_(table_bits) {}
  std::uint32_t compress_page(Span<const std::byte> in, Span<std::byte> out,
                              Span<std::byte> scratch) const override;

 private:
  unsigned table_bits_;
};

// Object for Field::with_compressor(), with a table of 64 entries.
inline constexpr Lz4RawCompressor kLz4RawCompressor;

// Decompressor of LZ4_RAW (Compression.md): a block of LZ4 without a frame.
// Decompresses without memory of its own. Thread-safe.
class Lz4RawDecompressor final : public Decompressor {
 public:
  constexpr Lz4RawDecompressor() : Decompressor(CodecId::kLz4Raw) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte> scratch) const override;
};

// Object for ReaderOptions::decompressors.
inline constexpr Lz4RawDecompressor kLz4RawDecompressor;

// Decompressor of SNAPPY (Compression.md).
// Decompresses without memory of its own. Thread-safe.
class SnappyDecompressor final : public Decompressor {
 public:
  constexpr SnappyDecompressor() : Decompressor(CodecId::kSnappy) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte> scratch) const override;
};

// Object for ReaderOptions::decompressors.
inline constexpr SnappyDecompressor kSnappyDecompressor;

}  // namespace microparquet
