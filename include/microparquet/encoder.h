// Encoders, which turn the values of a column into the bodies of its pages (Encodings.md).
//
// An encoder is an object that a column names; one that no column names is not linked. Those of PLAIN are
// here, others in headers of their own or in the program: an encoder needs only this header.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/page_transform.h"
#include "microparquet/encoding_id.h"
#include "microparquet/type_set.h"

namespace microparquet {

struct Encoder;
struct ValueShape;  // bounds_tracker.h
namespace detail {
struct ColumnPlan;    // detail/column_plan.h
struct LevelEncoder;  // detail/column_writer.h
enum class PageState : std::uint8_t;
}  // namespace detail

// Largest number of fixed-width values that may stay for the next pages when one ends (Encoder::finish).
inline constexpr std::uint32_t kMostKeptValues = 33;

// Open page of a column, as its encoder sees it. The encoder writes between `values` and `end`, and moves
// `cursor`. The bytes before `values` belong to others, who may move the encoded values between two calls:
// keep no pointers to them.
struct PageBody {
  std::byte* page;    // the buffer, which begins with space for the page's header and levels
  std::byte* values;  // first byte of the encoded values
  std::byte* cursor;  // one after the last
  std::byte* end;     // end of the buffer
  void* state;        // memory of the encoder: Encoder::state_bytes, zeros when a row group begins

  // The page and its column, as the writer keeps them. An encoder changes none of it; bytes come first, where
  // small cores reach them by short instructions.
  std::uint32_t row_count;         // rows of the page, once it ends: see EndingPage
  detail::PageState page_state;    // whether the page is open
  std::uint8_t encoding_change;    // encoding of the page, exclusive or of Encoder::id
  std::uint16_t padding;           // sum of cut pages' padding and heads, in kPaddingUnit: for the forecast
  const detail::ColumnPlan* plan;  // the column's shape, encoder and page length
  detail::LevelEncoder* levels;    // null: the column is required
  void* bounds_state;              // state of the column's BoundsTracker
  std::uint32_t chunk_bytes;       // length in the file of the column's chunk so far, headers included
  std::uint32_t extent_bytes;      // bytes reserved in the file for that chunk; forward: 0

  // Returns the bytes from the cursor to the end of the buffer.
  std::uint32_t free_bytes() const { return static_cast<std::uint32_t>(end - cursor); }

  // Returns the type of the values, and the length of one.
  const ValueShape& shape() const;

  // Returns the encoder that the column names.
  const Encoder& encoder() const;

  // Returns whether each row has a value. Values of an optional column stay with their levels.
  bool is_required() const { return levels == nullptr; }

  // Returns how many more pages the column is guaranteed to get in this row group after this one has been
  // stored; 0 for an optional column, whose values stay with their levels.
  std::uint32_t pages_left() const;

  // Adds values, in the form of Encoder::put, to the minimum and maximum of the column.
  void update_bounds(const void* first, std::uint32_t count);
};

// A page about to end, with its `row_count` rows: see Encoder::finish.
struct EndingPage : PageBody {
  std::uint32_t first_row;  // first row of the page, counted in the row group

  // Returns the number of values of the page: its rows without the nulls.
  std::uint32_t value_count() const;

  // Sets another encoding for this page than Encoder::id; for encoders of kSeveralEncodings.
  void set_encoding(EncodingId encoding);
};

// Values of a dictionary in PLAIN, one after another; numbers begin at a multiple of 8.
struct DictionaryEntries {
  const std::byte* values;  // values, in the encoder's state
  std::uint32_t bytes;      // length of all values
  std::uint32_t count;      // number of values
  bool has_overflowed;      // values did not fit
};

// The dictionary of an encoder whose pages may hold indices instead of values (Encodings.md, RLE_DICTIONARY).
// It lies in the encoder's state, grows while a row group's pages are encoded, and becomes a page of its own
// before them. Each row group has a new one, since the state begins as zeros. A dictionary ends once: before
// the first checkpoint of the row group or, without one, with the row group. The writer then calls one of two
// functions, before the first page, after the last one, or between two of them, when page.cursor ==
// page.values:
//
//   freeze  pages have indices into it (they have the encoding kRleDictionary). No entry may be added from
//           now on: pages have indices to those there are, or another encoding. Returns them, and again the
//           same when storing has failed and is repeated. They stay where they are until the row group ends.
//   drop    no page has; the dictionary is not stored. Pages must have another encoding from now on.
//
// Checkpoints, resume() and reconnect() are as for other pages. The record of a row group has a CRC of its
// dictionaries: with it `mpq recover` keeps rows that no footer describes.
struct EncoderDictionary {
  // Type of `freeze`.
  using Freeze = DictionaryEntries(PageBody& page);
  // Type of `drop`.
  using Drop = void(PageBody& page);
  // Type of `expect`.
  using Expect = void(PageBody& page, std::uint32_t entries);

