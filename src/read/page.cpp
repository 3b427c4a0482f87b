#include "read/page.h"

#include "microparquet/reader.h"
#include "util/endian.h"
#include "util/try.h"

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

// Of a page that does not fit in the window: its levels go through a part of the buffer of their own, so that
// levels and values can move on at their own pace. For the checksum they go through it once before.
Status stream_levels(ColumnCursor& column, const PageHeader& header) {
  const std::uint64_t begin = column.window.position();
  const std::uint64_t end = begin + header.compressed_bytes;
  std::uint32_t bytes = 0;
  MICROPARQUET_TRY(column.window.fill(kLevelLengthBytes));
  column.body_end = column.window.end;
  MICROPARQUET_TRY(level_bytes(column, header, bytes));
  const std::uint64_t levels_begin = column.window.position();
  if (levels_begin > end || bytes > end - levels_begin) return Status::kCorrupt;

  const std::uint32_t share = detail::level_share(column.buffer_bytes);
  column.window.capacity = column.buffer_bytes - share;
  Window& levels = column.levels->bytes;
  levels.begin(*column.window.file, column.window.base + column.window.capacity, share);
  levels.drop_to(begin, levels_begin + bytes);
  while (column.crc_pending && levels.left() != 0) {
    MICROPARQUET_TRY(levels.fill(1));
    column.sum_up(levels.cursor, levels.available());
    levels.cursor = levels.end;
  }
  levels.seek(levels_begin, levels.limit);
  column.window.drop_to(levels.limit, column.window.limit);
  column.body_end = column.window.cursor;
  column.body_beyond = static_cast<std::uint32_t>(end - levels.limit);
  return column.check_crc();
}

// Whether the page can be in the window whole, its header before it. One that is longer by some bytes is not
// moved down by those bytes, which would cost more than it gains.
bool fits(const ColumnCursor& column, const PageHeader& header) {
  if (column.window.available() >= header.compressed_bytes) return true;
  const std::uint32_t capacity = column.window.capacity;
  return header.header_bytes < capacity && header.compressed_bytes <= capacity - header.header_bytes;
}

Status begin_stored(ColumnCursor& column, const PageHeader& header) {
  if (header.compressed_bytes != header.uncompressed_bytes) return Status::kCorrupt;
  const bool whole = fits(column, header);
  if (column.levels != nullptr && !whole) return stream_levels(column, header);
  if (whole) MICROPARQUET_TRY(column.window.fill(header.compressed_bytes));
  MICROPARQUET_TRY(column.begin_body(header.compressed_bytes));
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

  column.crc = 0;
  column.expected_crc = header.crc;
  column.crc_pending = header.has_crc && column.reader->options->crc32 != nullptr;
  MICROPARQUET_TRY(column.codec != nullptr ? column.codec->begin_page(column, header)
                                           : begin_stored(column, header));
  if (column.levels != nullptr) begin_levels(*column.levels, header.values);
  MICROPARQUET_TRY(column.decoder->begin_page(column, header.values));
  column.page_rows = header.values;
  column.chunk_rows -= header.values;
  ++column.reader->pages_read;
  return Status::kOk;
}

Status begin_page(ColumnCursor& column) {
  PageHeader header;
  MICROPARQUET_TRY(format::read_page_header(column.window, header));
  if (header.compressed_bytes > column.window.left()) return Status::kCorrupt;
  switch (header.type) {
    case PageType::kData:
    case PageType::kDataV2:
      if (header.values != 0) return begin_data_page(column, header);
      return column.window.skip(header.compressed_bytes);
    case PageType::kDictionary:
    case PageType::kIndex: return column.window.skip(header.compressed_bytes);
    case PageType::kOther: break;
  }
  return Status::kUnsupported;
}

}  // namespace

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
    const std::uint64_t begin = column.window.position();
    const Status status = begin_page(column);
    if (status != Status::kOk || column.page_rows == 0) column.body_end = column.window.cursor;
    if (status == Status::kOk) continue;
    // The page is begun anew when the call is repeated.
    column.window.capacity = column.buffer_bytes;
    column.window.drop_to(begin, column.window.limit);
    column.body_end = column.window.cursor;
    column.body_beyond = 0;
    column.pass_left = 0;
    return status;
  }
  return Status::kOk;
}

}  // namespace microparquet::read
