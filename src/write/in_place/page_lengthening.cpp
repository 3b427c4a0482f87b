// Pages that are not whole blocks, before a checkpoint: the header is lengthened to the end of a block on the
// way to the file, since the buffer has no space for it (FORMAT.md).
#include "write/in_place/page_lengthening.h"

#include "base/try.h"
#include "format/page_header_writer.h"
#include "write/in_place/in_place_layout.h"
#include "write/layout_ops.h"
#include "write/record.h"

namespace microparquet::write {

std::uint32_t padding_of(const detail::WriterState& state, const detail::ColumnWriter& column) {
  const detail::BlockSize block = block_of(state);
  const std::uint32_t end = column.chunk_bytes + column.sealed_bytes;
  const std::uint32_t before = format::padding_in(column.sealed);
  std::uint32_t padding = block.bytes_to_block(end);
  if (padding != 0 && before + padding < format::kMinPadding) padding += block.bytes();
  // One that leaves values for the next page does not end at the checkpoint's row.
  const bool is_last = column.first_row + column.row_count == state.rows;
  return is_last && end + padding <= column.extent_bytes ? padding : 0;
}

Status write_lengthened(detail::WriterState& state, detail::ColumnWriter& column, std::uint32_t padding,
                        Span<const std::byte> before) {
  const Span<const std::byte> page(column.sealed, column.sealed_bytes);
  const std::uint32_t fields = format::bytes_before_padding(column.sealed);
  const std::uint32_t has = format::padding_at(column.sealed + fields);
  thrift::WindowSink sink = sink_at(state, column.chunk_begin + column.chunk_bytes - before.size());
  sink.put(before);
  sink.put(page.subspan(0, fields));
  format::put_padding(sink, has + padding);
  sink.put(page.subspan(fields + has, page.size() - fields - has));
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
  const std::uint32_t padding = in_place_of(state).checkpointing ? padding_of(state, column) : 0;
  if (padding == 0) return InPlaceLayout::store_page(state, column);
  MICROPARQUET_TRY(write_lengthened(state, column, padding, {}));
  go_to_next_page(column);
  return Status::kOk;
}

}  // namespace microparquet::write

namespace microparquet::detail {

const PageLengthening kPageLengthening{&write::store_lengthened, &write::pages_end_on_blocks, nullptr};

}  // namespace microparquet::detail
