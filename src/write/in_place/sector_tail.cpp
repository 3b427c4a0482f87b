// Compressed pages. They follow each other without padding, though only whole sectors are written:
//
//   buffer   [ tail: rest of the last sector ][ space for the header ][ values ... ]
//   sealed   [ tail ][ header, compressed body ]
//            '------- whole sectors are written ----'--- the new tail ---'
//
// The tail stays in memory until the page after it is stored, or the row group ends. Before a checkpoint the
// page is lengthened to the end of a block: then there is no tail, and no sector with durable bytes is
// written again.
#include "base/bytes.h"
#include "base/try.h"
#include "write/in_place/in_place_layout.h"
#include "write/in_place/page_lengthening.h"
#include "write/page_transform.h"
#include "write/record.h"

namespace microparquet::write {
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
