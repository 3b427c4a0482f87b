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
#pragma once

#include <cstdint>

#include "microparquet/detail/format/page_header_bytes.h"
#include "microparquet/encoder.h"

namespace microparquet {

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

}  // namespace microparquet
