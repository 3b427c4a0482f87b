// What a decoder sees of the column it works for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/span.h"
#include "microparquet/status.h"
#include "microparquet/type.h"

namespace microparquet {

// A part of a page that is read at a pace of its own: see PageInput::open_stream(). Lies in a decoder's
// state.
class PageStream {
 public:
  // The bytes that are loaded.
  const std::byte* data() const { return window_.cursor; }
  // How many they are.
  std::uint32_t available() const { return static_cast<std::uint32_t>(window_.available()); }

  // Bytes of the stream that have not been taken, loaded or not.
  std::uint64_t left() const { return window_.left(); }

  // Sees to it that `bytes` bytes are loaded. They may move in memory.
  // - kCorrupt: the stream has not that many left
  // - kOutOfMemory: more than the stream's share of the buffer
  // - what the file answers
  Status load(std::uint32_t bytes) { return window_.fill(bytes); }

  // Takes bytes. Requires: they are loaded.
  void take(std::uint32_t bytes) { window_.cursor += bytes; }

 private:
  friend class PageInput;
  detail::Window window_;
};

// A dictionary page as it is kept until its column chunk ends.
struct Dictionary {
  Span<const std::byte> values;  // in PLAIN
  Span<std::byte> index;         // DictionaryDecoder::index_bytes() of them, aligned to 8, for the decoder
  std::uint32_t count = 0;       // of values
};

// The current page of one column, after its levels, and where to leave a value. A handle: copy it freely,
// keep it no longer than the call it came with.
class PageInput {
 public:
  // For the reader.
  explicit PageInput(detail::ColumnCursor& column) : column_(&column) {}

  // The physical type of the column.
  Type type() const { return column_->type; }
  // Bytes of one value in memory; 0: byte arrays.
  std::uint32_t width() const { return column_->width; }
  // Some rows may have no value: the page has as many values as begin_page() says, or fewer.
  bool may_have_nulls() const { return column_->levels != nullptr; }

  // The decoder's own memory, Decoder::state_bytes() bytes aligned to 8. What it holds before begin_page()
  // does not matter; between the calls for a page it stays.
  template <typename State>
  State& state() const {
    return *static_cast<State*>(column_->decoder_state);
  }

  // The chunk's dictionary; null: none has come.
  const Dictionary* dictionary() const {
    if (column_->dictionary_bytes == 0) return nullptr;
    const void* const memory = column_->memory;
    return static_cast<const Dictionary*>(memory);
  }

  // The bytes that are loaded.
  const std::byte* data() const { return column_->cursor; }
  // How many they are.
  std::uint32_t available() const { return static_cast<std::uint32_t>(column_->available()); }
  // Bytes of the page that have not been taken, loaded or not.
  std::uint64_t left() const { return column_->available() + std::uint64_t{column_->body_beyond}; }

  // Sees to it that `bytes` bytes are loaded. They may move in memory: what data() was is void then.
  // - kCorrupt: the page has not that many left
  // - kValueTooLarge: more than the buffer holds
  // - kEnd: views into the buffer have been given out
  // - what the file answers
  Status load(std::uint32_t bytes) const { return column_->load(bytes); }

  // Loads the rest of the page, which has to lie in memory whole.
  // - kOutOfMemory: the buffer is smaller, see Reader::needed_bytes()
  // - as load()
  Status load_all() const { return column_->load_all(); }

  // Takes bytes. Requires: they are loaded.
  void take(std::uint32_t bytes) const { column_->cursor += bytes; }

  // Takes `bytes` bytes, more perhaps than the buffer holds, in one call or in several: after a failure
  // pass_on() continues where it stopped.
  // - as load()
  Status pass(std::uint32_t bytes) const {
    column_->pass_left = bytes;
    return pass_on();
  }
  // Continues a pass() that has failed. Statuses as pass().
  Status pass_on() const { return column_->pass(); }
  // Whether a pass() has not come to its end.
  bool passing() const { return column_->pass_left != 0; }

  // Shows the caller a value of `bytes` bytes, which stays where it is until the next call.
  void show(const std::byte* value, std::uint32_t bytes) const {
    column_->value = value;
    column_->value_bytes = bytes;
  }
  // The value shown last.
  const std::byte* shown() const { return column_->value; }
  // Its bytes.
  std::uint32_t shown_bytes() const { return column_->value_bytes; }

  // Says how long a value is that does not fit in the buffer. Gives kValueTooLarge.
  Status too_large(std::uint32_t bytes) const { return column_->too_large(bytes); }

  // What has been shown stays where it is until the caller asks again: load() gives kEnd rather than move it.
  void pin() const { column_->pinned = true; }
  // Whether it has to, as the caller has values of this call already.
  bool is_pinned() const { return column_->pinned; }

  // Bytes that are left after the page's rows are padding; else the page is kCorrupt then.
  void end_in_padding() const { column_->ends_in_padding = true; }

  // Lets a stream of its own have the next `bytes` bytes of the page, which continues after them. If they do
  // not lie in memory whole, `share` bytes at the end of the column's buffer become the stream's until the
  // next page; capacity() says how many the page has.
  // - kCorrupt: the page has not that many left
  // - kOutOfMemory: the share is more than half of what the page has
  Status open_stream(std::uint32_t bytes, std::uint32_t share, PageStream& stream) const {
    if (share > capacity() / 2) return Status::kOutOfMemory;
    return column_->open_stream(bytes, share, stream.window_);
  }

  // Gives memory of the column to the decoder until the next page: `least` bytes, or more where they are free, but
  // no more than `most`. Requires: load_all() was kOk, and nothing has been taken since.
  // - kOutOfMemory: the buffer has not as many beside the page, see Reader::needed_bytes()
  Status make_room(std::uint32_t least, std::uint64_t most, Span<std::byte>& room) const {
    return column_->make_room(least, most, room);
  }

  // The most bytes that load() can bring.
  std::uint32_t capacity() const { return column_->window.capacity; }

  // Goes back, to look at bytes again: to find where a stream ends. Requires: that many have been taken since
  // begin_page() was called, and no stream has been opened meanwhile.
  void rewind(std::uint32_t bytes) const { column_->rewind(bytes); }

 private:
  detail::ColumnCursor* column_;
};

}  // namespace microparquet
