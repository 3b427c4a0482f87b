#include "write/in_place/gather_chunks.h"

#include "base/try.h"
#include "write/in_place/in_place_layout.h"
#include "write/layout_ops.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::WriterState;

// Whether a footer that is in the file, or on its way there, has rows of the open row group.
bool is_described(const WriterState& state) {
  return state.footer.draft.contents.rows > state.footer.now.rows;
}

// What a column has stored: the dictionary page ends where the data pages begin.
struct StoredChunk {
  std::uint64_t begin;
  std::uint32_t head;   // whole blocks that hold its dictionary page
  std::uint32_t bytes;  // with them
};

StoredChunk stored_chunk(const WriterState& state, const ColumnWriter& column) {
  const detail::DictionaryPages* const dictionaries = state.plan->dictionaries;
  const bool any = dictionaries != nullptr && column.plan->encoder->dictionary != nullptr;
  const std::uint32_t head = any ? block_of(state).round_up(dictionaries->stored_bytes(state, column)) : 0;
  return {column.chunk_begin - head, head, head + column.chunk_bytes};
}

ColumnWriter& last_of(const WriterState& state) {
  ColumnWriter* last = state.columns;
  for (ColumnWriter& column : columns_of(state)) {
    if (column.chunk_begin > last->chunk_begin) last = &column;
  }
  return *last;
}

std::uint32_t used_bytes(const WriterState& state, const ColumnWriter& column) {
  return block_of(state).round_up(column.chunk_bytes);
}

Status copy_pages(const WriterState& state, std::uint64_t from, std::uint64_t to, std::uint32_t bytes) {
  const Span<std::byte> window = window_of(state);
  while (bytes != 0) {
    const std::size_t most = window.size();
    const std::uint32_t part = bytes < most ? bytes : static_cast<std::uint32_t>(most);
    MICROPARQUET_TRY(state.file->read_at(from, window.subspan(0, part)));
    MICROPARQUET_TRY(state.file->write_at(to, window.subspan(0, part)));
    from += part;
    to += part;
    bytes -= part;
  }
  return Status::kOk;
}

std::uint32_t free_bytes(const WriterState& state, const ColumnWriter& column) {
  const std::uint32_t used = used_bytes(state, column);
  return column.extent_bytes > used ? column.extent_bytes - used : 0;
}

// Into the first space that takes `bytes` bytes, before `column`.
ColumnWriter* host_of(const WriterState& state, const ColumnWriter& column, std::uint32_t bytes) {
  ColumnWriter* host = nullptr;
  for (ColumnWriter& other : columns_of(state)) {
    const bool before = other.chunk_begin < (host != nullptr ? host : &column)->chunk_begin;
    if (before && free_bytes(state, other) >= bytes) host = &other;
  }
  return host;
}

}  // namespace

Status gather_chunks(WriterState& state) {
  if (is_described(state) || in_place_of(state).extents_inherited) return Status::kOk;
  for (;;) {
    ColumnWriter& last = last_of(state);
    const StoredChunk chunk = stored_chunk(state, last);
    ColumnWriter* const host = host_of(state, last, chunk.bytes);
    if (host == nullptr) return Status::kOk;
    const std::uint32_t used = used_bytes(state, *host);
    const std::uint64_t to = host->chunk_begin + used;
    MICROPARQUET_TRY(copy_pages(state, chunk.begin, to, chunk.bytes));
    last.chunk_begin = to + chunk.head;
    last.extent_bytes = host->extent_bytes - used - chunk.head;
    host->extent_bytes = used;
  }
}

}  // namespace microparquet::write
