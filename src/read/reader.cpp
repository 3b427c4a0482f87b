// The path of a byte from the file to the caller:
//
//   Reader::open            footer.cpp         the last 8 bytes; streams FileMetaData through a window
//   Reader::choose          reader.cpp         divides the arena: a ColumnCursor and a window for each column
//   Reader::next_row_group  row_group.cpp      parses one RowGroup entry, sets each cursor to its chunk
//   next_page               page.cpp           header, then the page: whole and summed if it fits the window
//   LevelDecoder            level_decoder.cpp  which rows have a value
//   Decoder                 encoding/          the bytes at the window's cursor become values
//   ColumnCursor::load      column_cursor.cpp  more bytes when they run out
//   Window::fill            window.cpp         File::read_at
//
// Reader::next_row (rows.cpp) takes one value of each column this way, next_batch and next_run (batches.cpp)
// as many rows of one column as they can.
#include "microparquet/reader.h"

#include "base/bytes.h"
#include "base/try.h"
#include "read/footer.h"
#include "read/row_group.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;
using detail::Leaf;
using detail::LevelDecoder;
using detail::ReaderState;

constexpr std::uint32_t kMinBytes = 64;  // of a window

Status open_file(ReaderState& state) {
  const ReaderOptions& options = *state.options;
  if (options.buffer_bytes < kMinBytes || options.footer_bytes < kMinBytes) return Status::kInvalidArgument;
  if (reinterpret_cast<std::uintptr_t>(state.arena.data()) % 8 != 0) return Status::kInvalidArgument;
  const std::size_t head = detail::reader_head_bytes(0, options.footer_bytes);
  if (state.arena.size() < head) {
    state.needed_bytes = head;
    return Status::kOutOfMemory;
  }
  state.footer.begin(*state.file, state.arena.data(), options.footer_bytes);
  state.leaves = reinterpret_cast<Leaf*>(state.arena.data() + head);
  MICROPARQUET_TRY(read::find_footer(state));
  return read::read_footer(state);
}

void rewind(ReaderState& state) {
  state.row_group = detail::kNoRowGroup;
  state.next_row_group = 0;
  state.next_entry = state.row_groups_begin;
  state.group_rows = 0;
  state.rows_left = 0;
  state.mode = detail::ReadingMode::kUndecided;
}

// Bits that a level up to `maximum` needs.
std::uint8_t bit_width(unsigned maximum) {
  std::uint8_t width = 0;
  for (; maximum != 0; maximum >>= 1) ++width;
  return width;
}

LevelDecoder* make_levels(std::byte* memory, const Leaf& leaf) {
  auto* const levels = reinterpret_cast<LevelDecoder*>(memory);
  util::clear_bytes(levels, sizeof *levels);
  levels->maximum = leaf.max_definition;
  levels->bit_width = bit_width(leaf.max_definition);
  return levels;
}

void make_column(ReaderState& state, std::uint32_t column, std::byte* levels, std::byte* buffer) {
  const Leaf& leaf = state.leaves[column];
  ColumnCursor& cursor = state.columns[state.chosen];
  util::clear_bytes(&cursor, sizeof cursor);
  cursor.window.begin(*state.file, buffer, state.share);
  cursor.reader = &state;
  cursor.buffer_bytes = state.share;
  cursor.column = column;
  cursor.type = static_cast<Type>(leaf.type);
  cursor.width = value_bytes(cursor.type, leaf.type_length);
  if (leaf.max_definition != 0) cursor.levels = make_levels(levels, leaf);
}

// Marks the columns as chosen, and finds what they need of each buffer.
Status check_choice(ReaderState& state, const std::uint32_t* columns, std::size_t count,
                    std::uint64_t& buffer) {
  buffer = state.options->buffer_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t column = columns != nullptr ? columns[i] : static_cast<std::uint32_t>(i);
    if (column >= state.leaf_count || i >= detail::kNotChosen) return Status::kInvalidArgument;
    Leaf& leaf = state.leaves[column];
    if (leaf.cursor != detail::kNotChosen) return Status::kInvalidArgument;
    if (leaf.max_repetition != 0) return Status::kUnsupported;
    leaf.cursor = static_cast<std::uint16_t>(i);
    // A value of fixed length lies in the window whole, beside the levels' share of it.
    // One that is longer than the file cannot come.
    const std::uint32_t width = value_bytes(static_cast<Type>(leaf.type), leaf.type_length);
    const std::uint64_t least = detail::least_buffer(width);
    if (least > buffer && width <= state.file_bytes) buffer = least;
  }
  return Status::kOk;
}

