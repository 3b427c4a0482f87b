// Pages that are not whole blocks, before a checkpoint: the header is lengthened to the end of a block on the
// way to the file, since the buffer has no space for it (FORMAT.md).
#include "base/try.h"
#include "format/page_header_writer.h"
#include "microparquet/detail/writer_state.h"
#include "write/in_place/in_place_layout.h"
#include "write/layout_ops.h"
#include "write/record.h"

namespace microparquet::detail {
namespace {

using write::InPlaceLayout;

bool pages_end_on_blocks(const WriterState& state) {
  const BlockSize block = block_of(state);
  for (const ColumnWriter& column : columns_of(state)) {
    if (block.inside(column.chunk_bytes) != 0) return false;
  }
  return true;
}

Status store_lengthened(WriterState& state, ColumnWriter& column) {
  const std::uint64_t at = column.chunk_begin + column.chunk_bytes;
  const std::uint32_t end = column.chunk_bytes + column.sealed_bytes;
  const BlockSize block = block_of(state);
  const std::uint32_t fields = format::bytes_before_padding(column.sealed);
  const std::uint32_t before = format::padding_at(column.sealed + fields);
  std::uint32_t padding = block.bytes_to_block(end);
  if (padding != 0 && before + padding < format::kMinPadding) padding += block.bytes();
  const Span<const std::byte> page(column.sealed, column.sealed_bytes);
  // Where there is no space for it the page stays as it is, and the row group will end. One that leaves values
  // for the next page does not end at the checkpoint's row.
  if (column.first_row + column.row_count != state.rows) padding = 0;
  if (padding == 0 || end + padding > column.extent_bytes) return InPlaceLayout::store_page(state, column);

  thrift::WindowSink sink = write::sink_at(state, at);
  sink.put(page.subspan(0, fields));
  format::put_padding(sink, before + padding);
  sink.put(page.subspan(fields + before, page.size() - fields - before));
  MICROPARQUET_TRY(sink.flush());
  column.sealed_bytes += padding;
  write::go_to_next_page(column);
  return Status::kOk;
}

}  // namespace

const PageLengthening kPageLengthening{&store_lengthened, &pages_end_on_blocks};

}  // namespace microparquet::detail
