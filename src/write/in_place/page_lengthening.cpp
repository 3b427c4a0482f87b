// Lengthening pages that are not whole blocks before a checkpoint. The header grows to the end of a block
// while it is written, since the buffer has no space for it (FORMAT.md).
#include "write/in_place/page_lengthening.h"

#include "base/try.h"
#include "format/page_header_writer.h"
#include "write/in_place/in_place_layout.h"
#include "write/layout_ops.h"
#include "write/record.h"

namespace microparquet::write {

std::uint32_t padding_of(const detail::WriterState& state, const detail::ColumnWriter& column) {
  if (!in_place_of(state).checkpointing) return 0;
  const detail::BlockSize block = block_of(state);
  const std::uint32_t end = column.chunk_bytes + column.sealed_bytes;
  const std::uint32_t before = format::padding_in(column.sealed);
  std::uint32_t padding = block.bytes_to_block(end);
  if (padding != 0 && before + padding < format::kMinPadding) padding += block.bytes();
  // A page that leaves values for the next one does not end at the checkpoint's row.
  const bool is_last = column.first_row + column.row_count == state.rows;
  return is_last && end + padding <= column.extent_bytes ? padding : 0;
}

Status write_lengthened(detail::WriterState& state, detail::ColumnWriter& column, std::uint32_t padding,
                        std::uint32_t tail_bytes) {
  const std::byte* const page = column.sealed;
  const std::uint32_t fields = format::bytes_before_padding(page);
  const std::uint32_t natural = fields + format::padding_at(page + fields);
  thrift::WindowSink sink = sink_at(state, column.chunk_begin + column.chunk_bytes - tail_bytes);
  sink.put(column.end - column.plan->page_bytes, tail_bytes);
  sink.put(page, fields);
  format::put_padding(sink, natural - fields + padding);
  sink.put(page + natural, column.sealed_bytes - natural);
  MICROPARQUET_TRY(sink.flush());
  column.sealed_bytes += padding;
  column.count_padding(padding / detail::kPaddingUnit);
  return Status::kOk;
}

bool pages_end_on_blocks(const detail::WriterState& state) {
  const detail::BlockSize block = block_of(state);
  for (const detail::ColumnWriter& column : columns_of(state)) {
    if (block.inside(column.chunk_bytes) != 0) return false;
  }
  return true;
}

Status store_lengthened(detail::WriterState& state, detail::ColumnWriter& column) {
  const std::uint32_t padding = padding_of(state, column);
  if (padding == 0) return InPlaceLayout::store_page(state, column);
  MICROPARQUET_TRY(write_lengthened(state, column, padding, 0));
  go_to_next_page(column);
  return Status::kOk;
}

}  // namespace microparquet::write

namespace microparquet::detail {

const PageLengthening kPageLengthening{&write::store_lengthened, &write::pages_end_on_blocks, nullptr};

}  // namespace microparquet::detail
