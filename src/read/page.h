// Moving from page to page of a column chunk.
#pragma once

#include <cstdint>

#include "base/endian.h"
#include "base/try.h"
#include "encoding/padding.h"
#include "format/desktop/usual_page_header.h"
#include "format/page_header_reader.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/reader.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Going from page to page of a column chunk.

// Goes to the next page that has rows, passing pages of other kinds. The caller must have read all of the
// current page. Repeat a call that failed: it begins the same page again.
// - kEnd: the chunk has no more rows
// - kCorrupt: there are bytes after the last value of the page
Status next_page(detail::ColumnCursor& column);

// Returns whether the page has a checksum and the options ask for its comparison.
inline bool is_checked(const detail::ColumnCursor& column, const format::PageHeader& header) {
  return header.has_crc && column.reader->options->checksum != nullptr;
}

// Compares the checksum of the page that is next in the window, if it has one; the window stays before the
// page. A page larger than the window is read through it, and a repeated call continues where the file
// failed.
// - kCorrupt: the checksum is wrong
Status check_crc(detail::ColumnCursor& column, const format::PageHeader& header);

// Opens the definition levels at the current place of the page for the level decoder, and passes them.
// - kCorrupt: they are longer than the page
Status open_levels(detail::ColumnCursor& column, const format::PageHeader& header);

// Opens `count` levels in an encoding other than RLE.
// - kUnsupported: the options do not say how to read it
Status open_other_levels(detail::ColumnCursor& column, detail::LevelDecoder& levels, std::uint32_t encoding,
                         std::uint32_t count);

// Opens the page that is next in the window, decompressed and past its levels.
Status begin_body(detail::ColumnCursor& column, const format::PageHeader& header);

// Going from page to page of a column chunk. Templates keep columns with and without repetition apart, and a
// program links only the kind its columns need. `Pages` has the differences:
//
//   static constexpr bool kFlat                                 without repetition
//   static Status begin_body(ColumnCursor&, const PageHeader&)  the page is next in the window
//   static void begin_levels(ColumnCursor&, std::uint32_t count)

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
      constexpr std::uint32_t kHeaderBytes = 128;  // fits most page headers
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

// Passing a page by its header alone.

// Reads the header of the next page, and passes the whole page if all(header) says so, without reading its
// body. Otherwise the column stays where it was: next_page() or next_repeated_page() opens the page, or
// reports what is wrong.
template <typename All>
Status pass_page(detail::ColumnCursor& column, format::PageHeader& header, bool& passed, All all) {
  passed = false;
  detail::Window& window = column.window;
  // Opening the next page reports errors of the page before.
  if (column.available() != 0 || column.body_beyond != 0) return Status::kOk;
  MICROPARQUET_TRY(column.chunk_status);
  column.reason = FailureReason::kPageHeader;
  window.capacity = column.window_bytes();
  window.seek(column.next_page, window.limit);
  MICROPARQUET_TRY(format::read_page_header(window, header));
  if (header.values > column.chunk_rows || !all(header)) return Status::kOk;
  if (window.skip(header.compressed_bytes) != Status::kOk) return Status::kOk;
  passed = true;
  column.chunk_rows -= header.values;
  column.next_page = window.position();
  column.crc = 0;
  column.summed = 0;
  return Status::kOk;
}

// Continuing after a corrupt page.

// Returns whether the file itself is wrong: repeating the call gives the same status.
inline bool is_damage(Status status) { return status == Status::kCorrupt || status == Status::kUnsupported; }

// Leaves the corrupt page, and walks the headers of the pages after it up to the end of the chunk. Headers
// have no checksum, and one wrong number of values would shift all later rows: therefore the headers together
// must account for exactly the values that are left. Afterwards the column stands before the page that
// follows the corrupt one. Repeat it after a failure of the file.
// - kCorrupt: the headers have more or fewer values
Status walk_headers(detail::ColumnCursor& column);

// Continues there, or at the end of the chunk.
void leave_corrupt(detail::ColumnCursor& column, bool headers_are_right);

}  // namespace microparquet::read