  // Longest values of all entries. The file has space for them before each column chunk, in place, and the
  // encoder in its state.
  std::uint32_t most_bytes;
  // Ends the dictionary to be stored: see above.
  Freeze* freeze;
  // Ends the dictionary without storing it: see above.
  Drop* drop;
  // Receives the number of entries in the last row group's dictionary when a row group begins; null: not
  // called.
  Expect* expect = nullptr;

  // Functions of the writer for dictionaries, named here to link them only with encoders that have one.
  const detail::DictionaryPages* pages = &detail::kDictionaryPages;
  // Functions of the writer for pages of several encodings, named here for the same reason.
  const detail::PageTransform* transform = &detail::kDictionaryEncodings;
};

// A constant object without state of its own: state between calls lies in PageBody::state. Thread-safe.
//
// The calls for a page come in this order: begin_page; values_that_fit, most_bytes and put, as often as rows
// arrive; finish. The bodies that come out must be what a reader of `id` expects, levels apart.
struct Encoder {
  // Type of `begin_page`.
  using BeginPage = void(PageBody& page);
  // Type of `values_that_fit`.
  using ValuesThatFit = std::uint32_t(PageBody& page, std::uint32_t free_bytes, std::uint32_t level_bytes);
  // Type of `most_bytes`.
  using MostBytes = std::size_t(const PageBody& page, std::size_t value_bytes);
  // Type of `put`.
  using Put = void(PageBody& page, const void* values, std::uint32_t count);
  // Type of `finish`.
  using Finish = void(EndingPage& page);
  // Type of `accepts`.
  using Accepts = bool(PageBody& page, const void* value);

  // Encoding of all pages, or of most: see `transform`. kPlain promises that a page takes as many values as
  // PLAIN fits into its bytes, which fixes the sizes of row groups before the first value.
  EncodingId id;

  // Types that it encodes.
  TypeSet types;

  // Memory for each column, a multiple of 8, aligned to 8. It is zeros before the first page of a row group.
  std::uint16_t state_bytes;

  // True if put() stores the bytes of fixed-width values at the cursor, moves it, and does nothing else. A
  // StaticWriter then does so itself, without the call.
  bool copies_values;

  // Begins an empty page; null: there is nothing to do. page.cursor == page.values.
  BeginPage* begin_page;

  // Returns how many more values are guaranteed to fit in `free_bytes` bytes after the cursor, whatever they
  // are, if each takes `level_bytes` of these bytes for its level as well. The writer asks about required and
  // optional columns. The result is at least 1 for an empty page. For byte arrays, whose sizes most_bytes()
  // gives one by one, it is an upper limit. An encoder whose put() only stores values may pack the present
  // ones here.
  ValuesThatFit* values_that_fit;

  // Returns the most bytes of the page that a value of `value_bytes` bytes takes; for byte arrays only,
  // otherwise null.
  MostBytes* most_bytes;

  // Takes `count` values, of one row or of many. They are int32_t, int64_t, float, double, bool or, in a
  // fixed_len_byte_array, type_length bytes each, one after another; in a byte array, std::string_view. They
  // are the caller's and may lie anywhere, aligned to their type. By the end of the page the values, or their
  // form in `state`, must be in the column's bounds, usually by PageBody::update_bounds. Requires: they fit.
  Put* put;

