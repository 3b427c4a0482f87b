#include "read/chunk.h"

#include "format/column_chunk_reader.h"
#include "microparquet/detail/fields.h"
#include "thrift/compact_reader.h"

namespace microparquet::read {

Status find_chunk(detail::ReaderState& state, std::uint32_t column) {
  if (state.row_group == detail::kNoRowGroup) return Status::kWrongState;
  if (column >= state.leaf_count) return Status::kInvalidArgument;
  state.footer.seek(state.entry_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id != format::RowGroupField::kColumns) {
      in.skip(field);
      continue;
    }
    in.list(field, thrift::CompactType::kStruct);
    for (std::uint32_t i = 0; i < column; ++i) in.skip_element(thrift::CompactType::kStruct);
    format::read_column_chunk(in, state.chunk);
    return in.status();
  }
  return in.ok() ? Status::kCorrupt : in.status();
}

}  // namespace microparquet::read
