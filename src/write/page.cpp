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

#include "base/bytes.h"
#include "base/endian.h"
#include "format/page_padding.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;

constexpr std::uint32_t kMaxVarint = 5;
constexpr std::uint32_t kMaxByVarints = 16;
static_assert(kMaxByVarints + 1 >= kMinPadding);

std::byte* put_byte(std::byte* at, unsigned value) {
  *at = static_cast<std::byte>(value);
  return at + 1;
}

// An extension of `bytes` bytes, its field header included.
std::byte* put_padding_field(std::byte* at, std::uint32_t bytes) {
  const std::uint32_t length = bytes - kPaddingHeader;
  util::store(at, kPaddingField);
  at = put_byte(at + sizeof kPaddingField, (length & 0x7F) | 0x80);
  at = put_byte(at, length >> 7);
  util::clear_bytes(at, length);
  util::store(at, kPaddingTag);
  return at + length;
}

// All fields of both structs are of type i32, and their ids follow each other.
void write_header(std::byte* at, std::uint32_t body_bytes, std::uint32_t level_count, std::uint32_t padding,
                  std::uint32_t crc, EncodingId encoding) {
  constexpr unsigned kI32 = 0x15;             // the next id, i32
  constexpr unsigned kDataPageHeader = 0x1C;  // the next id, struct
  constexpr unsigned kCrc = 3;
  constexpr auto kRle = static_cast<std::uint32_t>(EncodingId::kRle);
  // Size before compression and after it, and so on.
  const std::uint32_t fields[] = {
      0, body_bytes, body_bytes, crc, level_count, static_cast<std::uint32_t>(encoding), kRle, kRle};
  std::uint32_t left = padding > kMaxByVarints ? 0 : padding;
  for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; ++i) {
    if (i == kCrc + 1) at = put_byte(at, kDataPageHeader);
    at = put_byte(at, kI32);
    std::uint32_t zigzag = fields[i] << 1 ^ (0 - (fields[i] >> 31));
    for (std::uint32_t bytes = 1; bytes < kMaxVarint; ++bytes, zigzag >>= 7) {
      if (zigzag < 0x80 &&
          i != kCrc) {  // the CRC always has five, so that the header's length is known before
        if (left == 0) break;
        --left;
      }
      at = put_byte(at, (zigzag & 0x7F) | 0x80);
    }
    at = put_byte(at, zigzag);
  }
  at = put_byte(at, 0);
  if (padding > kMaxByVarints) at = put_padding_field(at, padding);
  put_byte(at, 0);
}

}  // namespace

std::uint32_t seal_page(ColumnWriter& column, const Options& options) {
  column.plan->encoder->finish(column);
  if (column.levels != nullptr) column.plan->levels->finish(column);
  const auto body_bytes = static_cast<std::uint32_t>(column.cursor - column.values);
  const std::uint32_t level_count = column.row_count;  // no field repeats yet
  const std::uint32_t natural = detail::page_header_bytes(body_bytes, level_count);

  std::byte* header = column.page;
  std::uint32_t padding = 0;
  if (options.whole_sectors && options.layout->in_place) {
    padding = detail::bytes_to_sector(natural + body_bytes);
  } else {
    header += column.plan->header_bytes - natural;
  }
  std::byte* const body = header + natural + padding;
  if (body != column.values)
    util::move_bytes(body, column.values, body_bytes);  // levels, or a page that is not full
  const std::uint32_t crc = options.checksum(0, body, body_bytes);
  write_header(header, body_bytes, level_count, padding, crc, column.plan->encoder->id);
  column.page_state = detail::PageState::kSealed;
  column.sealed = header;
  column.sealed_bytes = natural + padding + body_bytes;
  return crc;
}

}  // namespace microparquet::write
