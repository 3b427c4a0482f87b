// Encoders by the type of a column: one option that makes a file small.
//
//   inline constexpr auto kSchema =
//       mpq::schema(mpq::timestamp_us_column("time", &Sample::time_us), mpq::column("speed", &Sample::speed))
//           .with_encoder(mpq::kAuto.under(mpq::kLz4RawCompressor));
//
// The header of each part describes it; a program links only the parts that its columns use.
#pragma once

#include "microparquet/byte_stream_split_encoder.h"
#include "microparquet/compressor.h"
#include "microparquet/delta_encoder.h"
#include "microparquet/dictionary_encoder.h"
#include "microparquet/encoder.h"

namespace microparquet {

// Set of encoders for with_encoder() of a field, a column or a whole schema.
struct AutoEncoders {
  IntegerEncoders integers;      // encoders for int32 and int64
  const Encoder* float32;        // encoder for Type::kFloat
  const Encoder* float64;        // encoder for Type::kDouble
  const Encoder* byte_array;     // encoder for Type::kByteArray
  const Compressor* compressor;  // compressor for all of these but integers; null: none

  // Returns these encoders with a compressor, which is the caller's and must stay as long as the writer.
  constexpr AutoEncoders under(const Compressor& object) const {
    return {integers, float32, float64, byte_array, &object};
  }
};

namespace detail {
// Values that the dictionary does not take are split, if that makes the page smaller.
constexpr Encoder with_split_pages(Encoder encoder) {
  encoder.transform = &kSplitPages;
  return encoder;
}
template <std::uint32_t kBytes, std::uint32_t kEntries>
inline constexpr Encoder kAutoFloat = with_split_pages(*kDictionaryOf<kBytes, kEntries>.float32);
template <std::uint32_t kBytes, std::uint32_t kEntries>
inline constexpr Encoder kAutoDouble = with_split_pages(*kDictionaryOf<kBytes, kEntries>.float64);
}  // namespace detail

// Encoders that make files small. Integers, and types stored as integers, become packed differences
// (delta_encoder.h), which are smaller than with any codec. Floats, doubles and byte arrays become indices
// into dictionaries (dictionary_encoder.h). Values that suit no dictionary are in PLAIN; under a compressor
// floats and doubles are split if that is smaller (byte_stream_split_encoder.h). Booleans and
// fixed_len_byte_array stay as they are. `kBytes` and `kEntries` are those of kDictionaryOf.
template <std::uint32_t kBytes, std::uint32_t kEntries>
inline constexpr AutoEncoders kAutoOf{kDeltaBinaryPacked, &detail::kAutoFloat<kBytes, kEntries>,
                                      &detail::kAutoDouble<kBytes, kEntries>,
                                      kDictionaryOf<kBytes, kEntries>.byte_array, nullptr};

// Encoders as kAutoOf, with the dictionaries of kDictionary.
inline constexpr const AutoEncoders& kAuto = kAutoOf<512, 256>;

}  // namespace microparquet
