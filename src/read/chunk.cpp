#include "read/chunk.h"

#include "format/column_chunk_reader.h"
#include "format/row_group_reader.h"

namespace microparquet::read {

Status find_chunk(detail::ReaderState& state, std::uint32_t column) {
  if (state.row_group == detail::kNoRowGroup) return Status::kWrongState;
  if (column >= state.leaf_count) return Status::kInvalidArgument;
  detail::ColumnChunk& chunk = state.chunk;
  const bool goes_on = chunk.end != 0 && chunk.column <= column;
  if (goes_on && chunk.column == column) return Status::kOk;
  state.footer.seek(goes_on ? chunk.end : state.entry_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  std::uint32_t next = 0;
  if (goes_on) {
    next = chunk.column + 1;
  } else {
    format::enter_column_chunks(in);
  }
  for (; next < column && in.ok(); ++next) in.skip_struct();
  const std::uint64_t begin = state.footer.position();
  format::read_column_chunk(in, chunk);
  if (in.ok()) {
    chunk.begin = begin;
    chunk.end = state.footer.position();
    chunk.column = column;
  }
  return in.status();
}

}  // namespace microparquet::read
