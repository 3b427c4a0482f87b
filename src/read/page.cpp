// Bytes of a page on their way through the memory of their column.
#include "read/page.h"

#include "base/bytes.h"
#include "base/endian.h"
#include "base/try.h"
#include "format/page_header_reader.h"
#include "microparquet/decompressor.h"
#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/detail/encoding/plain.h"
#include "microparquet/dictionary_decoder.h"
#include "microparquet/reader.h"
#include "read/items.h"

namespace microparquet::detail {

void ColumnCursor::begin_body(std::uint32_t bytes) {
  const auto there = static_cast<std::uint32_t>(window.available());
  const std::uint32_t loaded = there < bytes ? there : bytes;
  cursor = window.cursor;
  body_end = cursor + loaded;
  body_beyond = bytes - loaded;
}

void ColumnCursor::drop_body() {
  body_end = cursor;
  body_beyond = 0;
  pass_left = 0;
}

Status ColumnCursor::load(std::uint32_t bytes) {
  const auto there = static_cast<std::uint32_t>(available());
  if (there >= bytes) return Status::kOk;
  const std::uint32_t body = there + body_beyond;
  if (body < bytes) return Status::kCorrupt;
  if (pinned) return Status::kEnd;
  if (bytes > window.capacity) return too_large(bytes);
  window.cursor = cursor;
  const Status status = window.fill(bytes);
  // fill() may have moved the bytes loaded before, even if it added none.
  begin_body(body);
  return status;
}

Status ColumnCursor::load_all() {
  const auto bytes = static_cast<std::uint32_t>(available() + body_beyond);
  const Status status = load(bytes);
  if (status != Status::kValueTooLarge) return status;
  reader->needed_bytes = std::uint64_t{memory_bytes} + (bytes - window.capacity);
  return Status::kOutOfMemory;
}

Status ColumnCursor::pass() {
  while (pass_left != 0) {
    MICROPARQUET_TRY(load(1));
    const auto there = static_cast<std::uint32_t>(available());
    const std::uint32_t part = there < pass_left ? there : pass_left;
    cursor += part;
    pass_left -= part;
  }
  return Status::kOk;
}

Status ColumnCursor::too_large(std::uint32_t bytes) {
  // A value may be shorter than the buffer and still find no room beside a dictionary or levels.
  reader->needed_bytes = bytes > memory_bytes ? bytes : std::uint64_t{bytes} + memory_bytes;
  return Status::kValueTooLarge;
}

Status ColumnCursor::refuse(FailureReason why, std::uint32_t id) {
  reason = why;
  number = static_cast<std::uint8_t>(id < 255 ? id : 255);
  return Status::kUnsupported;
}

Status ColumnCursor::open_stream(std::uint32_t bytes, std::uint32_t share, Window& stream) {
  const auto left = static_cast<std::uint32_t>(available() + body_beyond);
  if (bytes > left) return Status::kCorrupt;
  if (body_beyond == 0) {
    stream.view_memory(cursor, bytes);
    cursor += bytes;
    return Status::kOk;
  }
  window.cursor = cursor;
  const std::uint64_t begin = window.position();
  window.capacity -= share;
  stream.begin(*window.file, window.base + window.capacity, share);
  stream.restart_at(begin, begin + bytes);
  window.restart_at(stream.limit, window.limit);
  begin_body(left - bytes);
  return Status::kOk;
}

void ColumnCursor::rewind(std::uint32_t bytes) {
  const bool in_window = cursor >= window.base && cursor <= window.end;
  if (!in_window || static_cast<std::size_t>(cursor - window.base) >= bytes) {
    cursor -= bytes;
    return;
  }
  const auto left = static_cast<std::uint32_t>(available() + body_beyond);
  window.cursor = cursor;
  window.restart_at(window.position() - bytes, window.limit);
  begin_body(left + bytes);
}

// Memory beside a page that lies in a column's memory whole. The first decoder that needs some links this
// file.

namespace {

struct Memory {
  std::byte* begin;
  std::byte* end;

