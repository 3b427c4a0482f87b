// Compressors: how the pages of a column are made smaller (Compression.md).
//
// A compressor is an object that a Field names; one that is not named is not linked, nor is what the writer
// does about compression. Columns without one are stored as they are. lz4_raw_compressor.h has one; a program
// may have others:
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
// A page is compressed when it is closed: because its buffer of Field::page_bytes is full of values as they
// were before compression, because a checkpoint or the end of the row group closes it. Nothing reopens it: a
// checkpoint closes small pages, which compress less. All pages of a column are compressed by the object that
// it names, levels and values together as data page V1 has them. Each is stored as compress_page() leaves it, also
// when it has grown: a page of V1 cannot say that it is not compressed.
//
// In place compressed pages follow each other without padding, also with Options::whole_sectors: only whole
// sectors are written, and what a page has in its last one stays in the column's buffer until the next page is
// stored, or the row group ends. Before a checkpoint the page is lengthened to the end of a sector. That takes a
// buffer of two sectors, Field::with_page_bytes(1024) or more, and a compressor that makes a page no more than
// an eighth and 64 bytes larger: else each page is lengthened as any other, and what compression saves is padding.
//
// Checkpoints, resume() and reconnect() are as for other pages. `mpq recover`, which looks for rows that no
// footer leads to, proves them by decoding all columns: it keeps none where a column is of a compression that
// it was built without.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/codec_id.h"
#include "microparquet/detail/page_transform.h"
#include "microparquet/span.h"

namespace microparquet {

// How much larger than its input an output may get: `n` bytes become n + n / share + bytes at most. A share
// of 0 means that it does not grow by a share.
struct Growth {
  std::uint32_t bytes = 0;  // in any case
  std::uint32_t share = 0;  // 0: it does not grow by one

  // The most that `bytes_in` bytes become.
  constexpr std::uint32_t most_bytes(std::uint32_t bytes_in) const {
    return bytes_in + bytes + (share != 0 ? bytes_in / share : 0);
  }
};

// To derive from, with RTTI or without: no virtual function is defined in the library, which has none.
// Objects are constant, and without state: for a StaticWriter constexpr. They are the caller's and must stay
// as long as the writer. One object may serve many columns and writers; Thread-safe if its compress_page() is.
class Compressor {
 public:
  // What it makes: the number in the footer's ColumnMetaData.codec.
  constexpr CodecId id() const { return id_; }

  // Bytes that compress_page() needs beside its input and output. A writer keeps them once for all columns, in its
  // arena, with as much for the output as the largest page of the columns that are compressed.
  constexpr std::uint32_t scratch_bytes() const { return scratch_bytes_; }

  // How much larger the body of a page may become. That much of a page's buffer is kept free, so it is best
  // told exactly: a compressor that can give up and store literals grows less than one that cannot.
  constexpr const Growth& growth() const { return growth_; }

  // Compresses all of `in`, at least a byte, to the beginning of `out`, and returns how many bytes of it. It
  // cannot fail: `out` has growth().most_bytes(in.size()) bytes, and what cannot be made smaller is to be
  // written in as many.
  //
  // What comes out must be whole in itself, and a Decompressor of the same id() must make in.size() bytes of
  // it. Its CRC-32 must tell one input from another: reconnect() knows pages by it. That of a format which ends in the
  // CRC-32 of the input, as GZIP does, may not, where the input is stored as it is. `in`, `out` and `scratch` do not overlap, and are the writer's: keep no pointers. `in` and `scratch`
  // begin at a multiple of 8 where the column is required, `in` anywhere where it is optional. What `scratch`
  // holds before and after does not matter. Nothing is to be kept from one call to the next.
  virtual std::uint32_t compress_page(Span<const std::byte> in, Span<std::byte> out,
                                      Span<std::byte> scratch) const = 0;

  // For the writer. Named by each object, so that compression is linked with compressors only.
  constexpr const detail::PageTransform& transform() const { return *transform_; }

 protected:
  // It makes `id`, of pages that grow as `growth` says, with `scratch_bytes` bytes of memory beside them. `transform` is
  // the library's.
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
