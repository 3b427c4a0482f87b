// A decoder of a program's own, of what run_encoder.h makes: booleans as runs of equal ones, written by what
// decoder.h says and nothing else.
#pragma once

#include "microparquet/decoder.h"

namespace extension {

namespace mpq = microparquet;

class RunDecoder final : public mpq::Decoder {
 public:
  static constexpr std::uint16_t kStateBytes = 8;
  constexpr RunDecoder() : Decoder(mpq::EncodingId::kRle, mpq::Type::kBoolean, kStateBytes) {}

  mpq::Status begin_page(mpq::PageInput page, std::uint32_t values) const override;
  mpq::Status next(mpq::PageInput page) const override;
  mpq::Status read(mpq::PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  mpq::Status skip(mpq::PageInput page) const override;
};

inline constexpr RunDecoder kRunDecoder;

}  // namespace extension
