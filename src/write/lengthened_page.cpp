// Pages that are not whole sectors, before a checkpoint: the header is lengthened to the end of a sector on
// the way to the file, since the buffer has no room for it (page.cpp, RECORD.md).
#include "microparquet/detail/page_store.h"
#include "microparquet/detail/writer_state.h"
#include "util/try.h"
#include "write/page_padding.h"
#include "write/record.h"
#include "write/room_store.h"

namespace microparquet::detail {
namespace {

using write::RoomStore;

bool pages_end_on_sectors(const WriterState& state) {
  for (const ColumnWriter& column : columns_of(state)) {
    if (column.chunk_bytes % kSectorBytes != 0) return false;
  }
  return true;
}

Status store_lengthened(WriterState& state, ColumnWriter& column) {
  const std::uint64_t at = column.chunk_begin + column.chunk_bytes;
  const std::uint32_t end = column.chunk_bytes + column.sealed_bytes;
  std::uint32_t padding = round_up(end, kSectorBytes) - end;
  if (padding != 0 && padding < write::kLeastPadding) padding += kSectorBytes;
  const Span<const std::byte> page(column.sealed, column.sealed_bytes);
  // Where there is no space for it the page stays as it is, and the row group will end.
  if (padding == 0 || end + padding > column.extent_bytes) return RoomStore::store_page(state, column);

  const auto before = static_cast<std::uint32_t>(column.sealed - column.page);
  const std::uint32_t header_bytes = column.plan->header_bytes - before;
  thrift::WindowSink sink = write::sink_at(state, at);
  sink.put(page.subspan(0, header_bytes - 1));  // its stop byte comes behind the extension
  const std::uint32_t length = padding - write::kPaddingHeader;
  const auto low = static_cast<std::uint8_t>((length & 0x7F) | 0x80);
  const auto high = static_cast<std::uint8_t>(length >> 7);
  sink.put(&write::kPaddingField, sizeof write::kPaddingField);
  sink.put(static_cast<std::byte>(low));
  sink.put(static_cast<std::byte>(high));
  sink.put(&write::kPaddingTag, sizeof write::kPaddingTag);
  sink.put_zeros(padding - write::kLeastPadding);
  sink.put(page.subspan(header_bytes - 1, page.size() - header_bytes + 1));
  MICROPARQUET_TRY(sink.flush());
  column.sealed_bytes += padding;
  write::page_is_stored(state, column);
  return Status::kOk;
}

}  // namespace

const PageLengthening kPageLengthening{&store_lengthened, &pages_end_on_sectors};

}  // namespace microparquet::detail
