#include "read/page.h"

#include "base/endian.h"
#include "base/try.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/reader.h"
#include "read/page_steps.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;
using detail::Window;
using format::PageHeader;
using format::PageType;

// Begins an uncompressed page. A page that exceeds the window only by its header's bytes is moved down by
// them, which saves reading it twice.
Status begin_stored(ColumnCursor& column, const PageHeader& header) {
  if (header.compressed_bytes != header.uncompressed_bytes) return Status::kCorrupt;
  if (header.compressed_bytes <= column.window.capacity)
    MICROPARQUET_TRY(column.window.fill(header.compressed_bytes));
  MICROPARQUET_TRY(check_crc(column, header));
  column.begin_body(header.compressed_bytes);
  return open_levels(column, header);
}

struct FlatPages {
  static constexpr bool kFlat = true;
  static Status begin_body(ColumnCursor& column, const PageHeader& header) {
    return read::begin_body(column, header);
  }
  static void begin_levels(ColumnCursor& column, std::uint32_t count) {
    if (column.levels != nullptr) column.levels->begin(count);
  }
};

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

Status open_other_levels(ColumnCursor& column, detail::LevelDecoder& levels, std::uint32_t encoding,
                         std::uint32_t count) {
  LevelReader* const read = column.reader->options->bit_packed_levels;
  if (read == nullptr || encoding != static_cast<std::uint32_t>(EncodingId::kBitPacked))
    return column.refuse(FailureReason::kLevelEncoding, encoding);
  return read(PageInput(column), levels, count);
}

// Opens the definition levels. The header of a V2 page has their length; a V1 page has it before the levels.
// Some V2 pages hold repetition levels of columns without repetition, which are passed.
Status open_levels(ColumnCursor& column, const PageHeader& header) {
  if (header.type == PageType::kDictionary) return Status::kOk;
  column.reason = FailureReason::kLevels;
  std::uint32_t before = header.repetition_bytes;
  if (header.type == PageType::kData) {
    if (column.levels == nullptr) return Status::kOk;
    if (header.level_encoding != static_cast<std::uint32_t>(EncodingId::kRle))
      return open_other_levels(column, *column.levels, header.level_encoding, header.values);
    before = encoding::kLengthBytes;
  }
  MICROPARQUET_TRY(column.load(before));
  std::uint32_t bytes = header.definition_bytes;
  if (header.type == PageType::kData) bytes = util::load<std::uint32_t>(column.cursor);
  column.cursor += before;
  if (column.levels == nullptr) return Status::kOk;
  return column.open_stream(bytes, detail::level_share(column.window.capacity), column.levels->bytes);
}

Status begin_body(ColumnCursor& column, const PageHeader& header) {
  return column.decompressor != nullptr ? column.decompressor->begin_page(column, header)
                                        : begin_stored(column, header);
}

Status next_page(ColumnCursor& column) { return next_page_of<FlatPages>(column); }

}  // namespace microparquet::read
