// Pages that are compressed: linked with the first compressor, or encoder of a dictionary, that a program names.
#include "write/page_transform.h"

#include "base/bytes.h"
#include "format/page_header_writer.h"
#include "format/row_group.h"
#include "write/page.h"

namespace microparquet::detail {
namespace {

using format::PageFields;
using write::chunk_of;
using write::compressor_of;

// The body goes back to its buffer, right after the header's place: there is space for it, since what it may
// grow by is kept free.
std::uint32_t compress_page(const WriterState& state, ColumnWriter& column, PageFields& fields,
                            const Compressor& compressor) {
  const std::uint32_t before = fields.uncompressed_bytes;
  const Span<const std::byte> output =
      write::compress(state, compressor, Span<const std::byte>(column.values, before));
  const auto bytes = static_cast<std::uint32_t>(output.size());
  fields.stored_bytes = bytes;
  column.values = column.page + format::page_header_bytes(bytes > before ? bytes : before, fields.levels);
  column.cursor = column.values + bytes;
  util::move_bytes(column.values, output.data(), bytes);
  return varint_bytes(bytes * 2) - varint_bytes(before * 2);
}

struct TransformedChunks {
  using Bytes = std::uint64_t;

  const WriterState& state;

  void put_head(thrift::WindowSink& sink, const ColumnWriter& column) const {
    write::put_chunk_head(sink, state, column);
  }
  CodecId codec(const ColumnWriter& column) const {
    const Compressor* const compressor = compressor_of(state, column);
    return compressor != nullptr ? compressor->id() : CodecId::kUncompressed;
  }
  std::uint64_t uncompressed_bytes(const ColumnWriter& column) const {
    return column.chunk_bytes + dictionary_bytes(column) + chunk_of(state, column).saved_bytes;
  }
  std::uint32_t dictionary_bytes(const ColumnWriter& column) const {
    return chunk_of(state, column).dictionary_bytes;
  }
};

}  // namespace

// A chunk begins with its first data page.
std::uint32_t transform_page(WriterState& state, ColumnWriter& column, PageFields& fields) {
  TransformedChunk& chunk = chunk_of(state, column);
  if (column.chunk_bytes == 0) chunk.saved_bytes = 0;
  note_page_encoding(state, column, fields);
  const Compressor* const compressor = compressor_of(state, column);
  if (compressor == nullptr) return 0;
  const std::uint32_t longer = compress_page(state, column, fields, *compressor);
  chunk.saved_bytes += std::uint64_t{fields.uncompressed_bytes} - fields.stored_bytes;
  return longer;
}

void write_transformed_row_group(thrift::WindowSink& sink, const WriterState& state) {
  format::write_row_group_of(sink, state, TransformedChunks{state});
}

}  // namespace microparquet::detail

namespace microparquet::write {

Span<const std::byte> compress(const detail::WriterState& state, const Compressor& compressor,
                               Span<const std::byte> body) {
  // What compressors need beside their input and output.
  const Span<std::byte> scratch(
      transform_memory(state) + state.plan->columns_count * sizeof(detail::TransformedChunk),
      compressor.scratch_bytes());
  const Span<std::byte> output(scratch.data() + detail::align8(scratch.size()),
                               compressor.growth().most_bytes(static_cast<std::uint32_t>(body.size())));
  return Span<const std::byte>(output.data(), compressor.compress(body, output, scratch));
}

}  // namespace microparquet::write
