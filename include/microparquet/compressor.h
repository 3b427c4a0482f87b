// Compressors, which make the pages of a column smaller (Compression.md).
//
// A compressor is an object that a Field names. A program that names none links no part of compression.
// Columns without one are stored as they are. codecs.h has one; a program may have others:
//
//   class Snappy final : public mpq::Compressor {
//    public:
//     constexpr Snappy() : Compressor(mpq::CodecId::kSnappy, {32, 6}, kTableBytes) {}
//     std::uint32_t compress_page(mpq::Span<const std::byte> in, mpq::Span<std::byte> out,
//                            mpq::Span<std::byte> scratch) const override;
//   };
//   inline constexpr Snappy kSnappy;
//   ... mpq::column("speed", &Sample::speed).with_compressor(kSnappy)
//
// The writer compresses a page when it closes it: when its buffer of Field::page_bytes is full of
// uncompressed values, at a checkpoint, or at the end of the row group. A closed page stays closed: a
// checkpoint leaves small pages, which compress less. The column's object compresses all of its pages, levels
// and values together as in data page V1. A page that has grown is stored compressed as well: a page of V1
// cannot say that it is not compressed.
//
// In place, compressed pages follow each other without padding, also with Options::whole_sectors: only whole
// sectors are written, and the rest of a page stays in the column's buffer until the next page is stored, or
// the row group ends. Before a checkpoint the writer lengthens the page to the end of a sector. This takes a
// buffer of two sectors, Field::with_page_bytes(1024) or more, and a compressor that makes a page no more
// than an eighth and 64 bytes larger: otherwise each page is lengthened as any other, and compression only
// turns bytes into padding.
//
// Checkpoints, resume() and reconnect() are as for other pages. `mpq recover` looks for rows that no footer
// describes, and proves them by decoding all columns: it keeps none if a column's compression was not built
// into it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/codec_id.h"
#include "microparquet/detail/page_transform.h"
#include "microparquet/span.h"

namespace microparquet {

// Largest growth from input to output: `n` bytes become at most n + n / share + bytes. A share of 0 means no
// growth in proportion.
struct Growth {
  std::uint32_t bytes = 0;  // growth in any case
  std::uint32_t share = 0;  // growth in proportion; 0: none

  // Returns the largest output for `bytes_in` bytes.
  constexpr std::uint32_t most_bytes(std::uint32_t bytes_in) const {
    return bytes_in + bytes + (share != 0 ? bytes_in / share : 0);
  }
};

// Base class of compressors. Derive with RTTI or without: the library defines no virtual function. Objects
// are constant and without state, and constexpr for a StaticWriter. They are the caller's and must stay as
// long as the writer. One object may serve many columns and writers. Thread-safe if its compress_page() is.
class Compressor {
 public:
  // Returns the compression: the number in the footer's ColumnMetaData.codec.
  constexpr CodecId id() const { return id_; }

  // Returns the bytes that compress_page() needs beside its input and output. A writer keeps them once for
  // all columns, in its arena, with as much for the output as the largest page of the compressed columns.
  constexpr std::uint32_t scratch_bytes() const { return scratch_bytes_; }

  // Returns how much the body of a page may grow. The writer keeps that much of a page's buffer free, so
  // state it exactly: a compressor that can give up and store literals grows less than one that cannot.
  constexpr const Growth& growth() const { return growth_; }

  // Compresses all of `in`, at least a byte, to the beginning of `out`, and returns the number of bytes
  // written. It cannot fail: `out` has growth().most_bytes(in.size()) bytes, and data that cannot be made
  // smaller must fit in these.
  //
  // The output must be complete in itself: a Decompressor of the same id() must get in.size() bytes from it.
  // Its CRC-32 must differ for different inputs, since reconnect() identifies pages by it. A format that ends
  // in the CRC-32 of the input, as GZIP does, may fail this for inputs stored as they are. `in`, `out` and
  // `scratch` do not overlap, and are the writer's: keep no pointers. `in` and `scratch` begin at a multiple
  // of 8; in an optional column `in` may begin anywhere. The contents of `scratch` before and after do not
  // matter. Keep nothing from one call to the next.
  virtual std::uint32_t compress_page(Span<const std::byte> in, Span<std::byte> out,
                                      Span<std::byte> scratch) const = 0;

  // Returns the writer's functions for it. Each object names them, so that compression is linked with
  // compressors only.
  constexpr const detail::PageTransform& transform() const { return *transform_; }

 protected:
  // Makes a compressor for `id`, with pages that grow as `growth` says and `scratch_bytes` bytes of memory
  // beside them. `transform` is the library's.
  explicit constexpr Compressor(CodecId id, Growth growth, std::uint32_t scratch_bytes = 0,
                                const detail::PageTransform& transform = detail::kPageTransform)
      : transform_(&transform), growth_(growth), scratch_bytes_(scratch_bytes), id_(id) {}
  ~Compressor() = default;

 private:
  const detail::PageTransform* transform_;
  Growth growth_;
  std::uint32_t scratch_bytes_;
  CodecId id_;
};

}  // namespace microparquet
