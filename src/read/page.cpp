#include "read/page.h"

#include "base/endian.h"
#include "base/try.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/reader.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;
using detail::LevelDecoder;
using detail::Window;
using format::PageHeader;
using format::PageType;

const Decoder* find_decoder(const ColumnCursor& column, std::uint32_t encoding) {
  if (encoding >= EncodingSet::kEnd) return nullptr;
  const auto id = static_cast<EncodingId>(encoding);
  for (const Decoder* decoder : column.reader->options->decoders) {
    if (decoder->supports(id) && decoder->supports(column.type)) return decoder;
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
  MICROPARQUET_TRY(column.load(encoding::kLengthBytes));
  bytes = util::load<std::uint32_t>(column.cursor);
  column.cursor += encoding::kLengthBytes;
  return Status::kOk;
}

// One that is longer than the window by its header's bytes is moved down by those, rather than read twice.
Status begin_stored(ColumnCursor& column, const PageHeader& header) {
  if (header.compressed_bytes != header.uncompressed_bytes) return Status::kCorrupt;
  if (header.compressed_bytes <= column.window.capacity)
    MICROPARQUET_TRY(column.window.fill(header.compressed_bytes));
  MICROPARQUET_TRY(check_crc(column, header));
  column.begin_body(header.compressed_bytes);
  return open_levels(column, header);
}

// After its values a page ends. fastparquet puts eight zeros there.
Status check_rest(ColumnCursor& column) {
  const auto rest = static_cast<std::uint32_t>(column.available() + column.body_beyond);
  if (rest == 0) return Status::kOk;
  if (rest != sizeof(std::uint64_t)) return Status::kCorrupt;
  MICROPARQUET_TRY(column.load(rest));
  return util::load<std::uint64_t>(column.cursor) == 0 ? Status::kOk : Status::kCorrupt;
}

bool is_data(const PageHeader& header) {
  return header.type == PageType::kData || header.type == PageType::kDataV2;
}

Status begin_data_page(ColumnCursor& column, const PageHeader& header, std::uint64_t end) {
  std::uint32_t rows = header.values;
  // A wrong number would make nulls of the levels' padding: with levels, the chunk's bytes have to end there.
  if (column.chunk_rows < rows) {
    if (column.levels != nullptr && column.window.limit != end) return Status::kCorrupt;
    rows = static_cast<std::uint32_t>(column.chunk_rows);
  }
  // Without repetition a value is a row, and a required one has no definition level. Repetition levels need
  // not be written then; there are files that have them all the same.
  const bool v2 = header.type == PageType::kDataV2;
  if (v2 && header.rows != header.values) return Status::kCorrupt;
  if (v2 && header.repetition_bytes != 0) return column.refuse(FailureReason::kRepetition, 0);
  if (v2 && column.levels == nullptr && header.definition_bytes != 0) return Status::kCorrupt;
  if (column.levels != nullptr && header.level_encoding != static_cast<std::uint32_t>(EncodingId::kRle))
    return column.refuse(FailureReason::kLevelEncoding, header.level_encoding);
  column.decoder = find_decoder(column, header.encoding);
  if (column.decoder == nullptr) return column.refuse(FailureReason::kEncoding, header.encoding);

  MICROPARQUET_TRY(begin_body(column, header));
  if (column.levels != nullptr) begin_levels(*column.levels, header.values);
  column.reason = FailureReason::kValues;
  column.ends_in_padding = rows != header.values;
  MICROPARQUET_TRY(column.decoder->begin_page(PageInput(column), header.values));
  column.page_rows = rows;
  column.chunk_rows -= rows;
  ++column.reader->pages_read;
  if (is_checked(column, header)) ++column.reader->pages_checked;
  return Status::kOk;
}

// The decoder of the pages that need the dictionary takes it.
Status begin_dictionary(ColumnCursor& column, const PageHeader& header) {
  const Decoder* const decoder = find_decoder(column, static_cast<std::uint32_t>(EncodingId::kRleDictionary));
  return decoder != nullptr ? decoder->take_dictionary(column, header) : Status::kOk;
}

// A chunk ends with its rows. Its size, which some writers state too small, says how far to read ahead: a
// page that begins before its end belongs to it wholly.
Status reach(ColumnCursor& column, std::uint32_t bytes) {
  if (bytes <= column.window.left()) return Status::kOk;
  const std::uint64_t end = column.window.position() + bytes;
  if (end > column.reader->footer_begin) return Status::kCorrupt;
  column.window.limit = end;
  return Status::kOk;
}

// Pages of other kinds, and those without rows, are passed over.
Status begin_page(ColumnCursor& column) {
  MICROPARQUET_TRY(column.chunk_status);
  column.reason = FailureReason::kPageHeader;
  PageHeader header;
  MICROPARQUET_TRY(format::read_page_header(column.window, header));
  MICROPARQUET_TRY(reach(column, header.compressed_bytes));
  const std::uint64_t end = column.window.position() + header.compressed_bytes;
  if (header.type == PageType::kDictionary) MICROPARQUET_TRY(begin_dictionary(column, header));
  if (is_data(header) && header.values != 0) MICROPARQUET_TRY(begin_data_page(column, header, end));
  column.next_page = end;
  column.crc = 0;
  column.summed = 0;
  return Status::kOk;
}

}  // namespace

Status check_crc(ColumnCursor& column, const PageHeader& header) {
  if (!is_checked(column, header)) return Status::kOk;
  column.reason = FailureReason::kChecksum;
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

Status open_levels(ColumnCursor& column, const PageHeader& header) {
  if (column.levels == nullptr || !is_data(header)) return Status::kOk;
  column.reason = FailureReason::kLevels;
  std::uint32_t bytes = 0;
  MICROPARQUET_TRY(level_bytes(column, header, bytes));
  return column.open_stream(bytes, detail::level_share(column.window.capacity), column.levels->bytes);
}

Status begin_body(ColumnCursor& column, const PageHeader& header) {
  return column.decompressor != nullptr ? column.decompressor->begin_page(column, header)
                                        : begin_stored(column, header);
}

Status next_page(ColumnCursor& column) {
  if (!column.ends_in_padding) MICROPARQUET_TRY(check_rest(column));
  column.window.capacity = column.window_bytes();
  while (column.page_rows == 0) {
    if (column.chunk_rows == 0) return Status::kEnd;
    column.window.seek(column.next_page, column.window.limit);
    const Status status = begin_page(column);
    if (status == Status::kOk) continue;
    // The page is begun again when the call is repeated.
    column.drop_body();
    return status;
  }
  return Status::kOk;
}

}  // namespace microparquet::read