Status divide_arena(ReaderState& state, const std::uint32_t* columns, std::size_t count) {
  for (std::uint32_t i = 0; i < state.leaf_count; ++i) state.leaves[i].cursor = detail::kNotChosen;
  state.chosen = 0;
  rewind(state);
  std::uint64_t buffer = 0;
  MICROPARQUET_TRY(check_choice(state, columns, count, buffer));
  const std::size_t head = detail::reader_head_bytes(state.leaf_count, state.options->footer_bytes);
  const std::size_t cursors = head + count * sizeof(ColumnCursor);
  const std::size_t levels = cursors + count * sizeof(LevelDecoder);
  state.needed_bytes = levels + count * (buffer + 7);
  if (count == 0) return Status::kOk;
  if (state.arena.size() < levels) return Status::kOutOfMemory;
  std::size_t share = (state.arena.size() - levels) / count & ~static_cast<std::size_t>(7);
  if (share < buffer) return Status::kOutOfMemory;
  if (share > 0x40000000) share = 0x40000000;
  state.share = static_cast<std::uint32_t>(share);
  std::byte* const memory = state.arena.data();
  state.columns = reinterpret_cast<ColumnCursor*>(memory + head);
  for (std::size_t i = 0; i < count; ++i) {
    make_column(state, columns != nullptr ? columns[i] : static_cast<std::uint32_t>(i),
                memory + cursors + i * sizeof(LevelDecoder), memory + levels + i * share);
    ++state.chosen;
  }
  return Status::kOk;
}

}  // namespace

// All bytes zero is the state without a file.
void Reader::reset() { util::clear_bytes(&state_, sizeof state_); }

Status Reader::open(File& file, const ReaderOptions& options, Span<std::byte> arena) {
  reset();
  state_.file = &file;
  state_.options = &options;
  state_.arena = arena;
  const Status status = open_file(state_);
  if (status == Status::kOk) {
    rewind(state_);
    return Status::kOk;
  }
  // Without a file; but for what the caller may ask about the failure.
  std::uint64_t needed = state_.needed_bytes;
  if (status == Status::kOutOfMemory && needed == 0) {
    needed = detail::reader_head_bytes(state_.leaf_count, options.footer_bytes);
  }
  reset();
  state_.needed_bytes = needed;
  return status;
}

Status Reader::choose(Span<const std::uint32_t> columns) {
  if (state_.file == nullptr) return Status::kWrongState;
  return divide_arena(state_, columns.data(), columns.size());
}

Status Reader::choose_all() {
  if (state_.file == nullptr) return Status::kWrongState;
  return divide_arena(state_, nullptr, state_.leaf_count);
}

Status Reader::next_row_group() {
  if (state_.file == nullptr) return Status::kWrongState;
  for (;;) {
    if (state_.next_row_group >= state_.row_groups) return Status::kEnd;
    MICROPARQUET_TRY(seek_row_group(state_.next_row_group));
    bool match = true;
    if (state_.filter != nullptr) {
      const Status status = state_.filter->may_match(*this, match);
      if (status != Status::kOk) {
        // The row group is still the next one.
        --state_.next_row_group;
        state_.next_entry = state_.entry_begin;
        state_.row_group = detail::kNoRowGroup;
        return status;
      }
    }
    if (match) return Status::kOk;
  }
}

Status Reader::seek_row_group(std::uint32_t index) {
  ReaderState& state = state_;
  if (state.file == nullptr) return Status::kWrongState;
  if (index >= state.row_groups) return Status::kInvalidArgument;
  std::uint32_t at = state.next_row_group;
  std::uint64_t begin = state.next_entry;
  if (index < at) {
    at = 0;
    begin = state.row_groups_begin;
  }
  state.footer.seek(begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  for (; at < index && in.ok(); ++at) in.skip_element(thrift::CompactType::kStruct);
  begin = state.footer.position();
  state.row_group = detail::kNoRowGroup;
  state.rows_left = 0;
  state.mode = detail::ReadingMode::kUndecided;
  read::RowGroup row_group;
  if (in.ok()) read::read_row_group(in, state, row_group, true);
  MICROPARQUET_TRY(in.status());
  state.row_group = index;
  state.next_row_group = index + 1;
  state.entry_begin = begin;
  state.next_entry = state.footer.position();
  state.group_rows = row_group.rows;
  state.group_bytes = row_group.bytes;
  state.rows_left = row_group.rows;
  return Status::kOk;
}

}  // namespace microparquet
