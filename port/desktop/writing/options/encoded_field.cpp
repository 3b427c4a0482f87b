#include <map>

#include "encoding_options.h"
#include "microparquet/codecs.h"
#include "microparquet/desktop/data_page_v2.h"
#include "microparquet/desktop/string_encoders.h"
#include "microparquet/encoders.h"

namespace mpq = microparquet;

namespace {

constexpr std::uint32_t kSectorPageBytes = 512;
constexpr std::uint32_t kWidePageBytes = 4096;

// Encoders whose dictionaries have as many entries as fit in these bytes.
const mpq::AutoEncoders& auto_encoders(std::uint32_t dictionary_bytes) {
  switch (dictionary_bytes) {
    case 1024: return mpq::kAutoOf<1024, 256>;
    case 2048: return mpq::kAutoOf<2048, 512>;
    case 4096: return mpq::kAutoOf<4096, 1024>;
    case 8192: return mpq::kAutoOf<8192, 2048>;
    case 16384: return mpq::kAutoOf<16384, 4096>;
    default: return mpq::kAuto;
  }
}

mpq::Field with_string_encoder(const mpq::Field& field, const EncodingOptions& options) {
  switch (options.encoding) {
    case Encoding::kDeltaLength: return field.with_encoder(mpq::desktop::kDeltaLengthByteArray);
    case Encoding::kDeltaByteArray: return field.with_encoder(mpq::desktop::kDeltaByteArray);
    default: return field;
  }
}

// The field with pages of version 2 over the compressor that it names.
mpq::Field with_v2_pages(const mpq::Field& field) {
  static std::map<const mpq::Compressor*, const mpq::desktop::DataPageV2> pages = {{nullptr, {}}};
  if (field.compressor != nullptr) {
    pages.try_emplace(field.compressor, *field.compressor);
  }
  return field.with_compressor(pages.at(field.compressor));
}

mpq::Field with_own_encoder(const mpq::Field& field, const EncodingOptions& options) {
  const bool is_integer = field.type == mpq::Type::kInt32 || field.type == mpq::Type::kInt64;
  const mpq::Compressor* const compressor = compressor_of(options);
  if (options.encoding == Encoding::kAuto) {
    const mpq::AutoEncoders& encoders = auto_encoders(options.dictionary_bytes);
    return field.with_encoder(compressor != nullptr ? encoders.under(*compressor) : encoders);
  }
  if (is_integer && options.encoding != Encoding::kPlain) {
    return field.with_encoder(mpq::kDeltaBinaryPacked);
  }
  const mpq::Field encoded_field =
      field.type == mpq::Type::kByteArray ? with_string_encoder(field, options) : field;
  return compressor != nullptr ? encoded_field.with_compressor(*compressor) : encoded_field;
}

}  // namespace

std::uint32_t page_bytes_of(const EncodingOptions& options) {
  if (options.page_bytes != 0) {
    return options.page_bytes;
  }
  const bool fills_sectors = options.encoding == Encoding::kPlain || options.encoding == Encoding::kDelta;
  return fills_sectors ? kSectorPageBytes : kWidePageBytes;
}

const mpq::Compressor* compressor_of(const EncodingOptions& options) {
  const bool gains = options.encoding == Encoding::kAuto && page_bytes_of(options) > kSectorPageBytes;
  return options.compressor.value_or(gains ? &mpq::kLz4RawCompressor : nullptr);
}

mpq::Field encoded(const mpq::Field& field, const EncodingOptions& options) {
  const mpq::Field encoded_field = with_own_encoder(field, options);
  return options.v2_pages ? with_v2_pages(encoded_field) : encoded_field;
}
