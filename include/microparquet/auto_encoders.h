// Encoders by the type of a column: one option that makes a file small.
//
//   inline constexpr auto kSchema =
//       mpq::schema(mpq::timestamp_us_column("time", &Sample::time_us), mpq::column("speed", &Sample::speed))
//           .with_encoder(mpq::kAuto.under(mpq::kLz4RawCompressor));
//
// Each part is what its own header says; a program links those of them that its columns have.
#pragma once

#include "microparquet/byte_stream_split_encoder.h"
#include "microparquet/compressor.h"
#include "microparquet/delta_encoder.h"
#include "microparquet/dictionary_encoder.h"
#include "microparquet/encoder.h"

namespace microparquet {

// For with_encoder() of a field, a column or a whole schema.
struct AutoEncoders {
  IntegerEncoders integers;      // of int32 and int64
  const Encoder* float32;        // of Type::kFloat
  const Encoder* float64;        // of Type::kDouble
  const Encoder* byte_array;     // of Type::kByteArray
  const Compressor* compressor;  // of all of these but integers; null: none

  // The same with a compressor, which is the caller's and must stay as long as the writer.
  constexpr AutoEncoders under(const Compressor& object) const {
    return {integers, float32, float64, byte_array, &object};
  }
};

namespace detail {
// What the dictionary does not take is split, if that makes it smaller.
constexpr Encoder with_split_pages(Encoder encoder) {
  encoder.transform = &kSplitPages;
  return encoder;
}
template <std::uint32_t kBytes, std::uint32_t kEntries>
inline constexpr Encoder kAutoFloat = with_split_pages(*kDictionaryOf<kBytes, kEntries>.float32);
template <std::uint32_t kBytes, std::uint32_t kEntries>
inline constexpr Encoder kAutoDouble = with_split_pages(*kDictionaryOf<kBytes, kEntries>.float64);
}  // namespace detail

// Integers, and what is stored as these, as packed differences (delta_encoder.h), which are smaller than any
// codec makes them. Floats, doubles and byte arrays as indices into dictionaries (dictionary_encoder.h); those that
// suit none in PLAIN or, under the compressor named, floats and doubles split if that is smaller
// (byte_stream_split_encoder.h). Booleans and fixed_len_byte_array stay as they are. `kBytes` and `kEntries` are those
// of kDictionaryOf.
template <std::uint32_t kBytes, std::uint32_t kEntries>
inline constexpr AutoEncoders kAutoOf{kDeltaBinaryPacked, &detail::kAutoFloat<kBytes, kEntries>,
                                      &detail::kAutoDouble<kBytes, kEntries>,
                                      kDictionaryOf<kBytes, kEntries>.byte_array, nullptr};

// The same with the dictionaries of kDictionary.
inline constexpr const AutoEncoders& kAuto = kAutoOf<512, 256>;

}  // namespace microparquet
