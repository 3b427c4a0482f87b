// A decoder of a program's own, of what table_encoder.h makes, written by what dictionary_decoder.h says and
// nothing else.
#pragma once

#include "microparquet/dictionary_decoder.h"

namespace extension {

namespace mpq = microparquet;

class TableDecoder final : public mpq::DictionaryDecoder {
 public:
  static constexpr std::uint16_t kStateBytes = 8;
  constexpr TableDecoder()
      : DictionaryDecoder(mpq::EncodingId::kRleDictionary, {mpq::Type::kInt64, mpq::Type::kDouble},
                          kStateBytes) {}

  mpq::Status begin_dictionary(mpq::PageInput column, const mpq::Dictionary& dictionary) const override;
  mpq::Status begin_page(mpq::PageInput page, std::uint32_t values) const override;
  mpq::Status next(mpq::PageInput page) const override;
  mpq::Status read(mpq::PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  mpq::Status skip(mpq::PageInput page) const override;
};

inline constexpr TableDecoder kTableDecoder;

}  // namespace extension
