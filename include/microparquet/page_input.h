// A decoder's view of the column it works for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/span.h"
#include "microparquet/status.h"
#include "microparquet/type.h"

namespace microparquet {

// Part of a page that is read at a pace of its own: see PageInput::open_stream(). It lies in a decoder's
// state.
class PageStream {
 public:
  // Returns the loaded bytes.
  const std::byte* data() const { return window_.cursor; }
  // Returns the number of loaded bytes.
  std::uint32_t available() const { return static_cast<std::uint32_t>(window_.available()); }

  // Returns the bytes of the stream that have not been taken, loaded or not.
  std::uint64_t left() const { return window_.left(); }

  // Makes sure that `bytes` bytes are loaded. They may move in memory.
  // - kCorrupt: the stream has fewer bytes left
  // - kOutOfMemory: more than the stream's share of the buffer
  // - statuses of the file
  Status load(std::uint32_t bytes) { return window_.fill(bytes); }

  // Takes bytes. Requires: they are loaded.
  void take(std::uint32_t bytes) { window_.cursor += bytes; }

 private:
  friend class PageInput;
  detail::Window window_;
};

// Dictionary page, kept until its column chunk ends.
struct Dictionary {
  Span<const std::byte> values;  // values in PLAIN
  Span<std::byte> index;         // memory of DictionaryDecoder::index_bytes() bytes for the decoder, aligned
                                 // to 8
  std::uint32_t count = 0;       // number of values
};

// Current page of one column, after its levels, and the place for a value. It is a handle: copy it freely,
// but keep it no longer than the call that received it.
class PageInput {
 public:
  // Constructor for the reader.
  explicit PageInput(detail::ColumnCursor& column) : column_(&column) {}

  // Returns the physical type of the column.
  Type type() const { return column_->type; }
  // Returns the bytes of a value in memory; 0: byte arrays.
  std::uint32_t width() const { return column_->width; }
  // Returns whether rows may have no value: then the page has as many values as begin_page() was given, or
  // fewer.
  bool may_have_nulls() const { return column_->levels != nullptr; }

  // Returns the decoder's own memory, Decoder::state_bytes() bytes aligned to 8. Its contents before
  // begin_page() do not matter; between the calls for a page they stay.
  template <typename State>
  State& state() const {
    return *static_cast<State*>(column_->decoder_state);
  }

  // Returns the chunk's dictionary; null: there has been none.
  const Dictionary* dictionary() const {
    if (column_->dictionary_bytes == 0) return nullptr;
    const void* const memory = column_->memory;
    return static_cast<const Dictionary*>(memory);
  }

  // Returns the loaded bytes.
  const std::byte* data() const { return column_->cursor; }
  // Returns the number of loaded bytes.
  std::uint32_t available() const { return static_cast<std::uint32_t>(column_->available()); }
  // Returns the bytes of the page that have not been taken, loaded or not.
  std::uint64_t left() const { return column_->available() + std::uint64_t{column_->body_beyond}; }

  // Makes sure that `bytes` bytes are loaded. They may move in memory: earlier results of data() are void
  // then.
  // - kCorrupt: the page has fewer bytes left
  // - kValueTooLarge: more than the buffer holds
  // - kEnd: views into the buffer have been given out
  // - statuses of the file
  Status load(std::uint32_t bytes) const { return column_->load(bytes); }

  // Loads the rest of the page, which must lie in memory whole.
  // - kOutOfMemory: the buffer is smaller, see Reader::needed_bytes()
  // - as load()
  Status load_all() const { return column_->load_all(); }

  // Takes bytes. Requires: they are loaded.
  void take(std::uint32_t bytes) const { column_->cursor += bytes; }

  // Takes `bytes` bytes, perhaps more than the buffer holds. After a failure pass_on() continues where it
  // stopped.
  // - as load()
  Status pass(std::uint32_t bytes) const {
    column_->pass_left = bytes;
    return pass_on();
  }
  // Continues a pass() that has failed. Statuses as pass().
  Status pass_on() const { return column_->pass(); }
  // Returns whether a pass() has not ended.
  bool passing() const { return column_->pass_left != 0; }

  // Shows the caller a value of `bytes` bytes, which must stay where it is until the next call.
  void show(const std::byte* value, std::uint32_t bytes) const {
    column_->value = value;
    column_->value_bytes = bytes;
  }
  // Returns the value shown last.
  const std::byte* shown() const { return column_->value; }
  // Returns the length of the value shown last.
  std::uint32_t shown_bytes() const { return column_->value_bytes; }

  // Reports the length of a value that does not fit in the buffer. Returns kValueTooLarge.
  Status too_large(std::uint32_t bytes) const { return column_->too_large(bytes); }

  // Pins the values shown until the caller's next call: load() returns kEnd rather than move them.
  void pin() const { column_->pinned = true; }
  // Returns whether values are pinned, because the caller already has some of this call.
  bool is_pinned() const { return column_->pinned; }

  // Declares bytes left after the page's rows to be padding; otherwise they make the page kCorrupt.
  void end_in_padding() const { column_->ends_in_padding = true; }

  // Opens a stream of the next `bytes` bytes of the page, which continues after them. Unless they lie in
  // memory whole, `share` bytes at the end of the column's buffer belong to the stream until the next page;
  // capacity() is the rest for the page.
  // - kCorrupt: the page has fewer bytes left
  // - kOutOfMemory: the share is more than half of the page's capacity
  Status open_stream(std::uint32_t bytes, std::uint32_t share, PageStream& stream) const {
    if (share > capacity() / 2) return Status::kOutOfMemory;
    return column_->open_stream(bytes, share, stream.window_);
  }

  // Gives the decoder memory of the column until the next page: at least `least` bytes, and at most `most`,
  // as far as they are free. Requires: load_all() was kOk, and nothing has been taken since.
  // - kOutOfMemory: the buffer has fewer bytes beside the page, see Reader::needed_bytes()
  Status make_room(std::uint32_t least, std::uint64_t most, Span<std::byte>& room) const {
    return column_->make_room(least, most, room);
  }

  // Returns the most bytes that load() can load.
  std::uint32_t capacity() const { return column_->window.capacity; }

  // Goes back to bytes taken before, for example to find the end of a stream. Requires: that many have been
  // taken since begin_page() was called, and no stream has been opened meanwhile.
  void rewind(std::uint32_t bytes) const { column_->rewind(bytes); }

 private:
  detail::ColumnCursor* column_;
};

}  // namespace microparquet
