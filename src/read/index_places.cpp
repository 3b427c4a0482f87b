#include "read/index_places.h"

#include "base/try.h"
#include "microparquet/detail/format/magic.h"
#include "read/chunk.h"

namespace microparquet::read {

// find_chunk() walks the entries, continuing from the last one.
Status enter_entry(detail::ReaderState& state, std::uint32_t column) {
  MICROPARQUET_TRY(find_chunk(state, column));
  state.footer.seek(state.chunk.begin, state.footer_begin + state.footer_bytes);
  return Status::kOk;
}

Status find_index_places(detail::ReaderState& state, std::uint32_t column, format::IndexPlaces& places) {
  MICROPARQUET_TRY(enter_entry(state, column));
  thrift::CompactReader in(state.footer);
  format::read_index_places(in, places);
  const Status status = as_no_index(in.status());
  if (status != Status::kEnd) return status;
  places = {};
  return Status::kOk;
}

bool enter_index(detail::ReaderState& state, const format::IndexPlace& place) {
  const std::uint64_t end = state.footer_begin;
  if (place.bytes == 0 || place.offset < format::kMagicBytes || place.offset > end ||
      place.bytes > end - place.offset)
    return false;
  // Not seek(), which would keep bytes that the window has loaded beyond the limit.
  state.footer.restart_at(place.offset, place.offset + place.bytes);
  return true;
}

Status read_header_at(detail::ReaderState& state, std::uint64_t offset, format::PageHeader& header) {
  if (offset < format::kMagicBytes || offset >= state.footer_begin) return Status::kCorrupt;
  detail::Window& window = state.footer;
  const std::uint32_t whole = window.capacity;
  window.restart_at(offset, state.footer_begin);
  window.capacity = detail::kMinWindow;
  const Status status = format::read_page_header(window, header);
  window.capacity = whole;
  return status;
}

bool agrees(const format::PageHeader& header, std::uint64_t rows, std::uint32_t bytes) {
  const bool data = header.type == format::PageType::kData || header.type == format::PageType::kDataV2;
  return data && header.values == rows &&
         std::uint64_t{header.header_bytes} + header.compressed_bytes == bytes;
}

}  // namespace microparquet::read
