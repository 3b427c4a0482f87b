// Pages that are compressed: linked with the first compressor that a program names.
#include "write/page_transform.h"

#include "base/bytes.h"
#include "format/page_header_writer.h"
#include "format/row_group.h"
#include "write/page.h"

namespace microparquet::detail {

using write::chunk_of;
using write::compressor_of;

std::uint32_t transform_page(WriterState& state, ColumnWriter& column, SealingPage& fields) {
  const Compressor* const compressor = compressor_of(state, column);
  if (compressor == nullptr) return note_page_encoding(state, column, fields);
  const Span<const std::byte> body(column.values, fields.uncompressed_bytes);
  column.values = write::page_memory(state, *compressor);
  fields.stored_bytes = write::compress(state, *compressor, body, column.values);
  return write::place_transformed(state, column, fields);
}

std::uint64_t describe_transformed(const WriterState& state, const ColumnWriter& column, ChunkForm& form) {
  const Compressor* const compressor = compressor_of(state, column);
  if (compressor != nullptr) form.codec = static_cast<std::uint32_t>(compressor->id());
  form.add_dictionary(chunk_of(state, column).dictionary_bytes);
  return chunk_of(state, column).saved_bytes;
}

Span<const std::byte> compress_dictionary(const WriterState& state, const ColumnWriter& column,
                                          Span<const std::byte> body) {
  const Compressor* const compressor = compressor_of(state, column);
  if (compressor == nullptr) return body;
  std::byte* const to = write::page_memory(state, *compressor);
  return {to, write::compress(state, *compressor, body, to)};
}

}  // namespace microparquet::detail

namespace microparquet::write {
namespace {

// What is left of an extent after a page of `bytes` bytes, if less than a page, may be less than what is kept for growth.
// In forward mode columns have no extents.
void give_up_short_page(detail::ColumnWriter& column, std::uint32_t bytes) {
  const std::uint32_t end = column.chunk_bytes + bytes;
  if (column.extent_bytes - end < column.plan->page_bytes) column.extent_bytes = end;
}

}  // namespace

std::uint32_t compress(const detail::WriterState& state, const Compressor& compressor,
                       Span<const std::byte> body, std::byte* to) {
  const std::uint32_t most = compressor.growth().most_bytes(static_cast<std::uint32_t>(body.size()));
  return compressor.compress(body, {to, most}, compressor_memory(state, compressor));
}

// There is space in the page, since what it may grow by is kept free. A chunk begins with its first data page.
std::uint32_t place_transformed(detail::WriterState& state, detail::ColumnWriter& column,
                                detail::SealingPage& fields) {
  const std::uint32_t before = fields.uncompressed_bytes;
  const std::uint32_t bytes = fields.stored_bytes;
  const std::uint32_t longer = detail::varint_bytes(bytes * 2) - detail::varint_bytes(before * 2);
  const std::uint32_t header_bytes = format::page_header_bytes(before, fields.levels) + longer;
  std::byte* const body = header_place(state, column) + header_bytes;
  if (body != column.values) util::move_bytes(body, column.values, bytes);
  column.values = body;
  column.cursor = body + bytes;
  detail::TransformedChunk& chunk = chunk_of(state, column);
  if (column.chunk_bytes == 0) chunk.saved_bytes = 0;
  detail::note_page_encoding(state, column, fields);
  chunk.saved_bytes += std::uint64_t{before} - bytes;
  if (has_tails(state, column)) {
    fields.padding = 0;
  } else {
    give_up_short_page(column, (header_bytes + bytes + fields.padding) & ~fields.padding);
  }
  return longer;
}

}  // namespace microparquet::write
