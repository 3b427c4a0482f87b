// Pages that have other encodings than their neighbours: linked with the first encoder of several encodings, or
// compressor, that a program names.
#include "format/page_header_writer.h"
#include "format/row_group.h"
#include "write/page.h"
#include "write/page_transform.h"

namespace microparquet::write {

void put_chunk_head(thrift::WindowSink& sink, const detail::WriterState& state,
                    const detail::ColumnWriter& column) {
  using Chunk = format::ColumnChunkField;
  using Meta = format::ColumnMetaDataField;
  using thrift::CompactType;
  const std::uint32_t encodings =
      encodings_of(state, column).encodings | 1U << static_cast<unsigned>(EncodingId::kRle);
  thrift::CompactWriter out(sink);
  out.field_i64(Chunk::kFileOffset, 0);
  out.field_struct(Chunk::kMetaData);
  out.field_i32(Meta::kType, static_cast<std::int32_t>(column.plan->shape.type));
  std::uint32_t count = 0;
  for (std::uint32_t left = encodings; left != 0; left &= left - 1) ++count;
  out.field_list(Meta::kEncodings, CompactType::kI32, count);
  for (unsigned id = 0; id < EncodingSet::kEnd; ++id) {
    if ((encodings >> id & 1) != 0) sink.put_byte(format::zigzag(id));
  }
  sink.put_byte(thrift::field_byte(Meta::kPathInSchema, CompactType::kList, Meta::kEncodings));
}

}  // namespace microparquet::write

namespace microparquet::detail {
namespace {

// As they are stored.
struct EncodedChunks {
  using Bytes = std::uint32_t;

  const WriterState& state;

  void put_head(thrift::WindowSink& sink, const ColumnWriter& column) const {
    write::put_chunk_head(sink, state, column);
  }
  static constexpr CodecId codec(const ColumnWriter& /*column*/) { return CodecId::kUncompressed; }
  static std::uint32_t uncompressed_bytes(const ColumnWriter& column) { return column.chunk_bytes; }
  static constexpr std::uint32_t dictionary_bytes(const ColumnWriter& /*column*/) { return 0; }
};

}  // namespace

std::uint32_t note_page_encoding(WriterState& state, ColumnWriter& column, format::PageFields& fields) {
  EncodedChunk& chunk = write::encodings_of(state, column);
  if (column.chunk_bytes == 0) chunk.encodings = 0;
  fields.encoding ^= column.encoding_change;
  column.encoding_change = 0;
  chunk.encodings |= 1U << fields.encoding;
  chunk.sealed_sum =
      write::form_sum(write::page_form(fields.uncompressed_bytes, fields.encoding), column.first_row);
  state.footer.now.pages_sum += chunk.sealed_sum;
  return 0;
}

void write_encoded_row_group(thrift::WindowSink& sink, const WriterState& state) {
  format::write_row_group_of(sink, state, EncodedChunks{state});
}

}  // namespace microparquet::detail
