// From page to page of a column chunk, for columns without repetition and with it: as templates, so that a
// program has what its columns need. `Pages` says what is different of them:
//
//   static constexpr bool kFlat                                 without repetition
//   static Status begin_body(ColumnCursor&, const PageHeader&)  the page is next in the window
//   static void begin_levels(ColumnCursor&, std::uint32_t count)
#pragma once

#include <cstdint>

#include "base/endian.h"
#include "base/try.h"
#include "encoding/padding.h"
#include "format/usual_page_header.h"
#include "microparquet/decoder.h"
#include "microparquet/reader.h"
#include "microparquet/status.h"
#include "read/page.h"

namespace microparquet::read {

// Repetition levels of a column without repetition, which some files have all the same: one run.
inline constexpr std::uint32_t kMostRepetitionBytes = 16;

// Whether the page has values of rows.
inline bool is_data(const format::PageHeader& header) {
  return header.type == format::PageType::kData || header.type == format::PageType::kDataV2;
}

// Null: no decoder named reads the encoding in a column of this type.
inline const Decoder* find_decoder(const detail::ColumnCursor& column, std::uint32_t encoding) {
  if (encoding >= EncodingSet::kEnd) return nullptr;
  const auto id = static_cast<EncodingId>(encoding);
  for (const Decoder* decoder : column.reader->options->decoders) {
    if (decoder->supports(id) && decoder->supports(column.type)) return decoder;
  }
  return nullptr;
}

// The decoder of the pages that need the dictionary takes it.
inline Status begin_dictionary(detail::ColumnCursor& column, const format::PageHeader& header) {
  const Decoder* const decoder = find_decoder(column, static_cast<std::uint32_t>(EncodingId::kRleDictionary));
  return decoder != nullptr ? decoder->take_dictionary(column, header) : Status::kOk;
}

// A chunk ends with its rows. Its size, which some writers state too small, says how far to read ahead: a
// page that begins before its end belongs to it wholly.
inline Status reach(detail::ColumnCursor& column, std::uint64_t end) {
  if (end <= column.window.limit) return Status::kOk;
  if (end > column.reader->footer_begin) return Status::kCorrupt;
  column.window.limit = end;
  return Status::kOk;
}

// After its values a page ends, or has padding.
inline Status check_rest(detail::ColumnCursor& column) {
  const auto rest = static_cast<std::uint32_t>(column.available() + column.body_beyond);
  if (rest == 0) return Status::kOk;
  if (rest != encoding::kPadding) return Status::kCorrupt;
  MICROPARQUET_TRY(column.load(rest));
  return util::load<std::uint64_t>(column.cursor) == 0 ? Status::kOk : Status::kCorrupt;
}

template <typename Pages>
Status begin_data_page(detail::ColumnCursor& column, const format::PageHeader& header, std::uint64_t end) {
  std::uint32_t rows = header.values;
  // A wrong number would make nulls of the levels' padding: with levels, the chunk's bytes have to end there.
  if (column.chunk_rows < rows) {
    if (column.levels != nullptr && column.window.limit != end) return Status::kCorrupt;
    rows = static_cast<std::uint32_t>(column.chunk_rows);
  }
  const bool v2 = header.type == format::PageType::kDataV2;
  if constexpr (Pages::kFlat) {
    // Without repetition a value is a row, and a required one has no definition level.
    if (v2 && (header.rows != header.values || header.repetition_bytes > kMostRepetitionBytes))
      return Status::kCorrupt;
    if (column.levels == nullptr && header.definition_bytes != 0) return Status::kCorrupt;
  }
  column.decoder = find_decoder(column, header.encoding);
  if (column.decoder == nullptr) return column.refuse(FailureReason::kEncoding, header.encoding);

  MICROPARQUET_TRY(Pages::begin_body(column, header));
  Pages::begin_levels(column, header.values);
  column.reason = FailureReason::kValues;
  column.ends_in_padding = rows != header.values;
  MICROPARQUET_TRY(column.decoder->begin_page(PageInput(column), header.values));
  column.page_rows = rows;
  column.chunk_rows -= rows;
  ++column.reader->pages_read;
  if (is_checked(column, header)) ++column.reader->pages_checked;
  return Status::kOk;
}

// Reads the header that is next: of a file that lies in memory, where it is.
inline Status read_header(detail::ColumnCursor& column, format::PageHeader& header) {
#ifndef __OPTIMIZE_SIZE__
  if (const std::byte* const image = column.reader->image; image != nullptr) {
    const std::uint64_t begin = column.window.position();
    const std::uint64_t limit = column.window.limit;
    if (begin < limit && limit - begin >= format::kMostUsualHeader &&
        format::read_usual_page_header(image + static_cast<std::size_t>(begin), header)) {
      column.window.restart_at(begin + header.header_bytes, limit);
      return Status::kOk;
    }
  }
#endif
  return format::read_page_header(column.window, header);
}

// Pages of other kinds, and those without rows, are passed over.
template <typename Pages>
Status begin_page(detail::ColumnCursor& column) {
  MICROPARQUET_TRY(column.chunk_status);
  column.reason = FailureReason::kPageHeader;
  format::PageHeader header;
  MICROPARQUET_TRY(read_header(column, header));
  const std::uint64_t end = column.window.position() + header.compressed_bytes;
  MICROPARQUET_TRY(reach(column, end));
  if (header.type == format::PageType::kDictionary) MICROPARQUET_TRY(begin_dictionary(column, header));
  if (is_data(header) && header.values != 0) MICROPARQUET_TRY(begin_data_page<Pages>(column, header, end));
  column.next_page = end;
  column.crc = 0;
  column.summed = 0;
  return Status::kOk;
}

// See next_page().
template <typename Pages>
Status next_page_of(detail::ColumnCursor& column) {
  if (!column.ends_in_padding) MICROPARQUET_TRY(check_rest(column));
  column.window.capacity = column.window_bytes();
  while (column.page_rows == 0) {
    if (column.chunk_rows == 0) return Status::kEnd;
#ifndef __OPTIMIZE_SIZE__
    // Of a file that lies in memory nothing else is to be copied.
    constexpr std::uint32_t kHeaderBytes = 128;  // that most page headers fit in
    if (column.reader->image != nullptr && column.window.capacity > kHeaderBytes)
      column.window.cut(kHeaderBytes);
#endif
    column.window.seek(column.next_page, column.window.limit);
    const Status status = begin_page<Pages>(column);
    if (status == Status::kOk) continue;
    // The page is begun again when the call is repeated.
    column.drop_body();
    return status;
  }
  return Status::kOk;
}

}  // namespace microparquet::read
