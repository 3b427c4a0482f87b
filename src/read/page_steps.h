// Going from page to page of a column chunk. Templates keep columns with and without repetition apart, and a
// program links only the kind its columns need. `Pages` has the differences:
//
//   static constexpr bool kFlat                                 without repetition
//   static Status begin_body(ColumnCursor&, const PageHeader&)  the page is next in the window
//   static void begin_levels(ColumnCursor&, std::uint32_t count)
#pragma once

#include <cstdint>

#include "base/endian.h"
#include "base/try.h"
#include "encoding/padding.h"
#include "format/desktop/usual_page_header.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/reader.h"
#include "microparquet/status.h"
#include "read/page.h"

namespace microparquet::read {

// Some files have repetition levels in a column without repetition: one run, no longer than this.
inline constexpr std::uint32_t kMostRepetitionBytes = 16;

// Returns whether the page holds values of rows.
inline bool is_data(const format::PageHeader& header) {
  return header.type == format::PageType::kData || header.type == format::PageType::kDataV2;
}

// Returns null if no decoder in the options reads this encoding in a column of this type.
inline const Decoder* find_decoder(const detail::ColumnCursor& column, std::uint32_t encoding) {
  if (encoding >= EncodingSet::kEnd) return nullptr;
  const auto id = static_cast<EncodingId>(encoding);
  for (const Decoder* decoder : column.reader->options->decoders) {
    if (decoder->supports(id) && decoder->supports(column.type)) return decoder;
  }
  return nullptr;
}

// Offers the dictionary page to the decoder of RLE_DICTIONARY pages; without one the page is ignored.
inline Status begin_dictionary(detail::ColumnCursor& column, const format::PageHeader& header) {
  const Decoder* const decoder = find_decoder(column, static_cast<std::uint32_t>(EncodingId::kRleDictionary));
  return decoder != nullptr ? decoder->take_dictionary(column, header) : Status::kOk;
}

// Extends the window's limit up to the end of a page. A chunk ends with its rows; some writers state its size
// too small, and the reader uses the size only to limit reading ahead. A page that begins within the stated
// size belongs to the chunk as a whole.
inline Status reach(detail::ColumnCursor& column, std::uint64_t end) {
  if (end <= column.window.limit) return Status::kOk;
  if (end > column.reader->footer_begin) return Status::kCorrupt;
  column.window.limit = end;
  return Status::kOk;
}

// Checks that the page ends after its values, or that padding follows them.
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
  // A wrong number of values would turn the padding of the levels into nulls: if the column has levels, the
  // chunk must end with this page.
  if (column.chunk_rows < rows) {
    if (column.levels != nullptr && column.window.limit != end) return Status::kCorrupt;
    rows = static_cast<std::uint32_t>(column.chunk_rows);
  }
  const bool v2 = header.type == format::PageType::kDataV2;
  if constexpr (Pages::kFlat) {
    // Without repetition each row has one value, and a required column has no definition levels.
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

// Reads the next header; if the file lies in memory, it parses the header there.
inline Status read_header(detail::ColumnCursor& column, format::PageHeader& header) {
  if constexpr (detail::kDesktop) {
    const std::byte* const image = column.reader->image;
    const std::uint64_t begin = column.window.position();
    const std::uint64_t limit = column.window.limit;
    if (image != nullptr && begin < limit && limit - begin >= format::kMostUsualHeader &&
        format::read_usual_page_header(image + static_cast<std::size_t>(begin), header)) {
      column.window.restart_at(begin + header.header_bytes, limit);
      return Status::kOk;
    }
  }
  return format::read_page_header(column.window, header);
}

// Opens the next page. Passes a page of another kind, or one without rows.
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

// Implements next_page().
template <typename Pages>
Status next_page_of(detail::ColumnCursor& column) {
  if (!column.ends_in_padding) MICROPARQUET_TRY(check_rest(column));
  column.window.capacity = column.window_bytes();
  while (column.page_rows == 0) {
    if (column.chunk_rows == 0) return Status::kEnd;
    if constexpr (detail::kDesktop) {
      // A window on a file in memory copies nothing but headers.
      constexpr std::uint32_t kHeaderBytes = 128;  // that most page headers fit in
      if (column.reader->image != nullptr && column.window.capacity > kHeaderBytes)
        column.window.cut(kHeaderBytes);
    }
    column.window.seek(column.next_page, column.window.limit);
    const Status status = begin_page<Pages>(column);
    if (status == Status::kOk) continue;
    // A repeated call begins the page again.
    column.drop_body();
    return status;
  }
  return Status::kOk;
}

}  // namespace microparquet::read