  std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
  bool has(const std::byte* at) const { return at >= begin && at < end; }
};

Memory window_of(const ColumnCursor& column) {
  return {column.window.base, column.window.base + column.window.capacity};
}
Memory page_memory_of(const ColumnCursor& column) {
  std::byte* const end = column.memory + column.memory_bytes;
  return {end - column.page_bytes, end};
}

// Returns the page's levels if they are read where the page lies, else null: a stream of levels has memory of
// its own.
Window* levels_in_place(const ColumnCursor& column) {
  Window* const levels = column.levels != nullptr ? &column.levels->bytes : nullptr;
  return levels != nullptr && levels->file == nullptr ? levels : nullptr;
}

bool has_repetition_levels(const ColumnCursor& column) {
  return column.reader->leaves[column.column].max_repetition != 0;
}

// Moves the view of levels that lie in the window along with it.
void move_levels(Window& levels, const Memory& window, std::ptrdiff_t by) {
  if (levels.file != nullptr || !window.has(levels.cursor)) return;
  levels.base -= by;
  levels.cursor -= by;
  levels.end -= by;
}

// Moves the loaded bytes from the current page on to the beginning of the window.
void move_down(ColumnCursor& column) {
  Window& window = column.window;
  const Memory before = window_of(column);
  const auto by = window.cursor - window.base;
  util::move_bytes(window.base, window.cursor, window.available());
  window.cursor -= by;
  window.end -= by;
  if (before.has(column.cursor)) {
    column.cursor -= by;
    column.body_end -= by;
  }
  if (column.levels != nullptr) move_levels(column.levels->bytes, before, by);
  if (has_repetition_levels(column)) move_levels(read::repeated_levels(column).repetition.bytes, before, by);
}

// Returns the part of the window beside the page: bytes read ahead, or unused.
Memory beside_page(const ColumnCursor& column) {
  Memory window = window_of(column);
  const Window* const levels = levels_in_place(column);
  if (levels != nullptr && window.has(levels->cursor)) window.begin = levels->end;
  if (window_of(column).has(column.cursor)) window.begin = column.body_end;
  return window;
}

// Takes bytes that were read ahead, which are then read again: a quarter of them, or `least` bytes if that is
// more. This happens once in many pages.
Memory read_ahead(const ColumnCursor& column, std::uint32_t least) {
  Memory memory = beside_page(column);
  const std::size_t share = memory.bytes() / 4 > least ? memory.bytes() / 4 : least;
  if (share < memory.bytes()) memory.begin = memory.end - share;
  return memory;
}

// Excludes levels unpacked for the page, which lie at the end of the memory.
void end_before(Memory& memory, const Window& levels) {
  if (levels.file == nullptr && memory.has(levels.cursor)) memory.end = levels.cursor;
}

// Returns the unused part of the page memory. A page that lies neither here nor in the window is read in the
// mapped file.
Memory free_of_page_memory(const ColumnCursor& column) {
  Memory page = page_memory_of(column);
  if (page.has(column.cursor)) page.begin = column.body_end;
  if (column.levels != nullptr) end_before(page, column.levels->bytes);
  if (has_repetition_levels(column)) end_before(page, read::repeated_levels(column).repetition.bytes);
  return page;
}

}  // namespace

Status ColumnCursor::make_room(std::uint32_t least, std::uint64_t most, Span<std::byte>& room) {
  Memory place = free_of_page_memory(*this);
  if (place.bytes() < least) place = {window.end, window.base + window.capacity};
  if (place.bytes() < least) place = read_ahead(*this, least);
  if (place.bytes() < least) {
    move_down(*this);
    place = read_ahead(*this, least);
  }
  if (place.bytes() < least) {
    // In a larger buffer an eighth may go to the levels.
    reader->needed_bytes = std::uint64_t{memory_bytes} + least + least / 4;
    return Status::kOutOfMemory;
  }
  // Take the end: the next call can then take the bytes before it.
  if (most < place.bytes()) place.begin = place.end - static_cast<std::size_t>(most);
  if (place.end == window.base + window.capacity)
    window.cut(static_cast<std::uint32_t>(place.begin - window.base));
  room = Span<std::byte>(place.begin, place.bytes());
  return Status::kOk;
}

// Page memory: the part of a column's memory for pages that are not read through the window.

// Sets the size of the page memory. The window loses its loaded bytes there and loads them once more; later
// pages keep the division.
void ColumnCursor::set_page_memory(std::uint32_t bytes) {
  page_bytes = bytes;
  window.cut(window_bytes());
}

}  // namespace microparquet::detail

