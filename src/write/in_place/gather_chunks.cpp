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

// Whole blocks that hold its dictionary page, which ends where the data pages begin.
std::uint32_t head_bytes(const WriterState& state, const ColumnWriter& column) {
  const detail::DictionaryPages* const dictionaries = state.plan->dictionaries;
  if (dictionaries == nullptr || column.plan->encoder->dictionary == nullptr) return 0;
  return block_of(state).round_up(dictionaries->stored_bytes(state, column));
}

// Row groups have less than 2 GiB, so the lower words tell.
bool is_before(const ColumnWriter& column, const ColumnWriter& other) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(column.chunk_begin) -
                                   static_cast<std::uint32_t>(other.chunk_begin)) < 0;
}

ColumnWriter& last_of(const WriterState& state) {
  ColumnWriter* last = state.columns;
  for (ColumnWriter& column : columns_of(state)) {
    if (is_before(*last, column)) last = &column;
  }
  return *last;
}

std::uint32_t used_bytes(const WriterState& state, const ColumnWriter& column) {
  return block_of(state).round_up(column.chunk_bytes);
}

// The first one before `last` whose extent has so much left; `last`: there is none.
ColumnWriter& host_of(const WriterState& state, ColumnWriter& last, std::uint32_t bytes) {
  ColumnWriter* host = &last;
  for (ColumnWriter& column : columns_of(state)) {
    if (is_before(column, *host) && used_bytes(state, column) + bytes <= column.extent_bytes) host = &column;
  }
  return *host;
}

// Copies what stands at `from` to a place that far before it.
Status copy_back(const WriterState& state, std::uint64_t from, std::uint32_t distance, std::uint32_t bytes) {
  const Span<std::byte> window = window_of(state);
  while (bytes != 0) {
    const std::size_t most = window.size();
    const std::uint32_t part = bytes < most ? bytes : static_cast<std::uint32_t>(most);
    MICROPARQUET_TRY(state.file->read_at(from, window.subspan(0, part)));
    MICROPARQUET_TRY(state.file->write_at(from - distance, window.subspan(0, part)));
    from += part;
    bytes -= part;
  }
  return Status::kOk;
}

}  // namespace

Status gather_chunks(WriterState& state) {
  if (is_described(state) || in_place_of(state).extents_inherited) return Status::kOk;
  for (;;) {
    ColumnWriter& last = last_of(state);
    const std::uint32_t head = head_bytes(state, last);
    const std::uint32_t bytes = head + last.chunk_bytes;
    ColumnWriter& host = host_of(state, last, bytes);
    if (&host == &last) return Status::kOk;
    const std::uint32_t used = used_bytes(state, host);
    const auto distance = static_cast<std::uint32_t>(last.chunk_begin - host.chunk_begin) - used - head;
    MICROPARQUET_TRY(copy_back(state, last.chunk_begin - head, distance, bytes));
    last.chunk_begin -= distance;
    last.extent_bytes = host.extent_bytes - used - head;
    host.extent_bytes = used;
  }
}

}  // namespace microparquet::write
