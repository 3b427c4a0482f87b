// Decompressors, which read compressed pages (Compression.md).
//
// A decompressor is an object that ReaderOptions::decompressors names; one that is not named is not linked. A
// column chunk is kUnsupported if no named object knows its compression; uncompressed ones need none.
//
//   class Lz4Raw final : public mpq::Decompressor {
//    public:
//     constexpr Lz4Raw() : Decompressor(mpq::CodecId::kLz4Raw) {}
//     mpq::Status decompress(mpq::Span<const std::byte> in, mpq::Span<std::byte> out,
//                            mpq::Span<std::byte> scratch) const override;
//   };
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/codec_id.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

class Decompressor;

namespace format {
struct PageHeader;
}

namespace detail {
struct ColumnCursor;

// Begins a compressed page, whose bytes are next in the column's window, and decompresses it into the
// column's page memory.
// - kOutOfMemory: the page before and after decompression does not fit in the column's memory;
//   Reader::needed_bytes() has the size that would do
Status begin_compressed_page(const Decompressor& decompressor, ColumnCursor& column,
                             const format::PageHeader& header);
}  // namespace detail

// Base class of decompressors. Derive with RTTI or without: the library defines no virtual function. Objects
// are the caller's and must stay as long as the reader's options. One object may serve several readers at
// once if its decompress() may.
class Decompressor {
 public:
  // Returns the compression: the number in the footer's ColumnMetaData.codec.
  constexpr CodecId id() const { return id_; }

  // Returns the bytes that decompress() needs beside its input and output. A reader keeps them once, in its
  // arena.
  constexpr std::uint32_t scratch_bytes() const { return scratch_bytes_; }

  // Decompresses all of `in` to `out`, which it fills exactly.
  //
  // `in` is hostile: it may be any bytes of any length, even empty, and out.size() comes from the page's
  // header, which may be wrong. Therefore it must
  // - read nothing outside `in`, and write nothing outside `out` and `scratch`, whatever lengths and
  //   distances the input names: each is compared with what is left before it is used, in a way that cannot
  //   wrap
  // - end, in time proportional to in.size() + out.size()
  // - keep no memory that grows with what the input says
  // - return kOk only when `out` has been filled to its last byte and nothing of `in` is left
  //
  // The contents of `out` after any other status do not matter. `in`, `out` and `scratch` do not overlap;
  // `in` and `out` may begin at any address, `scratch` at a multiple of 8. Keep nothing from one call to the
  // next.
  // - kCorrupt: `in` is not of this compression, or does not become out.size() bytes
  // - kUnsupported: it is, in a form that this object does not decompress
  virtual Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte> scratch) const = 0;

  // Begins a page, for the reader. It is virtual, so that decompression is linked with decompressors only.
  virtual Status begin_page(detail::ColumnCursor& column, const format::PageHeader& header) const {
    return detail::begin_compressed_page(*this, column, header);
  }

 protected:
  // Makes a decompressor for `id`, with `scratch_bytes` bytes of memory beside input and output.
  explicit constexpr Decompressor(CodecId id, std::uint32_t scratch_bytes = 0)
      : scratch_bytes_(scratch_bytes), id_(id) {}
  ~Decompressor() = default;

 private:
  std::uint32_t scratch_bytes_;
  CodecId id_;
};

}  // namespace microparquet
