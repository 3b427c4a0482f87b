// Data pages of version 2, for files that a desktop writes. Their levels stand before what is compressed, and a page whose
// values compression makes no smaller is stored as it is.
//
//   static const mpq::desktop::DataPageV2 kZstdPages(mpq::desktop::kZstdCompressor);
//   ... mpq::column("speed", &Sample::speed).with_compressor(kZstdPages)
//
// Readers take them from either layout, with any encoder, a page index and bloom filters; files with them are resumed and
// recovered as others are, by libraries that are built for desktops.
#pragma once

#include "microparquet/compressor.h"
#include "microparquet/detail/page_transform.h"

namespace microparquet::desktop {

namespace detail {
microparquet::detail::TransformPage transform_v2_page;

// One that can do all that others can, since the columns of a writer share it.
inline constexpr microparquet::detail::PageTransform kV2Pages{
    &transform_v2_page, &microparquet::detail::describe_transformed,
    &microparquet::detail::compress_dictionary, &microparquet::detail::least_compressed_page,
    microparquet::detail::PageTransform::kSplitChunkBytes + 8};

// The bytes by which the header may be longer than one of version 1.
constexpr Growth v2_growth(Growth growth) {
  constexpr std::uint32_t kLeast = 16;
  return {growth.bytes > kLeast ? growth.bytes : kLeast, growth.share};
}
}  // namespace detail

// A column names it instead of a compressor. Columns beside it may have pages of version 1. Thread-safe, if
// the compressor is.
class DataPageV2 final : public Compressor {
 public:
  // Pages that are not compressed.
  constexpr DataPageV2() : Compressor(CodecId::kUncompressed, detail::v2_growth({}), 0, detail::kV2Pages) {}

  // Pages whose values `compressor` compresses, where that makes them smaller. It is the caller's and must stay.
  explicit constexpr DataPageV2(const Compressor& compressor)
      : Compressor(compressor.id(), detail::v2_growth(compressor.growth()), compressor.scratch_bytes(),
                   detail::kV2Pages),
        compressor_(&compressor) {}

  // The one it was made with; null: none.
  const Compressor* compressor() const { return compressor_; }

  // Compresses as that compressor does.
  std::uint32_t compress_page(Span<const std::byte> in, Span<std::byte> out,
                              Span<std::byte> scratch) const override;

 private:
  const Compressor* compressor_ = nullptr;
};

}  // namespace microparquet::desktop
