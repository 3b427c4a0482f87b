// Encoders of encodings other than PLAIN (Encodings.md); a program links those that its columns name.
#pragma once

#include <cstdint>

#include "microparquet/compressor.h"
#include "microparquet/detail/format/page_header_bytes.h"
#include "microparquet/encoder.h"

namespace microparquet {

// Encoder of DELTA_BINARY_PACKED (Encodings.md): integers as packed differences.
//
//   microparquet::column("count", &Sample::count).with_encoder(microparquet::kDeltaBinaryPacked)
//
// Times and counters take one or two bytes a row instead of eight or four. All readers named in the README
// have it. A page that would not be smaller is stored in PLAIN: no column grows.

namespace detail {
Encoder::BeginPage begin_deltas;
Encoder::ValuesThatFit deltas_that_fit;
Encoder::Put put_deltas;
Encoder::Finish finish_deltas;

// Values wait in the column's state until enough of them can be packed.
inline constexpr std::uint16_t kDeltaStateBytes = 40;
inline constexpr std::uint16_t kDeltaStagedValues = kMostKeptValues;

constexpr Encoder delta_encoder(Type type, std::uint16_t value_bytes) {
  const auto state_bytes =
      static_cast<std::uint16_t>((kDeltaStateBytes + kDeltaStagedValues * value_bytes) / 8 * 8);
  return {EncodingId::kDeltaBinaryPacked,
          {type},
          state_bytes,
          true,
          &begin_deltas,
          &deltas_that_fit,
          nullptr,
          &put_deltas,
          &finish_deltas,
          kSeveralEncodings};
}
}  // namespace detail

// Encoder for columns stored as int32.
inline constexpr Encoder kDeltaInt32 = detail::delta_encoder(Type::kInt32, 4);
// Encoder for columns stored as int64.
inline constexpr Encoder kDeltaInt64 = detail::delta_encoder(Type::kInt64, 8);

// Encoders for Field::with_encoder(), which takes the one that suits the column: int32, int64, and types
// stored as these. Memory: 168 bytes for an int32 column, 304 for an int64 column, and 8 for each column of
// the schema.
//
// An optional column, and any column in the forward layout, keeps space in a page for values that may not
// pack well: 142 bytes for int32 and 270 for int64. Give these pages of 1,024 bytes or more.
inline constexpr IntegerEncoders kDeltaBinaryPacked{&kDeltaInt32, &kDeltaInt64};

// Encoder of RLE_DICTIONARY (Encodings.md): values as indices into a table of earlier values.
//
//   microparquet::column("temperature", &Sample::temperature).with_encoder(microparquet::kDictionary)
//
// Use it for values that come again and again, such as states, names, and the values of a slow sensor: they
// take some bits a row. Each row group has a dictionary of its own before its data pages. New values are in
// PLAIN for the rest of the row group once the dictionary is full or, in place, after the row group's first
// checkpoint, which makes the dictionary durable. The writer therefore makes a checkpoint that will be due
// within the next row group before it. After a row group whose dictionary was full the next one has none,
// then two, four, up to 64, until a dictionary suits again; Writer::dictionary_counts() tells how often that
// happened. All readers named in the README have it.

namespace detail {
Encoder::BeginPage begin_dictionary_fixed;
Encoder::ValuesThatFit dictionary_fixed_that_fit;
Encoder::Put put_dictionary_fixed;
Encoder::Finish finish_dictionary_fixed;
Encoder::Accepts accepts_dictionary_fixed;
// Functions for required columns.
Encoder::BeginPage begin_dictionary_staged;
Encoder::ValuesThatFit dictionary_staged_that_fit;
Encoder::Finish finish_dictionary_staged;
EncoderDictionary::Freeze freeze_dictionary_fixed;
Encoder::BeginPage begin_dictionary_byte_arrays;
Encoder::ValuesThatFit dictionary_byte_arrays_that_fit;
Encoder::MostBytes most_dictionary_bytes;
Encoder::Put put_dictionary_byte_arrays;
Encoder::Finish finish_dictionary_byte_arrays;
Encoder::Accepts accepts_dictionary_byte_arrays;
EncoderDictionary::Freeze freeze_dictionary_byte_arrays;
EncoderDictionary::Drop drop_dictionary;
EncoderDictionary::Expect expect_dictionary;
EncoderDictionary::Expect expect_dictionary_fixed;

// Returns the places of a hash table for `entries` entries: about two each; 0: there is no table, and all
// entries are compared.
constexpr std::uint32_t dictionary_slots(std::uint32_t entries) {
  constexpr std::uint32_t kFewEntries = 64;
  if (entries <= kFewEntries) return 0;
  std::uint32_t slots = 2 * kFewEntries;
  while (slots < entries + entries / 2) slots *= 2;
  return slots;
}

// Dictionary of one size.
struct SizedDictionary : EncoderDictionary {
  std::uint16_t most_entries;
  std::uint16_t slots;  // places of the hash table, a byte each if most_entries < 256, else two
};

inline constexpr std::uint32_t kDictionaryStateBytes = 56;
inline constexpr std::uint32_t kDictionaryStagedValues = 32;

// Returns the dictionary for values of `value_bytes` bytes, 0: byte arrays, in a page of `bytes` bytes.
constexpr SizedDictionary sized_dictionary(std::uint32_t value_bytes, std::uint32_t bytes,
                                           std::uint32_t most_entries) {
  constexpr std::uint32_t kShortString = 8;  // average, with its length
  const std::uint32_t most_bytes = (bytes - format::kMostDictionaryPageHeader) / 8 * 8;
  const std::uint32_t fitting = most_bytes / (value_bytes != 0 ? value_bytes : kShortString);
  const std::uint32_t entries = fitting < most_entries ? fitting : most_entries;
  const bool is_fixed = value_bytes != 0;
  return {{most_bytes, is_fixed ? &freeze_dictionary_fixed : &freeze_dictionary_byte_arrays, &drop_dictionary,
           is_fixed ? &expect_dictionary_fixed : &expect_dictionary},
          static_cast<std::uint16_t>(entries),
          static_cast<std::uint16_t>(dictionary_slots(entries))};
}

// Returns the state's length: DictionaryState; staged values or, for byte arrays, the begins of entries;
// entries; hash table.
constexpr std::uint16_t dictionary_state_bytes(std::uint32_t value_bytes, const SizedDictionary& dictionary) {
  const std::uint32_t before =
      value_bytes != 0 ? kDictionaryStagedValues * value_bytes : (dictionary.most_entries * 2U + 7) / 8 * 8;
  const std::uint32_t slots = dictionary.slots * (dictionary.most_entries < 256 ? 1U : 2U);
  return static_cast<std::uint16_t>(kDictionaryStateBytes + before + dictionary.most_bytes + slots);
}

constexpr Encoder dictionary_encoder(Type type, std::uint32_t value_bytes,
                                     const SizedDictionary& dictionary) {
  const bool is_fixed = value_bytes != 0;
  return {EncodingId::kRleDictionary,
          {type},
          dictionary_state_bytes(value_bytes, dictionary),
          is_fixed,
          is_fixed ? &begin_dictionary_fixed : &begin_dictionary_byte_arrays,
          is_fixed ? &dictionary_fixed_that_fit : &dictionary_byte_arrays_that_fit,
          is_fixed ? nullptr : &most_dictionary_bytes,
          is_fixed ? &put_dictionary_fixed : &put_dictionary_byte_arrays,
          is_fixed ? &finish_dictionary_fixed : &finish_dictionary_byte_arrays,
          nullptr,
          &dictionary,
          is_fixed ? &accepts_dictionary_fixed : &accepts_dictionary_byte_arrays};
}

template <std::uint32_t kValueBytes, std::uint32_t kBytes, std::uint32_t kEntries>
constexpr SizedDictionary checked_dictionary() {
  static_assert(kBytes >= 64 && kBytes <= 16'384, "a dictionary page has 64 to 16,384 bytes");
  static_assert(kEntries >= 1 && kEntries <= 4096, "a dictionary has up to 4,096 entries");
  return sized_dictionary(kValueBytes, kBytes, kEntries);
}

template <std::uint32_t kValueBytes, std::uint32_t kBytes, std::uint32_t kEntries>
inline constexpr SizedDictionary kSizedDictionary = checked_dictionary<kValueBytes, kBytes, kEntries>();

template <Type kType, std::uint32_t kValueBytes, std::uint32_t kBytes, std::uint32_t kEntries>
inline constexpr Encoder kSizedDictionaryEncoder =
    dictionary_encoder(kType, kValueBytes, kSizedDictionary<kValueBytes, kBytes, kEntries>);
}  // namespace detail

// Encoders for Field::with_encoder(), which takes the one that suits the column: int32, int64, float, double,
// byte arrays, and types stored as these. `kBytes`: of the dictionary page, its header included, from 64 to
// 16,384; in place the file reserves as many, rounded up to blocks, before each column chunk. `kEntries`: at
// most, up to 4,096. More are worth their memory if many values come again.
//
// Memory: `kBytes`; from 65 entries on one or two bytes for each of 1.5 to 3 times as many; 32 values, or two
// bytes for each entry of byte arrays; and 24 bytes for each column of the schema. With the default of 512
// bytes a float column takes 920 bytes.
template <std::uint32_t kBytes, std::uint32_t kEntries>
inline constexpr DictionaryEncoders kDictionaryOf{
    &detail::kSizedDictionaryEncoder<Type::kInt32, 4, kBytes, kEntries>,
    &detail::kSizedDictionaryEncoder<Type::kInt64, 8, kBytes, kEntries>,
    &detail::kSizedDictionaryEncoder<Type::kFloat, 4, kBytes, kEntries>,
    &detail::kSizedDictionaryEncoder<Type::kDouble, 8, kBytes, kEntries>,
    &detail::kSizedDictionaryEncoder<Type::kByteArray, 0, kBytes, kEntries>};

// Dictionaries of 512 bytes: 120 floats, 60 doubles, up to 60 byte arrays.
inline constexpr const DictionaryEncoders& kDictionary = kDictionaryOf<512, 256>;

// Encoder of booleans in RLE (Encodings.md): runs of equal values.
//
//   microparquet::column("alarm", &Sample::alarm).with_encoder(microparquet::kRleBoolean)
//
// A value that seldom changes takes next to nothing instead of a bit a row. A page without such runs is
// PLAIN; no page is larger than in PLAIN by more than five bytes and one in 500. Do not use it for files that
// fastparquet or parquet-go will read: they read wrong values from such columns, without an error. The other
// readers named in the README have it.

namespace detail {
Encoder::BeginPage begin_boolean_runs;
Encoder::ValuesThatFit boolean_runs_that_fit;
Encoder::Put put_boolean_runs;
Encoder::Finish finish_boolean_runs;

inline constexpr std::uint16_t kBooleanRunsStateBytes = 32;
}  // namespace detail

// Object for Field::with_encoder(). Memory: 32 bytes, and 8 for each column of the schema.
inline constexpr Encoder kRleBoolean{EncodingId::kRle,
                                     {Type::kBoolean},
                                     detail::kBooleanRunsStateBytes,
                                     false,
                                     &detail::begin_boolean_runs,
                                     &detail::boolean_runs_that_fit,
                                     nullptr,
                                     &detail::put_boolean_runs,
                                     &detail::finish_boolean_runs,
                                     kSeveralEncodings};

// Encoder of BYTE_STREAM_SPLIT (Encodings.md): the first byte of each value, then the second of each, and so
// on. Similar numbers compress better in this form.
//
//   microparquet::column("speed", &Sample::speed)
//       .with_encoder(microparquet::kByteStreamSplit)
//       .with_compressor(microparquet::kLz4RawCompressor)

// Encoder for float and double columns that name a compressor. A page is split or in PLAIN, whichever is
// smaller: now and then a page is compressed both ways, and the pages after it have the smaller form.
// Splitting alone makes nothing smaller: without a compressor all pages are PLAIN.
//
// Values are stored as in PLAIN, and split when their page is closed. Memory: 40 bytes for each column of the
// schema instead of the 32 that compression takes. All readers named in the README have the encoding.
inline constexpr Encoder kByteStreamSplit{EncodingId::kByteStreamSplit,
                                          {Type::kFloat, Type::kDouble},
                                          0,
                                          true,
                                          nullptr,
                                          &detail::fixed_that_fit,
                                          nullptr,
                                          &detail::put_plain_fixed,
                                          &detail::finish_plain,
                                          &detail::kSplitPages};

// Encoders by the type of a column: one option that makes a file small.
//
//   inline constexpr auto kSchema =
//       mpq::schema(mpq::timestamp_us_column("time", &Sample::time_us), mpq::column("speed", &Sample::speed))
//           .with_encoder(mpq::kAuto.under(mpq::kLz4RawCompressor));
//
// A program links only the parts that its columns use.

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
// (kDeltaBinaryPacked), which are smaller than with any codec. Floats, doubles and byte arrays become indices
// into dictionaries (kDictionary). Values that suit no dictionary are in PLAIN; under a compressor
// floats and doubles are split if that is smaller (kByteStreamSplit). Booleans and
// fixed_len_byte_array stay as they are. `kBytes` and `kEntries` are those of kDictionaryOf.
template <std::uint32_t kBytes, std::uint32_t kEntries>
inline constexpr AutoEncoders kAutoOf{kDeltaBinaryPacked, &detail::kAutoFloat<kBytes, kEntries>,
                                      &detail::kAutoDouble<kBytes, kEntries>,
                                      kDictionaryOf<kBytes, kEntries>.byte_array, nullptr};

// Encoders as kAutoOf, with the dictionaries of kDictionary.
inline constexpr const AutoEncoders& kAuto = kAutoOf<512, 256>;

}  // namespace microparquet
