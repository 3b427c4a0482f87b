// A column while it is read: its window on the column chunk, and where in the page it is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/window.h"
#include "microparquet/failure.h"
#include "microparquet/span.h"
#include "microparquet/status.h"
#include "microparquet/type.h"

namespace microparquet {

class Decoder;
class Decompressor;

namespace detail {

struct ReaderState;

// Levels of a page: the RLE and bit-packed hybrid of Encodings.md, bit width 1 to 4.
//
//   run of equal levels    varint(length << 1), the level in one byte
//   run of packed levels   varint(groups << 1 | 1), then `bit_width` bytes a group of eight
//
// Strict: what ends before its page's rows, and a run of equal levels that continues after them, is kCorrupt. Aligned as
// what lies beside it in the arena, also where 64 bits are not.
struct alignas(8) LevelDecoder {
  Window bytes;
  std::uint32_t group;      // levels left of the current packed group, the next one lowest
  std::uint32_t run_left;   // levels of the current run
  std::uint32_t unread;     // levels of the page after that run
  std::uint8_t group_left;  // levels in `group`
  std::uint8_t bit_width;
  std::uint8_t maximum;
  std::uint8_t level;  // of a run of equal levels
  bool packed;

  // Begins those of a page, `count` of them; `bytes` has been set.
  void begin(std::uint32_t count) {
    run_left = 0;
    group_left = 0;
    packed = false;
    unread = count;
  }
  // Tells the next levels, as many equal ones as are known, without passing them.
  Status peek(std::uint8_t& next, std::uint32_t& count);
  // Passes `count` of those.
  void take(std::uint32_t count);
  // On desktops: stores up to `count` levels, and passes them; says how many there were, and how many of them are the
  // highest. Requires: all bytes lie in memory.
  Status read(std::uint8_t* out, std::uint32_t& count, std::uint32_t& present);

 private:
  Status begin_run();
  Status load_group();
  std::uint32_t read_groups(std::uint8_t* out, std::uint32_t wanted, std::uint32_t& present);
};

// One chosen column.
//
//   memory | dictionary | window on the column chunk | page memory |
//
// The dictionary stays until the chunk ends, and a compressed page is decompressed into the page memory; both
// are empty as long as they are not needed. A page's checksum is compared before its first value is given
// out. A page that fits in the window is there whole; a larger one passes through the window, once for its
// checksum and once for its values, and streams with a pace of their own, as its definition levels, through
// parts at the window's end.
struct alignas(8) ColumnCursor {
  Window window;        // on the column chunk
  std::byte* cursor;    // the next byte of the page's values: in the window, or in the page memory
  std::byte* body_end;  // after the last of them that is there
  // Bytes of the values that are not loaded yet; if any, the window ends with body_end.
  std::uint32_t body_beyond;
  std::uint32_t page_rows;   // levels or values left in the page
  std::uint64_t chunk_rows;  // the same in the pages after it
  std::uint64_t next_page;   // in the file, where the page after it begins
  std::uint64_t rows_ahead;  // skip_page(): of those, in pages whose headers it has not seen yet
  std::uint32_t crc;         // of the first `summed` bytes of that page
  std::uint32_t summed;
  ReaderState* reader;
  const Decoder* decoder;
  const Decompressor* decompressor;  // null: not compressed, and read through the window
  LevelDecoder* levels;              // null: every row has a value
  void* decoder_state;
  std::byte* memory;
  std::uint32_t memory_bytes;
  std::uint32_t dictionary_bytes;
  std::uint32_t page_bytes;  // of the page memory
  const std::byte* value;    // of the current row; null: it has none
  std::uint32_t value_bytes;
  std::uint32_t column;     // of the file
  std::uint32_t width;      // bytes of one value; 0: byte arrays
  std::uint32_t pass_left;  // bytes left of a value that is being skipped
  Type type;
  Status chunk_status;   // why the chunk cannot be read, or not on: kCorrupt stays
  FailureReason reason;  // what is being read, or what cannot be
  std::uint8_t number;   // of the encoding or compression that no object reads; 255 for larger ones
  bool fetched;          // `value` belongs to a row that is not complete yet
  bool skipping;         // skip_page() has left the page, and is not done
  bool ends_in_padding;  // the page: as its decoder says, or since the chunk ends within it
  bool pinned;           // the window must not move: views into it have been given out

  std::size_t available() const { return static_cast<std::size_t>(body_end - cursor); }

  // Bytes of the window when it is whole.
  std::uint32_t window_bytes() const { return memory_bytes - dictionary_bytes - page_bytes; }

  // See PageInput.
  Status load(std::uint32_t bytes);
  Status load_all();
  Status pass();
  Status too_large(std::uint32_t bytes);
  Status open_stream(std::uint32_t bytes, std::uint32_t share, Window& stream);
  void rewind(std::uint32_t bytes);
  Status make_room(std::uint32_t least, std::uint64_t most, Span<std::byte>& room);

  // The page's values are the next `bytes` bytes of the window, loaded or not.
  void begin_body(std::uint32_t bytes);

  // Gives `bytes` bytes at the end of the memory to pages.
  void set_page_memory(std::uint32_t bytes);

  // Nothing of the page is left.
  void drop_body();

  // Says why a page cannot be read. Gives kUnsupported.
  Status refuse(FailureReason why, std::uint32_t id);
};

}  // namespace detail
}  // namespace microparquet