namespace microparquet::read {

namespace {

using detail::ColumnCursor;
using format::PageHeader;
using format::PageType;

// Reads the next header and passes its page. `rows` becomes the number of rows in the page, at most `most`.
// After a failure the window stands before the page again.
// - kCorrupt: the header cannot be right
Status pass_next_page(detail::Window& window, std::uint64_t most, std::uint64_t& rows) {
  const std::uint64_t begin = window.position();
  PageHeader header;
  Status status = format::read_page_header(window, header);
  const bool data = header.type == PageType::kData || header.type == PageType::kDataV2;
  rows = data ? header.values : 0;
  if (status == Status::kOk && rows > most) status = Status::kCorrupt;
  if (status == Status::kOk) status = window.skip(header.compressed_bytes);
  if (status != Status::kOk) window.seek(begin, window.limit);
  return status;
}

// Leaves the corrupt page. If the page could not be opened, it becomes the current page with all of its rows.
Status leave_page(ColumnCursor& column) {
  const bool within = column.page_rows != 0 || column.available() != 0 || column.body_beyond != 0;
  Status status = Status::kOk;
  column.window.capacity = column.window_bytes();
  column.window.seek(column.next_page, column.window.limit);
  if (!within) {
    std::uint64_t rows = 0;
    status = pass_next_page(column.window, column.chunk_rows, rows);
    if (status == Status::kOk) {
      column.page_rows = static_cast<std::uint32_t>(rows);
      column.chunk_rows -= rows;
      column.next_page = column.window.position();
    }
  }
  column.drop_body();
  if (status != Status::kOk) return status;
  column.rows_ahead = column.chunk_rows;
  column.skipping = true;
  return Status::kOk;
}

}  // namespace

Status walk_headers(ColumnCursor& column) {
  if (!column.skipping) MICROPARQUET_TRY(leave_page(column));
  while (column.rows_ahead != 0) {
    std::uint64_t rows = 0;
    const Status status = pass_next_page(column.window, column.rows_ahead, rows);
    MICROPARQUET_TRY(status);
    column.rows_ahead -= rows;
  }
  return Status::kOk;
}

void leave_corrupt(ColumnCursor& column, bool headers_are_right) {
  // After a wrong header the rows of later pages are unknown.
  if (!headers_are_right) column.chunk_rows = 0;
  column.page_rows = 0;
  column.crc = 0;
  column.summed = 0;
  column.skipping = false;
  column.chunk_status = Status::kOk;
}

namespace {

using detail::Window;

// Begins an uncompressed page. A page that exceeds the window only by its header's bytes is moved down by
// them, which saves reading it twice.
Status begin_stored(ColumnCursor& column, const PageHeader& header) {
  if (header.compressed_bytes != header.uncompressed_bytes) return Status::kCorrupt;
  if (header.compressed_bytes <= column.window.capacity)
    MICROPARQUET_TRY(column.window.fill(header.compressed_bytes));
  MICROPARQUET_TRY(check_crc(column, header));
  column.begin_body(header.compressed_bytes);
  return open_levels(column, header);
}

struct FlatPages {
  static constexpr bool kFlat = true;
  static Status begin_body(ColumnCursor& column, const PageHeader& header) {
    return read::begin_body(column, header);
  }
  static void begin_levels(ColumnCursor& column, std::uint32_t count) {
    if (column.levels != nullptr) column.levels->begin(count);
  }
};

}  // namespace

Status check_crc(ColumnCursor& column, const PageHeader& header) {
  if (!is_checked(column, header)) return Status::kOk;
  column.reason = FailureReason::kChecksum;
  Window& window = column.window;
  const std::uint64_t begin = window.position();
  MICROPARQUET_TRY(window.skip(column.summed));
  while (column.summed < header.compressed_bytes) {
    MICROPARQUET_TRY(window.fill(1));
    const std::uint32_t left = header.compressed_bytes - column.summed;
    const auto there = static_cast<std::uint32_t>(window.available());
    const std::uint32_t part = there < left ? there : left;
    column.crc = column.reader->options->checksum(column.crc, window.cursor, part);
    window.cursor += part;
    column.summed += part;
  }
  window.seek(begin, window.limit);
  return column.crc == header.crc ? Status::kOk : Status::kCorrupt;
}

Status open_other_levels(ColumnCursor& column, detail::LevelDecoder& levels, std::uint32_t encoding,
                         std::uint32_t count) {
  LevelReader* const read = column.reader->options->bit_packed_levels;
  if (read == nullptr || encoding != static_cast<std::uint32_t>(EncodingId::kBitPacked))
    return column.refuse(FailureReason::kLevelEncoding, encoding);
  return read(PageInput(column), levels, count);
}

// Opens the definition levels. The header of a V2 page has their length; a V1 page has it before the levels.
// Some V2 pages hold repetition levels of columns without repetition, which are passed.
Status open_levels(ColumnCursor& column, const PageHeader& header) {
  if (header.type == PageType::kDictionary) return Status::kOk;
  column.reason = FailureReason::kLevels;
  std::uint32_t before = header.repetition_bytes;
  if (header.type == PageType::kData) {
    if (column.levels == nullptr) return Status::kOk;
    if (header.level_encoding != static_cast<std::uint32_t>(EncodingId::kRle))
      return open_other_levels(column, *column.levels, header.level_encoding, header.values);
    before = encoding::kLengthBytes;
  }
  MICROPARQUET_TRY(column.load(before));
  std::uint32_t bytes = header.definition_bytes;
  if (header.type == PageType::kData) bytes = util::load<std::uint32_t>(column.cursor);
  column.cursor += before;
  if (column.levels == nullptr) return Status::kOk;
  return column.open_stream(bytes, detail::level_share(column.window.capacity), column.levels->bytes);
}

Status begin_body(ColumnCursor& column, const PageHeader& header) {
  return column.decompressor != nullptr ? column.decompressor->begin_page(column, header)
                                        : begin_stored(column, header);
}

Status next_page(ColumnCursor& column) { return next_page_of<FlatPages>(column); }

}  // namespace microparquet::read