  // Ends the page: its body is complete on return. Values, but no byte arrays, may stay in the state for the
  // next pages if PageBody::pages_left() is not less than the pages that they need. finish() then subtracts
  // their number from page.row_count, which must not become 0, and values_that_fit of the next page counts
  // them. Their number is at most kMostKeptValues, or as many as take no more of a page than these do in
  // PLAIN.
  Finish* finish;

  // Null: all pages have the encoding `id`. kSeveralEncodings: some may have others, by
  // EndingPage::set_encoding(), for example when values do not suit and a page falls back to PLAIN. The
  // column chunk lists all encodings of its pages.
  const detail::PageTransform* transform = nullptr;

  // Null: there is no dictionary. The pages of an encoder with a dictionary may have several encodings,
  // whatever `transform` is.
  const EncoderDictionary* dictionary = nullptr;

  // Null: the results of values_that_fit and most_bytes hold for any value. Otherwise the writer asks, for
  // optional columns and byte arrays, about each value before it is put, in the form of put; false: the page
  // must end before the value. The writer then asks values_that_fit, which returns 0 or, for a page without a
  // value, how many fit now. The value need not follow after all. In a batch, the writer may ask about
  // several values before they are put.
  Accepts* accepts = nullptr;

  // Returns whether a column of this physical type may name it.
  constexpr bool supports(Type type) const { return types.contains(type); }
};

// Encoders of one encoding for integers: Field::with_encoder() takes the one that suits the column.
struct IntegerEncoders {
  const Encoder* int32;  // encoder for Type::kInt32
  const Encoder* int64;  // encoder for Type::kInt64
};

// Encoders of one encoding for these types: Field::with_encoder() takes the one that suits the column.
struct DictionaryEncoders {
  const Encoder* int32;       // encoder for Type::kInt32
  const Encoder* int64;       // encoder for Type::kInt64
  const Encoder* float32;     // encoder for Type::kFloat
  const Encoder* float64;     // encoder for Type::kDouble
  const Encoder* byte_array;  // encoder for Type::kByteArray
};

// Value of Encoder::transform.
inline constexpr const detail::PageTransform* kSeveralEncodings = &detail::kPageEncodings;

namespace detail {
Encoder::ValuesThatFit fixed_that_fit;
Encoder::ValuesThatFit booleans_that_fit;
Encoder::ValuesThatFit byte_arrays_that_fit;
Encoder::MostBytes most_plain_bytes;
Encoder::BeginPage begin_plain_booleans;
Encoder::Put put_plain_fixed;
Encoder::Put put_plain_booleans;
Encoder::Put put_plain_byte_arrays;
Encoder::Finish finish_plain;
Encoder::Finish finish_plain_booleans;
}  // namespace detail

// PLAIN of int32, int64, float, double and fixed_len_byte_array: values little-endian, one after another.
inline constexpr Encoder kPlainFixed{
    EncodingId::kPlain,
    {Type::kInt32, Type::kInt64, Type::kFloat, Type::kDouble, Type::kFixedLenByteArray},
    0,
    true,
    nullptr,
    &detail::fixed_that_fit,
    nullptr,
    &detail::put_plain_fixed,
    &detail::finish_plain};
// PLAIN of boolean: one bit a value, least significant first.
inline constexpr Encoder kPlainBoolean{EncodingId::kPlain,
                                       {Type::kBoolean},
                                       8,
                                       false,
                                       &detail::begin_plain_booleans,
                                       &detail::booleans_that_fit,
                                       nullptr,
                                       &detail::put_plain_booleans,
                                       &detail::finish_plain_booleans};
// PLAIN of byte_array: a length of four bytes, little-endian, before each value.
inline constexpr Encoder kPlainByteArray{EncodingId::kPlain,
                                         {Type::kByteArray},
                                         0,
                                         false,
                                         nullptr,
                                         &detail::byte_arrays_that_fit,
                                         &detail::most_plain_bytes,
                                         &detail::put_plain_byte_arrays,
                                         &detail::finish_plain};

}  // namespace microparquet
