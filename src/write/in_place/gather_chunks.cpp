#include "write/in_place/gather_chunks.h"

#include "base/try.h"
#include "write/in_place/in_place_layout.h"
#include "write/layout_ops.h"
#include "write/record.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::WriterState;

// Returns whether a footer in the file, or on its way there, describes rows of the open row group. After a
// failed checkpoint the draft may lack them although the footer in the file has them, so both are asked.
bool is_described(const WriterState& state) {
  const std::uint64_t finished = state.footer.now.rows;
  return state.footer.draft.contents.rows > finished || state.durable_rows > finished;
}

// Returns the whole blocks that hold the column's dictionary page, which ends where the data pages begin.
std::uint32_t head_bytes(const WriterState& state, const ColumnWriter& column) {
  const detail::DictionaryPages* const dictionaries = state.plan->dictionaries;
  if (dictionaries == nullptr || column.plan->encoder->dictionary == nullptr) return 0;
  return block_of(state).round_up(dictionaries->stored_bytes(state, column));
}

// Compares lower words, which suffice: row groups have less than 2 GiB.
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

// Returns the first column before `last` whose extent has `bytes` bytes left; `last`: there is none.
ColumnWriter& host_of(const WriterState& state, ColumnWriter& last, std::uint32_t bytes) {
  ColumnWriter* host = &last;
  for (ColumnWriter& column : columns_of(state)) {
    if (is_before(column, *host) && used_bytes(state, column) + bytes <= column.extent_bytes) host = &column;
  }
  return *host;
}

// Copies bytes from `from` to an earlier place in the file.
Status copy_back(const WriterState& state, std::uint64_t from, std::uint64_t to, std::uint32_t bytes) {
  thrift::WindowSink sink = sink_at(state, to);
  sink.copy(from, bytes);
  return sink.flush();
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
    const std::uint64_t to = host.chunk_begin + used;
    MICROPARQUET_TRY(copy_back(state, last.chunk_begin - head, to, bytes));
    last.chunk_begin = to + head;
    last.extent_bytes = host.extent_bytes - used - head;
    host.extent_bytes = used;
  }
}

}  // namespace microparquet::write
