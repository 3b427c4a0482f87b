// A column while it is written: its open page, and its chunk so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "microparquet/detail/column_plan.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/detail/sectors.h"
#include "microparquet/encoder.h"

namespace microparquet::detail {

// Encoder of definition levels: the RLE and bit-packed hybrid of Encodings.md, bit width 1 to 8.
//
//   run of equal levels    varint(length << 1), the level in one byte
//   run of packed levels   (groups << 1 | 1), then `bit_width` bytes a group of eight
//
// Eight equal levels make a run; fewer are packed with their neighbours.
struct LevelEncoder {
  std::byte* begin;          // the first byte, after the page's length of four bytes
  std::byte* cursor;         // one past the last byte
  std::byte* packed_header;  // header of the packed run that may still grow; null: there is none
  std::uint32_t nulls;       // levels of the page below the maximum
  std::uint32_t repeated;    // number of equal levels up to the last one
  std::uint8_t last;
  std::uint8_t buffered;  // levels waiting for their group to fill
  std::uint8_t bit_width;
  std::uint8_t group[8];

  void begin_page(std::byte* at);
  // Puts a level `times` times. Requires: kMaxLevelBytes bytes free at the cursor, and a byte for each level.
  void put(std::uint8_t level, std::uint32_t times);
  // Puts a level of one bit for each byte: 0 for a byte of 0. Returns the number of others. On desktops only.
  // Requires: as put().
  std::uint32_t put_valid(const std::uint8_t* valid, std::uint32_t count);
  // Writes all buffered levels. No more levels may follow.
  void finish();
};

// Most that a level may write at once: a run that ends, and a group. On average a level writes at most a
// byte, up to a bit width of 7.
inline constexpr std::uint32_t kMaxLevelBytes = 16;

// States of a column's page.
//
//   kNone    begin_row_group of the layout opens the first one, and storing one opens the next      -> kOpen
//   kOpen    takes rows; close_page() seals it once it has some                                     -> kSealed
//   kSealed  waits to be stored, so that storing can be repeated after an error                     -> kOpen, kNone
//
// kNone after storing means that there is no space for another: the row group ends.
enum class PageState : std::uint8_t { kNone, kOpen, kSealed };

// ColumnWriter::padding is counted in units of this many bytes.
inline constexpr std::uint32_t kPaddingUnit = 32;

// Writer of a column. It takes each row as (value, definition level, repetition level); repetition is 0: the levels of a
// column that repeats are made by an ArrayEncoder, or put by put_slots(). A page of row_count rows has level_count levels, one for
// each value or null, and value_count values.
struct ColumnWriter : EndingPage {
  // Members on the chunk of finished pages. An odd number of words comes before the 64 bits, so that none is
  // padding.
  std::uint32_t nulls;
  std::uint64_t chunk_begin;  // offset in the file
  // In place: part of the extent that was free at the last checkpoint. Forward: region of the pool, which begins
  // with the first sealed page if there is one.
  union {
    SectorIndex free_begin;
    std::uint32_t pool_begin;
  };
  union {
    SectorIndex free_end;
    std::uint32_t pool_end;
  };
  // Results of the forecast, in 1024ths of a byte.
  std::uint32_t stored_bytes_per_row;  // smoothed mean
  std::uint32_t deviation;             // smoothed mean deviation

  // The sealed page: header and body.
  std::byte* sealed;
  std::uint32_t sealed_bytes;

  // Returns whether a byte array of `bytes` bytes fits in `free` bytes of the page.
  bool fits(std::size_t bytes, std::size_t free) const {
    return bytes <= free && plan->encoder->most_bytes(*this, bytes) <= free;
  }
  // Returns whether a byte array of `bytes` bytes fits in the open page.
  bool fits(std::size_t bytes) const { return fits(bytes, free_bytes()); }

  // Returns whether the open page takes the value: see Encoder::accepts.
  bool accepts(const void* value) {
    return plan->encoder->accepts == nullptr || plan->encoder->accepts(*this, value);
  }

  // Counts padding; above 2 MiB it counts as values.
  void count_padding(std::uint32_t units) {
    const std::uint32_t sum = padding + units;
    padding = static_cast<std::uint16_t>(sum < 0xFFFF ? sum : 0xFFFF);
  }

  // Begins an empty chunk.
  void begin_chunk() {
    first_row = 0;
    chunk_bytes = 0;
    nulls = 0;
  }

  // Begins an empty page in the buffer from `page` to `end`, which has plan->page_bytes bytes; in place the
  // last page of an extent may have fewer.
  void open_page();

  // Counts the sealed page as stored: its bytes are in the chunk, and the next page begins with the row after
  // its last one. The layouts call it for every page.
  [[gnu::always_inline]] void page_stored() {
    chunk_bytes += sealed_bytes;
    first_row += row_count;
    page_state = PageState::kNone;
  }

  // Returns how many rows, at most `most`, are guaranteed to fit in the open page, and makes space for their
  // levels; 0 without an open page. For byte arrays it covers levels only, and fits() the values.
  std::uint32_t prepare_rows(std::uint32_t most);

  // Appends a value of an optional column, or a null if its definition level is 0. Requires: prepare_rows()
  // has promised the row and, for a byte array, fits() its value.
  void put(const void* value, std::uint8_t definition_level, std::uint8_t repetition_level) {
    static_cast<void>(repetition_level);  // 0
    plan->levels->put(*this, definition_level, 1);
    if (definition_level != 0) plan->encoder->put(*this, value, 1);
  }

  // Puts a required fixed-width value in PLAIN; inline, since most sensor columns use it. Pages are multiples
  // of eight bytes, and these values fill them to the end: each value is aligned, as cores without unaligned
  // stores need for a single store.
  template <typename T>
  void put_plain(T value) {
    // This is a local copy, since a compiler must assume that the stored bytes change the member.
    std::byte* const at = cursor;
    std::memcpy(__builtin_assume_aligned(at, sizeof(T)), &value, sizeof(T));
    cursor = at + sizeof(T);
  }
};

}  // namespace microparquet::detail