namespace microparquet::detail {

// Compressed pages.

namespace {

constexpr std::uint32_t kHeaderWindowBytes = 128;  // fits most page headers

// Loads the whole page, and sets up `raw` bytes of page memory.
Status load_page(ColumnCursor& column, std::uint32_t stored, std::uint32_t raw) {
  const std::uint64_t needed = std::uint64_t{column.dictionary_bytes} + stored + raw;
  if (needed > column.memory_bytes) {
    column.reader->needed_bytes = needed;
    return Status::kOutOfMemory;
  }
  if (column.page_bytes < raw || column.window_bytes() < stored) column.set_page_memory(raw);
  return column.window.fill(stored);
}

Span<std::byte> scratch_of(const ReaderState& state, std::uint32_t bytes) {
  const std::size_t end = state.arena.size() & ~static_cast<std::size_t>(7);
  return Span<std::byte>(state.arena.data() + (end - align8(bytes)), bytes);
}

// Decompresses the rest of the page into `raw` bytes of page memory, and continues there.
Status expand(const Decompressor& decompressor, ColumnCursor& column, std::uint32_t raw) {
  const Span<const std::byte> stored(column.cursor, column.available());
  std::byte* const out = column.memory + (column.memory_bytes - column.page_bytes);
  MICROPARQUET_TRY(decompressor.decompress(stored, Span<std::byte>(out, raw),
                                           scratch_of(*column.reader, decompressor.scratch_bytes())));
  column.cursor = out;
  column.body_end = out + raw;
  return Status::kOk;
}

// Returns whether the page can be decompressed straight from a file in memory: then page memory takes all of
// the column's memory but a short window for headers. A dictionary would be moved within that memory, so it
// is excluded.
bool can_stay(const ColumnCursor& column, const format::PageHeader& header) {
  return kDesktop && column.reader->image != nullptr && header.type != format::PageType::kDictionary &&
         std::uint64_t{column.dictionary_bytes} + kHeaderWindowBytes + header.uncompressed_bytes <=
             column.memory_bytes;
}

Status begin_where_it_is(ColumnCursor& column, const format::PageHeader& header) {
  const std::uint32_t bytes = header.compressed_bytes;
  // The reader never writes through this pointer.
  auto* const body =
      const_cast<std::byte*>(column.reader->image + static_cast<std::size_t>(column.window.position()));
  column.reason = FailureReason::kChecksum;
  if (read::is_checked(column, header) && column.reader->options->checksum(0, body, bytes) != header.crc)
    return Status::kCorrupt;
  if (column.window_bytes() != kHeaderWindowBytes)
    column.set_page_memory(column.memory_bytes - column.dictionary_bytes - kHeaderWindowBytes);
  column.cursor = body;
  column.body_end = body + bytes;
  column.body_beyond = 0;
  return Status::kOk;
}

Status begin_loaded(ColumnCursor& column, const format::PageHeader& header) {
  if constexpr (kDesktop) column.window.capacity = column.window_bytes();
  MICROPARQUET_TRY(load_page(column, header.compressed_bytes, header.uncompressed_bytes));
  MICROPARQUET_TRY(read::check_crc(column, header));
  column.begin_body(header.compressed_bytes);
  return Status::kOk;
}

}  // namespace

Status begin_compressed_page(const Decompressor& decompressor, ColumnCursor& column,
                             const format::PageHeader& header) {
  const std::uint32_t raw = header.uncompressed_bytes;
  MICROPARQUET_TRY(can_stay(column, header) ? begin_where_it_is(column, header)
                                            : begin_loaded(column, header));
  if (header.type != format::PageType::kDataV2) {
    MICROPARQUET_TRY(expand(decompressor, column, raw));
    return read::open_levels(column, header);
  }
  // A page of version 2 stores its levels uncompressed.
  if (header.repetition_bytes > raw || header.definition_bytes > raw - header.repetition_bytes)
    return Status::kCorrupt;
  MICROPARQUET_TRY(read::open_levels(column, header));
  const std::uint32_t values = raw - header.repetition_bytes - header.definition_bytes;
  // Some writers store nothing for a page of nulls, others compress zero bytes.
  if (!header.compressed || (values == 0 && column.available() == 0)) return Status::kOk;
  return expand(decompressor, column, values);
}

// Dictionary pages.

namespace {

constexpr std::uint64_t kHeadBytes = align8(sizeof(Dictionary));

// Divides the column's memory into dictionary and window, and continues at `position` in the file.
void divide(ColumnCursor& column, std::uint32_t dictionary_bytes, std::uint64_t position) {
  column.dictionary_bytes = dictionary_bytes;
  column.page_bytes = 0;
  Window& window = column.window;
  window.base = column.memory + dictionary_bytes;
  window.capacity = column.window_bytes();
  window.restart_at(position, window.limit);
  column.drop_body();
}

// Returns the smallest window beside a dictionary: the data pages must still pass through it.
std::uint64_t window_needed(const ColumnCursor& column) {
  return std::uint64_t{column.width} * 2 + kMinWindow;
}

Status out_of_memory(ColumnCursor& column, std::uint64_t needed) {
  column.reader->needed_bytes = needed;
  return Status::kOutOfMemory;
}

}  // namespace

Status take_dictionary(const DictionaryDecoder& decoder, ColumnCursor& column,
                       const format::PageHeader& header) {
  MICROPARQUET_TRY(read::begin_body(column, header));
  column.reason = FailureReason::kDictionaryPage;
  const std::uint64_t bytes = column.available() + std::uint64_t{column.body_beyond};
  // A chunk has at most one dictionary. A second one would find the memory already divided and report too few
  // needed bytes.
  if (column.dictionary_bytes != 0 ||
      bytes < encoding::least_plain_bytes(column.type, column.width, header.values))
    return Status::kCorrupt;
  const std::uint64_t kept = (bytes + 7) & ~std::uint64_t{7};
  const std::uint64_t index_bytes = decoder.index_bytes(header.values);
  const std::uint64_t whole = (kHeadBytes + kept + index_bytes + 7) & ~std::uint64_t{7};
  const std::uint64_t needed = whole + window_needed(column);
  if (column.body_beyond != 0 || index_bytes > column.memory_bytes || needed > column.memory_bytes)
    return out_of_memory(column, needed);

  const std::uint64_t page_end = column.window.position() + header.compressed_bytes;
  std::byte* const head = column.memory + kHeadBytes;
  Dictionary dictionary;
  dictionary.values = Span<const std::byte>(head, static_cast<std::size_t>(bytes));
  dictionary.index = Span<std::byte>(head + kept, static_cast<std::size_t>(index_bytes));
  dictionary.count = header.values;
  util::move_bytes(head, column.cursor, static_cast<std::size_t>(bytes));
  *reinterpret_cast<Dictionary*>(column.memory) = dictionary;
  const std::uint64_t page_begin = column.next_page;
  divide(column, static_cast<std::uint32_t>(whole), page_end);
  const Status status = decoder.begin_dictionary(PageInput(column), dictionary);
  if (status != Status::kOk) divide(column, 0, page_begin);
  return status;
}

}  // namespace microparquet::detail
