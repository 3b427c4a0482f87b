// Compressed pages. The first compressor that a program names links this file.
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
  const std::byte* const body = column.values;
  column.values = write::page_memory(state, *compressor);
  fields.stored_bytes = write::compress(state, *compressor, body, fields.uncompressed_bytes, column.values);
  return write::place_transformed(state, column, fields);
}

std::uint64_t describe_transformed(const WriterState& state, const ColumnWriter& column, ChunkForm& form) {
  const Compressor* const compressor = compressor_of(state, column);
  if (compressor != nullptr) form.codec = static_cast<std::uint32_t>(compressor->id());
  const TransformedChunk& chunk = chunk_of(state, column);
  form.add_dictionary(chunk.dictionary_bytes);
  return chunk.saved_bytes;
}

std::uint32_t least_compressed_page(const WriterState& state, const ColumnWriter& column) {
  if (compressor_of(state, column) == nullptr) return 0;
  return write::has_tails(state, column) ? write::kLeastTailedPage : column.plan->page_bytes;
}

void compress_dictionary(const WriterState& state, const ColumnWriter& column, Span<const std::byte>& body) {
  const Compressor* const compressor = compressor_of(state, column);
  if (compressor == nullptr) return;
  std::byte* const to = write::page_memory(state, *compressor);
  body = {to, write::compress(state, *compressor, body.data(), static_cast<std::uint32_t>(body.size()), to)};
}

}  // namespace microparquet::detail

namespace microparquet::write {
namespace {

// Gives up the rest of an extent if it is shorter than a page: it may be too short for the growth of a page.
// In forward mode columns have no extents.
void give_up_short_page(detail::ColumnWriter& column, std::uint32_t bytes) {
  const std::uint32_t end = column.chunk_bytes + bytes;
  if (column.extent_bytes - end < column.plan->page_bytes) column.extent_bytes = end;
}

}  // namespace

std::uint32_t compress(const detail::WriterState& state, const Compressor& compressor, const std::byte* body,
                       std::uint32_t bytes, std::byte* to) {
  return compressor.compress_page({body, bytes}, {to, compressor.growth().most_bytes(bytes)},
                                  compressor_memory(state, compressor));
}

std::byte* header_place(const detail::WriterState& state, const detail::ColumnWriter& column) {
  return has_tails(state, column) ? buffer_of(column) + tail_of(column) : column.page;
}

std::uint32_t header_bytes(const detail::SealingPage& fields, std::uint32_t body_bytes) {
  return format::page_header_bytes(body_bytes, fields.levels);
}

// Places the body in the page, which always has space: room for the compressor's growth is kept free. A chunk
// begins with its first data page.
std::uint32_t place_transformed(detail::WriterState& state, detail::ColumnWriter& column,
                                detail::SealingPage& fields) {
  const std::uint32_t before = fields.uncompressed_bytes;
  const std::uint32_t bytes = fields.stored_bytes;
  // Only one of the header's two sizes has changed.
  const std::uint32_t natural = header_bytes(fields, before);
  const std::int32_t longer = static_cast<std::int32_t>(header_bytes(fields, bytes) - natural) / 2;
  const std::uint32_t header = natural + static_cast<std::uint32_t>(longer);
  std::byte* const body = header_place(state, column) + header;
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
    give_up_short_page(column, (header + bytes + fields.padding) & ~fields.padding);
  }
  return static_cast<std::uint32_t>(longer);
}

}  // namespace microparquet::write
