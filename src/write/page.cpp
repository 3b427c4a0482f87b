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
#include "write/layout_ops.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::PageFields;
using detail::WriterState;

constexpr std::uint32_t kMaxVarint = 5;
constexpr std::uint32_t kMaxByVarints = 16;
static_assert(kMaxByVarints + 1 >= kMinPadding);

// Bytes in memory, one after another.
struct MemorySink {
  std::byte* at;

  void put_byte(unsigned value) { *at++ = static_cast<std::byte>(value); }
  void put(const std::uint32_t* word, std::size_t) {
    util::store(at, *word);
    at += sizeof *word;
  }
  void put_zeros(std::uint32_t bytes) {
    util::clear_bytes(at, bytes);
    at += bytes;
  }
};

// The fields of both structs are all of type i32, and their ids follow each other.
void write_header(std::byte* at, const PageFields& fields, std::uint32_t padding) {
  constexpr unsigned kI32 = 0x15;             // the next id, i32
  constexpr unsigned kDataPageHeader = 0x1C;  // the next id, struct
  constexpr unsigned kCrc = 3;
  constexpr unsigned kFields = sizeof fields / sizeof fields.type;
  const std::uint32_t* const numbers = &fields.type;
  std::uint32_t left = padding > kMaxByVarints ? 0 : padding;
  MemorySink sink{at};
  for (unsigned i = 0; i < kFields; ++i) {
    if (i == kCrc + 1) sink.put_byte(kDataPageHeader);
    sink.put_byte(kI32);
    std::uint32_t zigzag = numbers[i] << 1 ^ (0 - (numbers[i] >> 31));
    for (std::uint32_t bytes = 1; bytes < kMaxVarint; ++bytes, zigzag >>= 7) {
      if (zigzag < 0x80 &&
          i != kCrc) {  // the CRC always has five, so that the header's length is known before
        if (left == 0) break;
        --left;
      }
      sink.put_byte((zigzag & 0x7F) | 0x80);
    }
    sink.put_byte(zigzag);
  }
  sink.put_byte(0);
  if (padding > kMaxByVarints) put_padding(sink, padding);
  sink.put_byte(0);
}

// The first stage: the body lies from column.values to column.cursor.
PageFields end_body(ColumnWriter& column) {
  column.plan->encoder->finish(column);
  if (column.levels != nullptr) column.plan->levels->finish(column);
  constexpr auto kRle = static_cast<std::uint32_t>(EncodingId::kRle);
  const auto bytes = static_cast<std::uint32_t>(column.cursor - column.values);
  const std::uint32_t levels = column.row_count;  // no field repeats yet
  return {0, bytes, bytes, 0, levels, static_cast<std::uint32_t>(column.plan->encoder->id), kRle, kRle};
}

// The third stage: the header, which has `natural` bytes without padding, stands before the body, which is
// summed for it.
void put_header(WriterState& state, ColumnWriter& column, PageFields& fields, std::uint32_t natural) {
  std::byte* body = column.values;
  const std::uint32_t inside = state.plan->page_padding;
  const std::uint32_t padding = (0 - natural - fields.stored_bytes) & inside;  // up to the next sector
  const std::uint32_t header_bytes = natural + padding;
  if (inside != 0) {
    body = column.page + header_bytes;
    if (body != column.values) util::move_bytes(body, column.values, fields.stored_bytes);
  }
  fields.crc = state.options->checksum(0, body, fields.stored_bytes);
  std::byte* const header = body - header_bytes;
  column.page_state = detail::PageState::kSealed;
  column.sealed = header;
  column.sealed_bytes = header_bytes + fields.stored_bytes;
  write_header(header, fields, padding);
}

// All three stages. A function of its own, so that the fields are not on the stack beneath the storing.
[[gnu::noinline]] void seal_page(WriterState& state, ColumnWriter& column) {
  PageFields fields = end_body(column);
  std::uint32_t header_bytes = detail::page_header_bytes(fields.stored_bytes, fields.levels);
  if (const detail::ColumnTransform* const transforms = state.plan->transforms; transforms != nullptr)
    header_bytes += transforms->functions->transform_page(state, column, fields);
  put_header(state, column, fields, header_bytes);
  state.footer.now.pages_sum += page_sum(fields.crc, column.first_row);
}

}  // namespace

Status close_page(WriterState& state, ColumnWriter& column) {
  if (column.page_state != detail::PageState::kSealed) {
    column.row_count = state.rows - column.first_row;
    if (column.row_count == 0) return Status::kOk;
    seal_page(state, column);
  }
  return state.layout->store_page(state, column);
}

}  // namespace microparquet::write
