// A data page, version 1 (parquet.thrift):
//
//   header   format/page_header.h, lengthened where pages are whole sectors
//   4 bytes  length of the repetition levels, little-endian  } arrays and lists only
//   levels   RLE and bit-packed hybrid                       }
//   4 bytes  length of the definition levels                 } these, and optional columns
//   levels   as before                                       }
//   values   as their encoding made them
#include "write/page.h"

#include "base/bytes.h"
#include "format/page_header_writer.h"
#include "write/desktop/borrowed_values.h"
#include "write/layout_ops.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::SealingPage;
using detail::WriterState;

// First stage: ends the body, which then lies from column.values to column.cursor.
SealingPage end_body(ColumnWriter& column) {
  column.plan->encoder->finish(column);
  if (column.levels != nullptr) column.plan->levels->finish(column);
  constexpr auto kRle = static_cast<std::uint32_t>(EncodingId::kRle);
  const auto bytes = static_cast<std::uint32_t>(column.cursor - column.values);
  const std::uint32_t levels = column.row_count;  // the encoder of an array or list counts slots from here on
  return {{0, bytes, bytes, 0, levels, static_cast<std::uint32_t>(column.plan->encoder->id), {kRle}, {kRle}},
          0};
}

// Third stage: puts the header, `natural` bytes without padding, before the body, and sums the body for it.
void put_header(const WriterState& state, ColumnWriter& column, SealingPage& fields, std::uint32_t natural) {
  std::byte* body = column.values;
  const std::uint32_t inside = fields.padding;
  const std::uint32_t padding = (0 - natural - fields.stored_bytes) & inside;  // bytes up to the next sector
  const std::uint32_t header_bytes = natural + padding;
  if (inside != 0) {
    body = column.page + header_bytes;
    if (body != column.values && !are_borrowed(column))
      util::move_bytes(body, column.values, fields.stored_bytes);
  }
  fields.crc = state.options->checksum(0, are_borrowed(column) ? column.values : body, fields.stored_bytes);
  std::byte* const header = body - header_bytes;
  column.page_state = detail::PageState::kSealed;
  column.sealed = header;
  column.sealed_bytes = header_bytes + fields.stored_bytes;
  format::write_page_header(header, fields, padding);
}

}  // namespace

// Runs all three stages. noinline: `fields` is off the stack before store_page() runs.
[[gnu::noinline]] void seal_page(WriterState& state, ColumnWriter& column) {
  SealingPage fields = end_body(column);
  std::uint32_t header_bytes = format::page_header_bytes(fields.stored_bytes, fields.levels);
  fields.padding = state.plan->page_padding;
  if (const detail::ColumnTransforms* const transforms = state.plan->transforms; transforms != nullptr)
    header_bytes += transforms->functions->transform_page(state, column, fields);
  put_header(state, column, fields, header_bytes);
  state.footer.now.pages_sum += page_sum(fields.crc, column.first_row);
}

Status close_page(WriterState& state, ColumnWriter& column) {
  if (column.page_state != detail::PageState::kSealed) {
    column.row_count = state.rows - column.first_row;
    if (column.row_count == 0) return Status::kOk;
    seal_page(state, column);
  }
  return state.layout->store_page(state, column);
}

}  // namespace microparquet::write
