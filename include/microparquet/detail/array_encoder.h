// Encoder of a column whose rows all have the same number of values: an array in a struct.
//
// Such a column is a list in the file, and each slot of it has two levels. They follow from the number of
// values, so that nothing of them is kept while a page is open: both streams are made when it ends. Until then
// the column is like one that is required, and its rows are promised by the number of values of a row.
#pragma once

#include <cstdint>

#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/detail/math.h"
#include "microparquet/detail/page_notes.h"
#include "microparquet/detail/page_transform.h"
#include "microparquet/encoder.h"
#include "microparquet/levels.h"

namespace microparquet::detail {

// The encoder of the values with what it lacks for arrays. `inner` encodes the values.
struct ArrayEncoder : Encoder {
  const Encoder* inner;
  std::uint32_t slots;  // values of a row
};

Encoder::ValuesThatFit array_rows_that_fit;
Encoder::Finish finish_short_arrays;
Encoder::Finish finish_long_arrays;

// Longest array whose repetition levels are packed, a bit each. Of a longer one each row has two runs, which take no more
// bytes then.
inline constexpr std::uint32_t kMostPackedSlots = 32;

// Returns the encoder for arrays of `slots` values. Requires: `inner` leaves no values for the next page.
constexpr ArrayEncoder array_encoder(const Encoder& inner, std::uint32_t slots) {
  ArrayEncoder encoder{inner, &inner, slots};
  encoder.values_that_fit = &array_rows_that_fit;
  encoder.finish = slots <= kMostPackedSlots ? &finish_short_arrays : &finish_long_arrays;
  return encoder;
}

// Returns the most bytes of both streams for `rows` rows of `slots` values, with their lengths.
constexpr std::uint32_t array_level_bytes(std::uint32_t rows, std::uint32_t slots) {
  constexpr std::uint32_t kLevel = 1;
  const std::uint32_t present = varint_bytes(rows * slots * 2) + kLevel;
  const std::uint32_t packed = varint_bytes((rows * slots + 7) / 8 * 2) + (rows * slots + 7) / 8;
  const std::uint32_t runs = rows * (2 + varint_bytes(slots * 2) + kLevel);
  return 2 * encoding::kLengthBytes + present + (slots <= kMostPackedSlots ? packed : runs);
}

inline bool is_array(const ColumnWriter& column) {
  return column.plan->encoder->values_that_fit == &array_rows_that_fit;
}
// Returns the values of a row: 1 for a column that is no array.
inline std::uint32_t slots_of_row(const ColumnWriter& column) {
  return is_array(column) ? static_cast<const ArrayEncoder&>(*column.plan->encoder).slots : 1;
}

Levels::PrepareRows prepare_array_levels;
Levels::Put put_array_levels;
Levels::Finish finish_array_levels;

// Levels of arrays where checkpoints keep pages: they make the column one whose open pages have more than values, and
// are made by its encoder.
inline constexpr Levels kArrayLevels(prepare_array_levels, put_array_levels, finish_array_levels);

// Copies words to the cursor, which moves. Both lie on four bytes.
void put_array_words(ColumnWriter& column, const void* words, std::uint32_t count);

// Functions of the writer for row groups with arrays: their chunks have more values than rows.
WriteRowGroup write_array_row_group;
WriteRowGroup write_indexed_array_row_group;
WriteRowGroup write_encoded_array_row_group;
WriteRowGroup write_array_row_group_with_dictionaries;

}  // namespace microparquet::detail
