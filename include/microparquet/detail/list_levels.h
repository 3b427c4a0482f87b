// Columns in lists: a row has any number of places for values, and each place has two levels.
//
// A slot is such a place: a repetition level, a definition level, and the value if there is one. Pages and chunks of
// these columns count slots, while rows stay the unit of the writer: a page begins with a row. An open page has both
// streams of levels before its values, each with space to grow:
//
//   | header's space | 4 | repetition -> | gap | 4 | definition -> | gap | values -> |
//
// Whether a row fits is asked for each row, by what its levels and values can need. The gaps are only guessed: for as
// many rows like the present one as the page takes. A row that fits in the page, but not in its gaps, moves them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/detail/layout_objects.h"
#include "microparquet/detail/math.h"
#include "microparquet/detail/page_notes.h"
#include "microparquet/detail/page_transform.h"
#include "microparquet/encoder.h"
#include "microparquet/encoders.h"
#include "microparquet/levels.h"
#include "microparquet/status.h"

namespace microparquet::detail {

struct WriterState;

// Returns the bits of levels from 0 to `highest`.
constexpr std::uint8_t level_bits(unsigned highest) {
  std::uint8_t bits = 0;
  for (; highest != 0; highest >>= 1) ++bits;
  return bits;
}

Levels::PrepareRows prepare_list_levels;
Levels::Put put_list_level;
Levels::Finish finish_list_levels;

// Levels of one kind of column in lists.
class ListLevels : public Levels {
 public:
  constexpr ListLevels(std::uint8_t max_definition, std::uint8_t max_repetition)
      : Levels(prepare_list_levels, put_list_level, finish_list_levels),
        max_definition_(max_definition),
        definition_bits_(level_bits(max_definition)),
        repetition_bits_(level_bits(max_repetition)) {}

  // Returns the definition level of a value.
  constexpr std::uint8_t max_definition() const { return max_definition_; }
  // Returns the bits of a definition level.
  constexpr std::uint8_t definition_bits() const { return definition_bits_; }
  // Returns the bits of a repetition level.
  constexpr std::uint8_t repetition_bits() const { return repetition_bits_; }

