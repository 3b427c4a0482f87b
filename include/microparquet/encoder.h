// Encoders: how the values of a column become the bodies of its pages (Encodings.md).
//
// An encoder is an object that a column names; one that no column names is not linked. Those of PLAIN are
// here, others in headers of their own or in the program: an encoder needs nothing of this library but this
// header.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/page_transform.h"
#include "microparquet/encoding_id.h"
#include "microparquet/type_set.h"

namespace microparquet {

struct ValueShape;  // bounds_tracker.h

// How many fixed-width values may stay for the next pages when one ends (Encoder::finish).
inline constexpr std::uint32_t kMostKeptValues = 33;

// The open page of a column, as its encoder sees it. The encoder writes between `values` and `end`, and moves
// `cursor`. What lies before `values` belongs to others, who may move the encoded values between two calls:
// so pointers to them are not to be kept.
struct PageBody {
  std::byte* page;    // the buffer, which begins with space for the page's header and levels
  std::byte* values;  // first byte of the encoded values
  std::byte* cursor;  // one after the last
  std::byte* end;     // of the buffer
  void* state;        // of the encoder: Encoder::state_bytes, which are zeros when a row group begins

  // Bytes from the cursor to the end of the buffer.
  std::uint32_t free_bytes() const { return static_cast<std::uint32_t>(end - cursor); }

  // The type of the values, and the bytes of one.
  const ValueShape& shape() const;

  // How many more pages the column is sure to get in this row group when this one has been stored; 0 for an
  // optional column, whose values stay with their levels.
  std::uint32_t pages_left() const;

  // Takes values, as Encoder::put has them, into the minimum and maximum of the column.
  void update_bounds(const void* values, std::uint32_t count);
};

// A page that ends.
struct EndingPage : PageBody {
  std::uint32_t row_count;  // of the page: see Encoder::finish

  // Of an encoder of kSeveralEncodings: this page has another encoding than Encoder::id.
  void set_encoding(EncodingId encoding);
};

// The values of a dictionary as PLAIN has them, one after another, at a multiple of 8 where they are numbers.
struct DictionaryEntries {
  const std::byte* values;  // in the encoder's state
  std::uint32_t bytes;      // of all values
  std::uint32_t count;      // of values
  bool has_overflowed;      // values have found no place among them
};

// The dictionary of an encoder whose pages may hold indices instead of values (Encodings.md, RLE_DICTIONARY).
// It lies in the encoder's state, grows while a row group's pages are encoded, and becomes a page of its own
// before them. Each row group has another one, since the state begins as zeros. It ends once: before the
// first checkpoint of the row group or, without any, with the row group; either of two functions is called
// then, before the first page, after the last one, or between two of them, when page.cursor == page.values:
//
//   freeze  pages have indices into it (they have the encoding kRleDictionary). No entry may be added from
//           now on: pages have indices to those there are, or another encoding. Returns them, and again the
//           same when storing has failed and is repeated. They stay where they are until the row group ends.
//   drop    no page has; the dictionary is not stored. Pages must have another encoding from now on.
//
// Checkpoints, resume() and reconnect() are as for other pages. The record of a row group has a CRC of its
// dictionaries, so that `mpq recover` keeps its rows where no footer tells of them.
struct EncoderDictionary {
  // The type of `freeze`.
  using Freeze = DictionaryEntries(PageBody& page);
  // The type of `drop`.
  using Drop = void(PageBody& page);
  // The type of `expect`.
  using Expect = void(PageBody& page, std::uint32_t entries);

  // Of the values of all entries. The file has space for them before each column chunk, in place, and the
  // encoder for them in its state.
  std::uint32_t most_bytes;
  // Ends it, to be stored: see above.
  Freeze* freeze;
  // Ends it, not to be stored: see above.
  Drop* drop;
  // Tells how many entries the dictionary of the row group before had, when a row group begins; null: nobody
  // wants to know.
  Expect* expect = nullptr;

