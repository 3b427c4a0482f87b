// A column while it is read: its window on the column chunk, and its place in the page.
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

// Decoder of a page's levels: the RLE and bit-packed hybrid of Encodings.md, bit width 1 to 4.
//
//   run of equal levels    varint(length << 1), the level in one byte
//   run of packed levels   varint(groups << 1 | 1), then `bit_width` bytes a group of eight
//
// It is strict: levels that end before the page's rows, and a run of equal levels that continues after them,
// are kCorrupt. It is aligned as its neighbours in the arena, also on cores that do not align 64 bits.
struct alignas(8) LevelDecoder {
  Window bytes;
  std::uint32_t group;      // levels left of the current packed group, the next one lowest
  std::uint32_t run_left;   // levels of the current run
  std::uint32_t unread;     // levels of the page after that run
  std::uint8_t group_left;  // levels in `group`
  std::uint8_t bit_width;
  std::uint8_t maximum;
  std::uint8_t level;  // level of a run of equal ones
  bool packed;

  // Begins the `count` levels of a page; the caller has set `bytes`.
  void begin(std::uint32_t count) {
    run_left = 0;
    group_left = 0;
    packed = false;
    unread = count;
  }
  // Returns the next level and how many equal ones are known to follow, without passing them.
  Status peek(std::uint8_t& next, std::uint32_t& count);
  // Passes `count` of these.
  void take(std::uint32_t count);
  // Stores up to `count` levels, and passes them, on desktops. `count` becomes their number, `present` that
  // of the highest ones. Requires: all bytes lie in memory.
  Status read(std::uint8_t* out, std::uint32_t& count, std::uint32_t& present);

 private:
  Status begin_run();
  Status load_group();
  std::uint32_t read_groups(std::uint8_t* out, std::uint32_t wanted, std::uint32_t& present);
};

// A chosen column.
//
//   memory | dictionary | window on the column chunk | page memory |
//
// The dictionary stays until the chunk ends, and a compressed page is decompressed into the page memory; both
// are empty until they are needed. The reader compares a page's checksum before it gives out the first value.
// A page that fits in the window is loaded whole; a larger one passes through the window, once for its
// checksum and once for its values. Streams read at another pace, such as definition levels, pass through
// parts at the window's end.
struct alignas(8) ColumnCursor {
  Window window;        // window on the column chunk
  std::byte* cursor;    // next byte of the page's values, in the window or in the page memory
  std::byte* body_end;  // end of the loaded values
  // Bytes of the values not loaded yet; if there are any, the window ends with body_end.
  std::uint32_t body_beyond;
  std::uint32_t page_rows;   // levels or values left in the page
  std::uint64_t chunk_rows;  // levels or values left in later pages
  std::uint64_t next_page;   // begin of the next page in the file
  std::uint64_t rows_ahead;  // skip_page(): levels or values left in pages whose headers it has not seen yet
  std::uint32_t crc;         // checksum of the first `summed` bytes of the current page
  std::uint32_t summed;
  ReaderState* reader;
  const Decoder* decoder;
  const Decompressor* decompressor;  // null: not compressed, and read through the window
  LevelDecoder* levels;              // null: every row has a value
  void* decoder_state;
  std::byte* memory;
  std::uint32_t memory_bytes;
  std::uint32_t dictionary_bytes;
  std::uint32_t page_bytes;  // length of the page memory
  const std::byte* value;    // value of the current row; null: it has none
  std::uint32_t value_bytes;
  std::uint32_t column;     // number in the file
  std::uint32_t width;      // length of a value; 0: byte arrays
  std::uint32_t pass_left;  // bytes left of a value that is being skipped
  Type type;
  Status chunk_status;   // error of the chunk; kCorrupt stays
  FailureReason reason;  // part that is being read, or that cannot be read
  std::uint8_t number;   // encoding or compression that no object reads; 255 for larger numbers
  bool fetched;          // whether `value` belongs to a row that is not complete yet
  bool skipping;         // whether skip_page() has left the page, and is not done
  bool ends_in_padding;  // whether the page may end in padding: by its decoder, or since the chunk ends
                         // within it
  bool pinned;           // whether the window must not move, since views into it have been given out

  std::size_t available() const { return static_cast<std::size_t>(body_end - cursor); }

  // Returns the length of the complete window.
  std::uint32_t window_bytes() const { return memory_bytes - dictionary_bytes - page_bytes; }

  // See PageInput.
  Status load(std::uint32_t bytes);
  Status load_all();
  Status pass();
  Status too_large(std::uint32_t bytes);
  Status open_stream(std::uint32_t bytes, std::uint32_t share, Window& stream);
  void rewind(std::uint32_t bytes);
  Status make_room(std::uint32_t least, std::uint64_t most, Span<std::byte>& room);

  // Makes the next `bytes` bytes of the window, loaded or not, the page's values.
  void begin_body(std::uint32_t bytes);

  // Reserves `bytes` bytes at the end of the memory for pages.
  void set_page_memory(std::uint32_t bytes);

  // Drops the rest of the page.
  void drop_body();

  // Stores why a page cannot be read. Returns kUnsupported.
  Status refuse(FailureReason why, std::uint32_t id);
};

}  // namespace detail
}  // namespace microparquet