 private:
  std::uint8_t max_definition_;
  std::uint8_t definition_bits_;
  std::uint8_t repetition_bits_;
};

// State of the column beside its ColumnWriter, after that of its encoder. It is zeros when a row group begins.
struct ListState {
  LevelEncoder repetition;
  std::uint32_t more_in_page;   // slots of the open page without the first one of each row
  std::uint32_t more_in_chunk;  // the same of the row group so far
};
inline constexpr std::uint32_t kListStateBytes = round_up(static_cast<std::uint32_t>(sizeof(ListState)), 8);

struct RowNeed;

// What a RowBytes is asked for.
enum class RowPlace : std::uint8_t {
  kOpenPage,   // the page as it is
  kPageAlone,  // a page that has no other rows, in the form that is shortest at worst
  kPlainPage,  // the page if it is PLAIN, which the call makes it if it has no values
};

// Returns the most bytes by which the values of a page grow, now and until it ends, if it takes those of a row;
// kTooManyBytes: there is no such page.
using RowBytes = std::uint32_t(PageBody& page, const RowNeed& need, RowPlace place);
RowBytes bit_row_bytes;   // booleans in PLAIN
RowBytes text_row_bytes;  // byte arrays in PLAIN
RowBytes delta_row_bytes;
RowBytes boolean_row_bytes;
RowBytes dictionary_row_bytes;

// The encoder of the values with what it lacks for lists. `inner` encodes the values.
struct ListEncoder : Encoder {
  const Encoder* inner;
  std::uint32_t usual_slots;  // of a row, before there has been one
  RowBytes* row_bytes;        // null: values of a fixed width, in PLAIN until the page ends
};

// Stages values and packs them as soon as there are enough. Requires: the page takes what delta_row_bytes() says.
Encoder::Put put_list_deltas;

Encoder::Finish finish_lists;

// Returns whether the encoder puts values by this function. GCC under -fsanitize=undefined knows no address at compile
// time: then the result is true.
constexpr bool may_put_by(const Encoder& encoder, Encoder::Put* put) {
  return !__builtin_constant_p(encoder.put == put) || encoder.put == put;
}

// Returns whether it encodes values of arrays as those of any column, in PLAIN until the page ends.
constexpr bool encodes_arrays(const Encoder& encoder) {
  return encoder.id == EncodingId::kPlain || encoder.id == EncodingId::kByteStreamSplit;
}
// Return whether it is the encoder of differences, of runs or of dictionaries that there are functions for lists of.
constexpr bool encodes_deltas(const Encoder& encoder) {
  return encoder.id == EncodingId::kDeltaBinaryPacked && may_put_by(encoder, &put_deltas);
}
constexpr bool encodes_runs(const Encoder& encoder) {
  return encoder.id == EncodingId::kRle && may_put_by(encoder, &put_boolean_runs);
}
constexpr bool encodes_indices(const Encoder& encoder) {
  return encoder.id == EncodingId::kRleDictionary &&
         (may_put_by(encoder, &put_dictionary_fixed) || may_put_by(encoder, &put_dictionary_byte_arrays));
}
constexpr bool encodes_lists(const Encoder& encoder) {
  return encodes_arrays(encoder) || encodes_deltas(encoder) || encodes_runs(encoder) ||
         encodes_indices(encoder);
}

// Returns the encoder for lists. Requires: encodes_lists(inner).
constexpr ListEncoder list_encoder(const Encoder& inner, std::uint32_t usual_slots) {
  ListEncoder encoder{inner, &inner, usual_slots, nullptr};
  encoder.state_bytes = static_cast<std::uint16_t>(inner.state_bytes + kListStateBytes);
  encoder.finish = &finish_lists;
  encoder.copies_values = inner.copies_values && encodes_arrays(inner);
  if (inner.types.contains(Type::kBoolean)) encoder.row_bytes = &bit_row_bytes;
  if (inner.types.contains(Type::kByteArray)) encoder.row_bytes = &text_row_bytes;
  if (encodes_runs(inner)) encoder.row_bytes = &boolean_row_bytes;
  if (encodes_indices(inner)) encoder.row_bytes = &dictionary_row_bytes;
  if (encodes_deltas(inner)) {
    encoder.row_bytes = &delta_row_bytes;
    encoder.put = &put_list_deltas;
  }
  return encoder;
}

inline bool is_list(const ColumnWriter& column) { return column.plan->encoder->finish == &finish_lists; }
// Returns the levels. Requires, as the following: the column is in a list.
inline const ListLevels& list_levels(const ColumnWriter& column) {
  return static_cast<const ListLevels&>(*column.plan->levels);
}
// Returns the state.
inline ListState& list_state(const PageBody& page) {
  void* const at = static_cast<std::byte*>(page.state) + page.plan->encoder->state_bytes - kListStateBytes;
  return *static_cast<ListState*>(at);
}

// What a row needs of a column.
struct RowNeed {
  std::uint32_t slots;
  std::uint32_t values;
  std::size_t text_bytes;   // byte arrays with their lengths
  std::uint32_t single;     // slots that are no part of a run
  std::uint32_t runs;       // runs of equal levels
  std::uint32_t run_bytes;  // most bytes of all runs, as run_bytes() counts them
};

// More than any page has stands for whatever is too much.
inline constexpr std::uint32_t kTooManyBytes = 0x3FFFFFFF;

// Most slots of a row: a row that claims more is refused.
inline constexpr std::uint32_t kMostRowSlots = 1 << 20;
inline constexpr std::uint32_t kTooManySlots = 0xFFFFFFFF;

// Returns the most bytes of a run of `count` levels, without the group of levels that it may end.
constexpr std::uint32_t run_bytes(std::uint32_t count) {
  constexpr std::uint32_t kOneByte = 64;
  constexpr std::uint32_t kTwoBytes = 8192;
  return count < kOneByte ? 2 : count < kTwoBytes ? 3 : 4;
}

// Fixed-width values are aligned as in pages of other columns.
inline constexpr std::uint32_t kValueAlignment = 8;
// Most that a stream may grow by levels put before: a run, or a group that is not full, with another after it.
inline constexpr std::uint32_t kWaiting = 10;
// Bytes of a page that has one row, beside its header, levels and values.
inline constexpr std::uint32_t kBesideLevels = 2 * encoding::kLengthBytes + 2 * kWaiting + kValueAlignment;

// Returns whether the row fits in the open page as it is.
bool fits_row(ColumnWriter& column, const RowNeed& need);

// Returns whether the row fits in a page that has no others.
bool fits_empty_list_page(ColumnWriter& column, const RowNeed& need);
// Makes space for the row in the open page and, as far as it goes, for others like it. Returns false if it does not fit.
bool make_space_for_row(ColumnWriter& column, const RowNeed& need);

// Makes space for the row in the open page of `column`, or ends that page, and makes sure that a row fits in the others.
// Sets `again` if the caller must ask other columns again. Requires: the budget is not 0.
// - kValueTooLarge: it fits in no page
Status fit_list_row(WriterState& state, ColumnWriter& column, const RowNeed& need, bool& again);

// Puts the levels of `slots` slots: the first one with `repetition`, the others with `next`.
void put_slots(ColumnWriter& column, std::uint8_t repetition, std::uint8_t next, std::uint8_t definition,
               std::uint32_t slots);

// Ends a row of `slots` slots.
inline void end_slots(const ColumnWriter& column, std::uint32_t slots) {
  ListState& list = list_state(column);
  list.more_in_page += slots - 1;
  list.more_in_chunk += slots - 1;
}

// Functions of the writer for row groups with lists and arrays.
WriteRowGroup write_list_row_group;
WriteRowGroup write_indexed_list_row_group;
WriteRowGroup write_encoded_list_row_group;
WriteRowGroup write_list_row_group_with_dictionaries;

// Forecasts of the file space for schemas with lists. NOLINTBEGIN(readability-identifier-naming, bugprone-dynamic-static-initializers)
extern const ExtentForecast kListForecast;
extern const ExtentForecast kListTailForecast;
// NOLINTEND(readability-identifier-naming, bugprone-dynamic-static-initializers)

// Resumes with such a forecast.
Status resume_list_layout(WriterState& state);

// Continues after a lost medium, in place. Rows since the last footer are lost if pages of a list are compressed: their
// headers do not tell how many rows they have.
Status reconnect_list_layout(WriterState& state);

}  // namespace microparquet::detail
