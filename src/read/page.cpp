#include "read/page.h"

#include "base/endian.h"
#include "base/try.h"
#include "microparquet/reader.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;
using detail::LevelDecoder;
using detail::Window;
using format::PageHeader;
using format::PageType;

constexpr std::uint32_t kLevelLengthBytes = 4;  // before the levels of a V1 page

const Decoder* find_decoder(const ReaderOptions& options, std::uint32_t encoding, Type type) {
  for (const Decoder* decoder : options.decoders) {
    if (static_cast<std::uint32_t>(decoder->encoding()) == encoding && decoder->reads(type)) return decoder;
  }
  return nullptr;
}

void begin_levels(LevelDecoder& levels, std::uint32_t count) {
  levels.run_left = 0;
  levels.group_left = 0;
  levels.packed = false;
  levels.unread = count;
}

// How long the definition levels are: V2 says it in the header, V1 before them, which is passed.
Status level_bytes(ColumnCursor& column, const PageHeader& header, std::uint32_t& bytes) {
  bytes = header.definition_bytes;
  if (header.type == PageType::kDataV2) return Status::kOk;
  MICROPARQUET_TRY(column.load(kLevelLengthBytes));
  bytes = util::load<std::uint32_t>(column.window.cursor);
  column.window.cursor += kLevelLengthBytes;
  return Status::kOk;
}

bool is_checked(const ColumnCursor& column, const PageHeader& header) {
  return header.has_crc && column.reader->options->checksum != nullptr;
}

// Of a page that does not fit in the window: its levels go through a part of the buffer of their own, so that
// levels and values can move on at their own pace.
Status stream_levels(ColumnCursor& column, const PageHeader& header) {
  const std::uint64_t end = column.window.position() + header.compressed_bytes;
  std::uint32_t bytes = 0;
  MICROPARQUET_TRY(column.window.fill(kLevelLengthBytes));
  column.body_end = column.window.end;
  MICROPARQUET_TRY(level_bytes(column, header, bytes));
  const std::uint64_t begin = column.window.position();
  if (bytes > end - begin) return Status::kCorrupt;

  const std::uint32_t share = detail::level_share(column.buffer_bytes);
  column.window.capacity = column.buffer_bytes - share;
  Window& levels = column.levels->bytes;
  levels.begin(*column.window.file, column.window.base + column.window.capacity, share);
  levels.drop_to(begin, begin + bytes);
  column.window.drop_to(levels.limit, column.window.limit);
  column.begin_body(static_cast<std::uint32_t>(end - levels.limit));
  return Status::kOk;
}

// One that is longer than the window by its header's bytes is moved down by those, rather than read twice.
Status begin_stored(ColumnCursor& column, const PageHeader& header) {
  if (header.compressed_bytes != header.uncompressed_bytes) return Status::kCorrupt;
  const bool whole = header.compressed_bytes <= column.window.capacity;
  if (whole) MICROPARQUET_TRY(column.window.fill(header.compressed_bytes));
  MICROPARQUET_TRY(check_crc(column, header));
  if (column.levels != nullptr && !whole) return stream_levels(column, header);
  column.begin_body(header.compressed_bytes);
  return column.levels != nullptr ? begin_levels_in_window(column, header) : Status::kOk;
}

Status begin_data_page(ColumnCursor& column, const PageHeader& header) {
  const bool v2 = header.type == PageType::kDataV2;
  if (header.values > column.chunk_rows) return Status::kCorrupt;
  // Without repetition a value is a row, and a required one has no definition level. Repetition levels need
  // not be written then; there are files that have them all the same.
  if (v2 && header.rows != header.values) return Status::kCorrupt;
  if (v2 && header.repetition_bytes != 0) return Status::kUnsupported;
  if (v2 && column.levels == nullptr && header.definition_bytes != 0) return Status::kCorrupt;
  MICROPARQUET_TRY(column.chunk_status);
  const bool rle = header.level_encoding == static_cast<std::uint32_t>(EncodingId::kRle);
  if (column.levels != nullptr && !rle) return Status::kUnsupported;
  column.decoder = find_decoder(*column.reader->options, header.encoding, column.type);
  if (column.decoder == nullptr) return Status::kUnsupported;

  MICROPARQUET_TRY(column.codec != nullptr ? column.codec->begin_page(column, header)
                                           : begin_stored(column, header));
  if (column.levels != nullptr) begin_levels(*column.levels, header.values);
  MICROPARQUET_TRY(column.decoder->begin_page(column, header.values));
  column.page_rows = header.values;
  column.chunk_rows -= header.values;
  ++column.reader->pages_read;
  if (is_checked(column, header)) ++column.reader->pages_checked;
  return Status::kOk;
}

// Pages of other kinds, and those without rows, are passed over.
Status begin_page(ColumnCursor& column) {
  PageHeader header;
  MICROPARQUET_TRY(format::read_page_header(column.window, header));
  if (header.compressed_bytes > column.window.left()) return Status::kCorrupt;
  const std::uint64_t end = column.window.position() + header.compressed_bytes;
  const bool data = header.type == PageType::kData || header.type == PageType::kDataV2;
  if (data && header.values != 0) MICROPARQUET_TRY(begin_data_page(column, header));
  column.next_page = end;
  column.crc = 0;
  column.summed = 0;
  return Status::kOk;
}

}  // namespace

Status check_crc(ColumnCursor& column, const PageHeader& header) {
  if (!is_checked(column, header)) return Status::kOk;
  Window& window = column.window;
  const std::uint64_t begin = window.position();
  MICROPARQUET_TRY(window.skip(column.summed));
  while (column.summed < header.compressed_bytes) {
    MICROPARQUET_TRY(window.fill(1));
    const std::uint32_t left = header.compressed_bytes - column.summed;
    const auto there = static_cast<std::uint32_t>(window.available());
    const std::uint32_t part = there < left ? there : left;
    column.crc = column.reader->options->checksum(column.crc, window.cursor, part);
    window.cursor += part;
    column.summed += part;
  }
  window.seek(begin, window.limit);
  return column.crc == header.crc ? Status::kOk : Status::kCorrupt;
}

Status begin_levels_in_window(ColumnCursor& column, const PageHeader& header) {
  std::uint32_t bytes = 0;
  MICROPARQUET_TRY(level_bytes(column, header, bytes));
  if (bytes > column.available()) return Status::kCorrupt;
  column.levels->bytes.show(column.window.cursor, bytes);
  column.window.cursor += bytes;
  return Status::kOk;
}

Status next_page(ColumnCursor& column) {
  if (column.available() != 0 || column.body_beyond != 0) return Status::kCorrupt;
  column.window.capacity = column.buffer_bytes;
  while (column.page_rows == 0) {
    if (column.chunk_rows == 0) return Status::kEnd;
    column.window.seek(column.next_page, column.window.limit);
    const Status status = begin_page(column);
    if (status == Status::kOk) continue;
    // The page is begun anew when the call is repeated.
    column.drop_body();
    return status;
  }
  return Status::kOk;
}

}  // namespace microparquet::read
