// A column while it is read: its window on the column chunk, and where in the page it is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/window.h"
#include "microparquet/schema.h"
#include "microparquet/status.h"

namespace microparquet {

class Codec;
class Decoder;

namespace detail {

struct ReaderState;

// Definition levels of a page: the RLE and bit-packed hybrid of Encodings.md, bit width 1 to 4.
//
//   run of equal levels    varint(length << 1), the level in one byte
//   run of packed levels   varint(groups << 1 | 1), then `bit_width` bytes a group of eight
//
// Strict: what ends before its page's rows, and a run of equal levels that continues after them, is kCorrupt.
struct LevelDecoder {
  Window bytes;
  std::uint32_t group;      // levels left of the current packed group, the next one lowest
  std::uint32_t run_left;   // levels of the current run
  std::uint32_t unread;     // levels of the page after that run
  std::uint8_t group_left;  // levels in `group`
  std::uint8_t bit_width;
  std::uint8_t maximum;
  std::uint8_t level;  // of a run of equal levels
  bool packed;

  // Tells the next levels, as many equal ones as are known, without passing them.
  Status peek(std::uint8_t& next, std::uint32_t& count);
  // Passes `count` of those.
  void take(std::uint32_t count);

 private:
  Status begin_run();
  Status load_group();
};

// One chosen column.
//
// A page's checksum is checked before its first value is given out. A page that fits in the window is there
// whole; a larger one passes through the window, once for its checksum and once for its values, its
// definition levels through a second, small one at the window's end.
struct ColumnCursor {
  Window window;        // on the column chunk
  std::byte* body_end;  // in the window, one past the last byte of the page's values
  std::uint32_t
      body_beyond;           // bytes of the values that are not loaded; if any, the window ends with body_end
  std::uint32_t page_rows;   // levels or values left in the page
  std::uint64_t chunk_rows;  // the same in the pages after it
  std::uint64_t next_page;   // in the file, where the page after it begins
  std::uint64_t rows_ahead;  // skip_page(): of those, in pages whose headers it has not seen yet
  std::uint32_t crc;         // of the first `summed` bytes of that page
  std::uint32_t summed;
  ReaderState* reader;
  const Decoder* decoder;
  const Codec* codec;      // null: not compressed
  LevelDecoder* levels;    // null: every row has a value
  const std::byte* value;  // of the current row; null: it has none
  std::uint32_t value_bytes;
  std::uint32_t buffer_bytes;  // of the window when it is whole; a decompressed page lies after it
  std::uint32_t column;        // of the file
  std::uint32_t width;         // bytes of one value; 0: byte arrays
  std::uint32_t too_large;     // bytes of the value that does not fit in the window
  std::uint32_t pass_left;     // bytes left of a value that is being skipped
  Type type;
  Status chunk_status;  // why the chunk cannot be read, or not on: kCorrupt stays
  std::uint8_t bits;    // booleans: those left of the byte before the cursor
  std::uint8_t bits_left;
  std::byte boolean;  // what `value` points at for a boolean
  bool fetched;       // `value` belongs to a row that is not complete yet
  bool skipping;      // skip_page() has left the page, and is not done
  bool pinned;        // the window must not move: views into it have been given out

  std::size_t available() const { return static_cast<std::size_t>(body_end - window.cursor); }

  // Sees to it that `bytes` bytes of the page's values are in the window, at its cursor.
  // - kCorrupt: the page has not that many left
  // - kValueTooLarge: more than the window holds
  // - kEnd: the window is pinned
  Status load(std::uint32_t bytes);

  // Passes `pass_left` bytes of the page's values, more perhaps than the window holds. Continues where it
  // stopped.
  Status pass();

  // The page's values are the next `bytes` bytes of the chunk, loaded or not.
  void begin_body(std::uint32_t bytes);

  // Nothing of the page is left.
  void drop_body();
};

}  // namespace detail
}  // namespace microparquet
