// Places on a medium's blocks: where footers begin, how pages are lengthened to end on them, and the tails of
// pages that wait in memory.
#include "write/in_place/page_lengthening.h"

#include "base/bytes.h"
#include "base/try.h"
#include "format/page_header_writer.h"
#include "microparquet/detail/writer_state.h"
#include "write/footer.h"
#include "write/in_place/in_place_layout.h"
#include "write/layout_ops.h"
#include "write/page_transform.h"

namespace microparquet::detail {

// Blocks larger than a sector (Options::block_bytes): a power cut while one of them is written may destroy
// all of it.

namespace {

// Accepts a file that ends in its first footer, wherever the file system ended it: no row follows.
bool suit(const WriterState& state) {
  if (state.footer.draft.offset == format::kMagicBytes) return true;
  const FooterExtension& contents = state.footer.now;
  std::uint32_t places = contents.next.number() | contents.segment_end.number() |
                         contents.free_begin.number() | contents.free_end.number();
  for (const ColumnWriter& column : columns_of(state))
    places |= column.free_begin.number() | column.free_end.number();
  const std::uint64_t end = state.footer.draft.offset + state.footer.draft.written;
  return block_of(state).inside(end | SectorIndex(places).offset()) == 0;
}

}  // namespace

const Blocks kBlocks{&write::place_draft, &suit};

}  // namespace microparquet::detail

namespace microparquet::write {

// Lengthening pages that are not whole blocks before a checkpoint. The header grows to the end of a block
// while it is written, since the buffer has no space for it (FORMAT.md).

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

namespace microparquet::write {

// Compressed pages. They follow each other without padding, though only whole sectors are written:
//
//   buffer   [ tail: rest of the last sector ][ space for the header ][ values ... ]
//   sealed   [ tail ][ header, compressed body ]
//            '------- whole sectors are written ----'--- the new tail ---'
//
// The tail stays in memory until the page after it is stored, or the row group ends. Before a checkpoint the
// page is lengthened to the end of a block: then there is no tail, and no sector with durable bytes is
// written again.

namespace {

using detail::ColumnWriter;
using detail::WriterState;

constexpr std::uint32_t kWholeSectors = ~(detail::kSectorBytes - 1);

// Returns the space before the page at the head of its buffer, in whole words, since values are aligned. A
// page of byte arrays must be able to hold the largest one, and gets that space in addition.
std::uint32_t space_for(const ColumnWriter& column, std::uint32_t tail) {
  return column.plan->shape.type == Type::kByteArray ? 0 : detail::round_up(tail, 8);
}

// Stores the whole sectors of tail and sealed page; the rest is the new tail.
Status store_sectors(WriterState& state, ColumnWriter& column) {
  const std::uint32_t tail = tail_of(column);
  const std::uint32_t bytes = tail + column.sealed_bytes;
  const std::uint32_t whole = bytes & kWholeSectors;
  if (whole == 0) return Status::kOk;
  std::byte* const buffer = column.sealed - tail;
  MICROPARQUET_TRY(state.file->write_at(column.chunk_begin + column.chunk_bytes - tail,
                                        Span<const std::byte>(buffer, whole)));
  util::copy_words(buffer, buffer + whole, bytes - whole);
  return Status::kOk;
}

// Opens the next page after the tail, if the extent has space for one. The last page may be short: it begins
// later in the buffer, whose end stays the same. A sealed page is never longer than its part of the buffer,
// since room for growth is kept free before its values.
void open_page_after_tail(ColumnWriter& column) {
  std::uint32_t bytes = column.plan->page_bytes - space_for(column, tail_of(column));
  const std::uint32_t left = column.extent_bytes - column.chunk_bytes;
  if (left < bytes) {
    if (left < column.plan->header_bytes + kLeastTailedPage) return;
    bytes = left & ~std::uint32_t{7};
  }
  column.page = column.end - bytes;
  column.open_page();
}

Status store_whole_sectors(WriterState& state, ColumnWriter& column) {
  if (!has_tails(state, column)) return store_lengthened(state, column);
  const std::uint32_t padding = padding_of(state, column);
  MICROPARQUET_TRY(padding != 0 ? write_lengthened(state, column, padding, tail_of(column))
                                : store_sectors(state, column));
  column.page_stored();
  open_page_after_tail(column);
  return Status::kOk;
}

struct TailsLayout : InPlaceLayout {
  static Status store_page(WriterState& state, ColumnWriter& column) {
    return store_whole_sectors(state, column);
  }
};

}  // namespace

// Stores the tails. Bytes after a tail in its sector are dead, or written later.
Status store_tails(WriterState& state) {
  for (const ColumnWriter& column : columns_of(state)) {
    const std::uint32_t bytes = tail_of(column);
    if (bytes == 0 || !has_tails(state, column)) continue;
    thrift::WindowSink sink = sink_at(state, column.chunk_begin + column.chunk_bytes - bytes);
    sink.put(buffer_of(column), bytes);
    sink.put_zeros(detail::kSectorBytes - bytes);
    MICROPARQUET_TRY(sink.flush());
  }
  return Status::kOk;
}

}  // namespace microparquet::write

namespace microparquet::detail {

const PageLengthening kSectorTails{&write::store_whole_sectors, &write::pages_end_on_blocks,
                                   &write::store_tails};
const LayoutOps kSectorTailsOps = layout_ops<write::TailsLayout>();

}  // namespace microparquet::detail
