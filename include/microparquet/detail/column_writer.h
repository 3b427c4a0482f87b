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

// Definition levels as they grow: the RLE and bit-packed hybrid of Encodings.md, bit width 1 to 8.
//
//   run of equal levels    varint(length << 1), the level in one byte
//   run of packed levels   (groups << 1 | 1), then `bit_width` bytes a group of eight
//
// Eight equal levels make a run; fewer are packed with their neighbours.
struct LevelEncoder {
  std::byte* begin;          // the first byte, after the length of four bytes that a page begins with
  std::byte* cursor;         // one past the last byte
  std::byte* packed_header;  // of the packed run that may still grow; null: there is none
  std::uint32_t nulls;       // levels below the maximum, in the page
  std::uint32_t repeated;    // how often the last level has come in a row
  std::uint8_t last;
  std::uint8_t buffered;  // levels waiting for their group to fill
  std::uint8_t bit_width;
  std::uint8_t group[8];

  void begin_page(std::byte* at);
  // Requires: kMaxLevelBytes bytes free at the cursor, and a byte for each level.
  void put(std::uint8_t level, std::uint32_t times);
  // On desktops: of a bit width of 1, a level for each byte, 0 where that is 0. Returns how many are not. Requires:
  // as put().
  std::uint32_t put_valid(const std::uint8_t* valid, std::uint32_t count);
  // Writes what is waiting. Takes no more levels after it.
  void finish();

 private:
  void put_one(std::uint8_t level);
};

// What one level may write at once: a run that ends, and a group. On the average a level writes no more than
// a byte, up to a bit width of 7.
inline constexpr std::uint32_t kMaxLevelBytes = 16;

// What the page of a column is.
//
//   kNone    begin_row_group of the layout opens the first one, and storing one opens the next      -> kOpen
//   kOpen    takes rows; close_page() seals it once it has some                                     -> kSealed
//   kSealed  waits to be stored, so that storing can be repeated after an error                     -> kOpen, kNone
//
// kNone after storing means that there is no space for another: the row group ends.
enum class PageState : std::uint8_t { kNone, kOpen, kSealed };

// ColumnWriter::padding is counted in units of this many bytes.
inline constexpr std::uint32_t kPaddingUnit = 32;

// A row of a column is taken as (value, definition level, repetition level); repetition is 0 in flat schemas.
// A page of row_count rows has level_count levels, one for each value or null, and value_count values.
struct ColumnWriter : EndingPage {
  PageState page_state;
  std::uint8_t encoding_change;  // of the page, exclusive or of Encoder::id
  std::uint16_t padding;         // of pages that were cut, and their heads, in kPaddingUnit: for the forecast
  std::uint32_t first_row;       // row of the row group with which the page begins

  const ColumnPlan* plan;
  LevelEncoder* levels;  // null: the column is required
  void* bounds_state;    // of plan->bounds

  // The chunk, of finished pages. An odd number of words comes before the 64 bits, so that none is padding.
  std::uint32_t nulls;
  std::uint64_t chunk_begin;   // offset in the file
  std::uint32_t chunk_bytes;   // on the file, headers included
  std::uint32_t extent_bytes;  // reserved for the chunk; forward: 0
  // The part of the extent that was free at the last checkpoint.
  SectorIndex free_begin;
  SectorIndex free_end;
  // What the forecast has learned, in 1024ths of a byte.
  std::uint32_t stored_bytes_per_row;  // smoothed
  union {
    std::uint32_t deviation;   // smoothed
    std::uint32_t first_page;  // forward: where in the pool it is
  };

  // The page when it is sealed: header and body.
  std::byte* sealed;
  std::uint32_t sealed_bytes;

  // True when a byte array of `bytes` bytes fits in `free` bytes of the page.
  bool fits(std::size_t bytes, std::size_t free) const {
    return bytes <= free && plan->encoder->most_bytes(*this, bytes) <= free;
  }
  // The same of what is free of the open page.
  bool fits(std::size_t bytes) const { return fits(bytes, free_bytes()); }

  // Whether the open page takes the value, as Encoder::accepts has it.
  bool accepts(const void* value) {
    return plan->encoder->accepts == nullptr || plan->encoder->accepts(*this, value);
  }

  // More than 2 MiB of it count as what the pages hold.
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

  // Begins an empty page in the buffer from `page` to `end`, which has plan->page_bytes bytes; in place the last
  // page of an extent may have less.
  void open_page();

  // The sealed page is stored: its bytes are in the chunk, and the next page begins with the row after its
  // last one. The layouts call it for every page.
  void page_stored() {
    chunk_bytes += sealed_bytes;
    first_row += row_count;
    page_state = PageState::kNone;
  }

  // Returns how many rows, at most `most`, are guaranteed to fit in the open page, and makes space for their
  // levels; 0 without an open page. For byte arrays it speaks of levels only, and fits() of the values.
  std::uint32_t prepare_rows(std::uint32_t most);

  // Appends a value of an optional column, or a null when its definition level is 0.
  // Requires: prepare_rows() has promised the row and, for a byte array, fits() its value.
  void put(const void* value, std::uint8_t definition_level, std::uint8_t repetition_level) {
    static_cast<void>(repetition_level);  // no field repeats yet
    plan->levels->put(*this, definition_level, 1);
    if (definition_level != 0) plan->encoder->put(*this, value, 1);
  }

  // A required fixed-width value in PLAIN: the way of most sensor columns, hence inline. Pages are multiples
  // of eight bytes, and these values fill them to the end: so each one is aligned, which is all that a core
  // without unaligned stores can write at once.
  template <typename T>
  void put_plain(T value) {
    // Read once: the bytes stored could be the member itself, for all a compiler knows.
    std::byte* const at = cursor;
    std::memcpy(__builtin_assume_aligned(at, sizeof(T)), &value, sizeof(T));
    cursor = at + sizeof(T);
  }
};

}  // namespace microparquet::detail
