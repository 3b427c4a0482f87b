// Codecs: how pages are compressed (Compression.md).
//
// A codec is an object that ReaderOptions::codecs names; one that is not named is not linked. A column chunk
// of a codec that is not named is kUnsupported; uncompressed ones need none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/codec_id.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

class Codec;

namespace format {
struct PageHeader;
}

namespace detail {
struct ColumnCursor;

// Begins a compressed data page, whose bytes are next in the column's window.
// - kOutOfMemory: the page before and after decompression does not fit in the column's buffer;
//   Reader::needed_bytes() says what would
Status begin_compressed_page(const Codec& codec, ColumnCursor& column, const format::PageHeader& header);
}  // namespace detail

// To derive from, with RTTI or without: no virtual function is defined in the library, which has none.
// Objects are constant; thread-safe if decompress() is.
class Codec {
 public:
  constexpr CodecId id() const { return id_; }

  // Decompresses all of `in` to `out`, which it fills exactly. `in` is hostile.
  // - kCorrupt: `in` is not of this codec, or does not become out.size() bytes
  virtual Status decompress(Span<const std::byte> in, Span<std::byte> out) const = 0;

  // For the reader. Virtual so that decompression is linked with codecs only.
  virtual Status begin_page(detail::ColumnCursor& column, const format::PageHeader& header) const {
    return detail::begin_compressed_page(*this, column, header);
  }

 protected:
  explicit constexpr Codec(CodecId id) : id_(id) {}
  ~Codec() = default;

 private:
  CodecId id_;
};

}  // namespace microparquet