  // For the writer: so dictionaries are linked with encoders that have one.
  const detail::DictionaryPages* pages = &detail::kDictionaryPages;
  // For the writer: so are pages that have several encodings.
  const detail::PageTransform* transform = &detail::kDictionaryEncodings;
};

// A constant object without state of its own: what it keeps between calls lies in PageBody::state.
// Thread-safe.
//
// The calls for a page come in this order: begin_page; values_that_fit, most_bytes and put, as often as rows
// arrive; finish. The bodies that come out must be what a reader of `id` expects, levels apart.
struct Encoder {
  // The type of `begin_page`.
  using BeginPage = void(PageBody& page);
  // The type of `values_that_fit`.
  using ValuesThatFit = std::uint32_t(PageBody& page, std::uint32_t free_bytes, std::uint32_t level_bytes);
  // The type of `most_bytes`.
  using MostBytes = std::size_t(const PageBody& page, std::size_t value_bytes);
  // The type of `put`.
  using Put = void(PageBody& page, const void* values, std::uint32_t count);
  // The type of `finish`.
  using Finish = void(EndingPage& page);
  // The type of `accepts`.
  using Accepts = bool(PageBody& page, const void* value);

  // The encoding of the pages, or of most of them: see `transform`. kPlain promises that a page takes as many
  // values as PLAIN makes of its bytes, so that the sizes of row groups are known before the first value.
  EncodingId id;

  // What it encodes.
  TypeSet types;

  // Memory for each column, a multiple of 8, aligned to 8. All of it is zeros before the first page of a row
  // group.
  std::uint16_t state_bytes;

  // Whether put() stores the bytes of fixed-width values at the cursor, moves it, and does nothing else. A
  // StaticWriter then does so itself, without the call.
  bool copies_values;

  // Begins an empty page; null: there is nothing to do. page.cursor == page.values.
  BeginPage* begin_page;

  // How many more values are guaranteed to fit in `free_bytes` bytes after the cursor, whatever they are,
  // when each takes `level_bytes` of these bytes for its level as well. Asked of required and optional
  // columns. Must be at least 1 for an empty page. Byte arrays, whose size is known value by value, are asked
  // for by most_bytes, and this is how many may come at most. An encoder whose put() only stores values may
  // pack those that there are now.
  ValuesThatFit* values_that_fit;

  // Byte arrays only, else null: how many bytes of the page a value of `value_bytes` bytes takes at most.
  MostBytes* most_bytes;

  // Takes `count` values, of one row or of many. They are int32_t, int64_t, float, double, bool or, in a
  // fixed_len_byte_array, type_length bytes each, one after another; of a byte array, std::string_view. They
  // are the caller's and may lie anywhere, aligned to their type. The values, or what stands for them in
  // `state`, must be in the column's bounds when the page is finished: by PageBody::update_bounds, as a rule.
  // Requires: they fit.
  Put* put;

  // Ends the page: its body is complete when it returns. Values may stay in the state for the next pages where
  // PageBody::pages_left() is not less than the pages that they need, but no byte arrays: finish() takes their
  // number off page.row_count then, which must not become 0, and values_that_fit of the next page counts them
  // in. They may be kMostKeptValues, or as many as take no more of a page than these do in PLAIN.
  Finish* finish;

  // Null: all pages have the encoding `id`. kSeveralEncodings: some may have others, by
  // EndingPage::set_encoding(), as when values do not suit and a page falls back to PLAIN. The column chunk
  // lists those that its pages have.
  const detail::PageTransform* transform = nullptr;

  // Null: there is none. The pages of an encoder that has one may have several encodings, whatever
  // `transform` is.
  const EncoderDictionary* dictionary = nullptr;

  // Null: what values_that_fit and most_bytes promise holds for any value. Else it is asked, of optional columns
  // and byte arrays, for each value before it is put, as put takes it; false: the page has to end before it.
  // values_that_fit is asked next then, and says 0 or, of a page that has no value yet, what fits now. The value
  // need not come after all. In a batch, it may be asked for several before they are put.
  Accepts* accepts = nullptr;

  // Whether a column of that physical type may name it.
  constexpr bool supports(Type type) const { return types.contains(type); }
};

// One encoding's encoders of integers: Field::with_encoder() takes the one that suits the column.
struct IntegerEncoders {
  const Encoder* int32;  // of Type::kInt32
  const Encoder* int64;  // of Type::kInt64
};

// One encoding's encoders of these types: Field::with_encoder() takes the one that suits the column.
struct DictionaryEncoders {
  const Encoder* int32;       // of Type::kInt32
  const Encoder* int64;       // of Type::kInt64
  const Encoder* float32;     // of Type::kFloat
  const Encoder* float64;     // of Type::kDouble
  const Encoder* byte_array;  // of Type::kByteArray
};

// For Encoder::transform.
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
