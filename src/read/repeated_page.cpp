#include "read/repeated_page.h"

#include "base/endian.h"
#include "base/try.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/reader.h"
#include "read/page_steps.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;
using detail::LevelDecoder;
using detail::RepeatedLevels;
using format::PageHeader;
using format::PageType;

// Begins the page as if `levels` were the column's only levels; null: it has none.
Status begin_body_with(ColumnCursor& column, LevelDecoder* levels, const PageHeader& header) {
  RepeatedLevels& own = repeated_levels(column);
  column.levels = levels;
  const Status status = begin_body(column, header);
  column.levels = &own;
  return status;
}

// Opens the next bytes of the page as levels.
Status open_stream_of(ColumnCursor& column, std::uint32_t bytes, LevelDecoder& levels) {
  return column.open_stream(bytes, detail::level_share(column.window.capacity), levels.bytes);
}

// Opens levels of a V1 page: in RLE their length comes first.
Status open_levels_of_v1(ColumnCursor& column, LevelDecoder& levels, std::uint32_t encoding,
                         std::uint32_t count) {
  if (encoding != static_cast<std::uint32_t>(EncodingId::kRle))
    return open_other_levels(column, levels, encoding, count);
  MICROPARQUET_TRY(column.load(encoding::kLengthBytes));
  const auto bytes = util::load<std::uint32_t>(column.cursor);
  column.cursor += encoding::kLengthBytes;
  return open_stream_of(column, bytes, levels);
}

Status begin_v1(ColumnCursor& column, const PageHeader& header) {
  RepeatedLevels& levels = repeated_levels(column);
  MICROPARQUET_TRY(begin_body_with(column, nullptr, header));
  column.reason = FailureReason::kLevels;
  // The levels of the page before may lie in memory that is free again.
  levels.bytes.view_memory(nullptr, 0);
  MICROPARQUET_TRY(open_levels_of_v1(column, levels.repetition, header.repetition_encoding, header.values));
  return open_levels_of_v1(column, levels, header.level_encoding, header.values);
}

// Begins a V2 page that lies in memory. Both levels are opened as one stream, which tells a decompressor
// where the values begin; then the stream is divided.
Status begin_v2_in_memory(ColumnCursor& column, const PageHeader& header) {
  RepeatedLevels& levels = repeated_levels(column);
  PageHeader both = header;
  both.definition_bytes += header.repetition_bytes;
  both.repetition_bytes = 0;
  MICROPARQUET_TRY(begin_body_with(column, &levels.repetition, both));
  std::byte* const begin = levels.repetition.bytes.cursor;
  levels.repetition.bytes.view_memory(begin, header.repetition_bytes);
  levels.bytes.view_memory(begin + header.repetition_bytes, header.definition_bytes);
  return Status::kOk;
}

Status begin_v2(ColumnCursor& column, const PageHeader& header) {
  if (header.repetition_bytes > header.uncompressed_bytes ||
      header.definition_bytes > header.uncompressed_bytes - header.repetition_bytes)
    return Status::kCorrupt;
  if (column.decompressor != nullptr) return begin_v2_in_memory(column, header);
  RepeatedLevels& levels = repeated_levels(column);
  PageHeader without_levels = header;
  without_levels.repetition_bytes = 0;
  MICROPARQUET_TRY(begin_body_with(column, nullptr, without_levels));
  column.reason = FailureReason::kLevels;
  MICROPARQUET_TRY(open_stream_of(column, header.repetition_bytes, levels.repetition));
  return open_stream_of(column, header.definition_bytes, levels);
}

// Stores the number of rows after the page, if the header has the page's own number, until the page has
// begun.
Status count_rows(RepeatedLevels& levels, const PageHeader& header) {
  levels.rows_after_next = detail::kUnknownRows;
  if (header.type != PageType::kDataV2) return Status::kOk;
  if (header.rows > levels.rows_left) return Status::kCorrupt;
  levels.rows_after_next = levels.rows_left - header.rows;
  return Status::kOk;
}

struct RepeatedPages {
  static constexpr bool kFlat = false;
  static Status begin_body(ColumnCursor& column, const PageHeader& header) {
    column.reason = FailureReason::kLevels;
    // No known writer ends a chunk of lists within a page, and the rows of such a chunk would be undefined.
    if (column.chunk_rows < header.values) return Status::kCorrupt;
    MICROPARQUET_TRY(count_rows(repeated_levels(column), header));
    return header.type == PageType::kDataV2 ? begin_v2(column, header) : begin_v1(column, header);
  }
  static void begin_levels(ColumnCursor& column, std::uint32_t count) {
    repeated_levels(column).begin(count);
    repeated_levels(column).repetition.begin(count);
  }
};

}  // namespace

Status next_repeated_page(ColumnCursor& column) {
  RepeatedLevels& levels = repeated_levels(column);
  const bool rows_right =
      levels.rows_after_page == detail::kUnknownRows || levels.rows_after_page == levels.rows_left;
  if (!rows_right) return Status::kCorrupt;
  const Status status = next_page_of<RepeatedPages>(column);
  if (status == Status::kOk) levels.rows_after_page = levels.rows_after_next;
  return status == Status::kEnd && levels.rows_left != 0 ? Status::kCorrupt : status;
}

}  // namespace microparquet::read
