// A data page, version 1 (parquet.thrift, PageHeader and DataPageHeader):
//
//   header   Thrift, lengthened where pages are whole sectors
//   4 bytes  length of the definition levels, little-endian  } optional columns only
//   levels   RLE and bit-packed hybrid                       }
//   values   as their encoding made them
//
// The format forbids padding in the body, so a page becomes whole sectors through its header: by varints with
// continuation bytes that carry nothing, up to 16 bytes in all, which every reader takes; beyond that by the
// extension field 32767 (BinaryProtocolExtensions.md), which all but one skip.
#include "write/page.h"

#include <cstring>

#include "util/endian.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;

constexpr std::uint32_t kMaxVarint = 5;
constexpr std::uint32_t kMostByVarints = 16;
// Field header of 32767 (type binary; id in the long form), and a length in two bytes.
constexpr std::uint32_t kExtensionHeader = 6;
// What our extension in a page header begins with; the rest is zeros.
constexpr char kPaddingTag[4] = {'m', 'p', 'q', 'p'};
static_assert(kMostByVarints + 1 >= kExtensionHeader + sizeof kPaddingTag);

// Writes the header field by field, and uses up padding in the varints that may be longer.
class HeaderWriter {
 public:
  HeaderWriter(std::byte* at, std::uint32_t padding) : at_(at), padding_(padding) {}

  void byte(unsigned value) { *at_++ = static_cast<std::byte>(value); }

  void varint(std::uint32_t value) {
    std::uint32_t bytes = 1;
    for (; value >= 0x80; ++bytes, value >>= 7) byte((value & 0x7F) | 0x80);
    for (; bytes < kMaxVarint && padding_ != 0; ++bytes, --padding_, value = 0) byte(value | 0x80);
    byte(value);
  }

  // The next field of the struct, of type i32; `value` is not negative.
  void i32(std::uint32_t value) {
    byte(0x15);
    varint(value << 1);
  }

  // Always five bytes, so that the header's length does not hang on it.
  void crc(std::uint32_t crc) {
    byte(0x15);
    std::uint32_t zigzag = crc << 1 ^ (0 - (crc >> 31));
    for (unsigned i = 1; i < kMaxVarint; ++i, zigzag >>= 7) byte((zigzag & 0x7F) | 0x80);
    byte(zigzag);
  }

  void extension(std::uint32_t bytes) {
    byte(0x08);
    byte(0xFE);
    byte(0xFF);
    byte(0x03);
    const std::uint32_t length = bytes - kExtensionHeader;
    byte((length & 0x7F) | 0x80);
    byte(length >> 7);
    std::memset(at_, 0, length);
    std::memcpy(at_, kPaddingTag, sizeof kPaddingTag);
    at_ += length;
  }

 private:
  std::byte* at_;
  std::uint32_t padding_;
};

struct PageSizes {
  std::uint32_t raw;
  std::uint32_t stored;
  std::uint32_t values;
};

void write_header(std::byte* at, const PageSizes& sizes, std::uint32_t padding, std::uint32_t crc, EncodingId encoding) {
  const bool extended = padding > kMostByVarints;
  HeaderWriter header(at, extended ? 0 : padding);
  header.byte(0x15);  // type: data page
  header.byte(0);
  header.i32(sizes.raw);
  header.i32(sizes.stored);
  header.crc(crc);
  header.byte(0x1C);  // data_page_header
  header.i32(sizes.values);
  header.i32(static_cast<std::uint32_t>(encoding));
  header.i32(static_cast<std::uint32_t>(EncodingId::kRle));  // definition levels
  header.i32(static_cast<std::uint32_t>(EncodingId::kRle));  // repetition levels
  header.byte(0);
  if (extended) header.extension(padding);
  header.byte(0);
}

// Brings levels and values together at `body`. Moving down, the levels go first; moving up, the values.
void join_levels(ColumnWriter& column, std::byte* body, std::uint32_t level_bytes, std::uint32_t value_bytes) {
  const auto move_levels = [&] {
    if (level_bytes == 0) return;
    const std::uint32_t length = level_bytes - 4;
    std::memmove(body + 4, column.levels->begin, length);
    util::store(body, length);
  };
  const bool down = body < column.page + column.header_bytes;
  if (down) move_levels();
  if (column.values != body + level_bytes) std::memmove(body + level_bytes, column.values, value_bytes);
  if (!down) move_levels();
}

}  // namespace

void seal_page(ColumnWriter& column, std::uint32_t rows, const Options& options) {
  column.field->encoding->finish(column);
  std::uint32_t level_bytes = 0;
  if (column.levels != nullptr) {
    column.levels->finish();
    level_bytes = 4 + static_cast<std::uint32_t>(column.levels->cursor - column.levels->begin);
    column.nulls += column.levels->nulls;
  }
  const auto value_bytes = static_cast<std::uint32_t>(column.cursor - column.values);
  const std::uint32_t body_bytes = level_bytes + value_bytes;
  const PageSizes sizes{body_bytes, body_bytes, rows};
  const std::uint32_t natural = detail::page_header_bytes(sizes.raw, sizes.stored, sizes.values);

  std::byte* header = column.page;
  std::uint32_t padding = 0;
  if (options.whole_sectors && options.layout->in_place) {
    padding = detail::round_up(natural + body_bytes, detail::kSectorBytes) - natural - body_bytes;
  } else {
    header += column.header_bytes - natural;
  }
  std::byte* const body = header + natural + padding;
  join_levels(column, body, level_bytes, value_bytes);
  write_header(header, sizes, padding, options.crc32(0, body, body_bytes), column.field->encoding->id());
  column.sealed = header;
  column.sealed_bytes = natural + padding + body_bytes;
}

}  // namespace microparquet::write
