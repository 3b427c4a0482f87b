#include "read/chunk.h"

#include "format/column_chunk_reader.h"
#include "microparquet/detail/fields.h"
#include "thrift/compact_reader.h"

namespace microparquet::read {

namespace {

// Goes to the first element of RowGroup.columns.
void enter_columns(thrift::CompactReader& in) {
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id == format::RowGroupField::kColumns) {
      in.list(field, thrift::CompactType::kStruct);
      return;
    }
    in.skip(field);
  }
  in.fail(Status::kCorrupt);
}

}  // namespace

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
    enter_columns(in);
  }
  for (; next < column && in.ok(); ++next) in.skip_element(thrift::CompactType::kStruct);
  format::read_column_chunk(in, chunk);
  if (in.ok()) {
    chunk.end = state.footer.position();
    chunk.column = column;
  }
  return in.status();
}

}  // namespace microparquet::read
