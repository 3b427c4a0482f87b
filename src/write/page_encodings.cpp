// Pages with other encodings than their neighbours, and the row group's list of encodings. The first encoder
// of several encodings, dictionary or compressor that a program names links this file.
#include "format/desktop/page_header_v2.h"
#include "format/row_group.h"
#include "write/page.h"
#include "write/page_transform.h"

namespace microparquet::detail {
namespace {

struct EncodedChunks {
  const WriterState& state;

  void put_head(thrift::WindowSink& sink, const ColumnWriter& column, const ChunkForm& form) const {
    format::put_chunk_head(sink, column.plan->shape.type,
                           write::encodings_of(state, column).encodings | form.encodings);
  }
  std::uint64_t describe(const ColumnWriter& column, ChunkForm& form) const {
    DescribeChunk* const describe_chunk = state.plan->transforms->functions->describe_chunk;
    return describe_chunk != nullptr ? describe_chunk(state, column, form) : 0;
  }
  void put_end(thrift::WindowSink& sink, const ColumnWriter& column) const {
    if (state.options->layout->indexes_pages) {
      indexed_layout(*state.options).put_chunk_end(sink, state, column);
    } else {
      format::write_chunk_end(sink, column);
    }
  }
};

}  // namespace

std::uint32_t note_page_encoding(WriterState& state, ColumnWriter& column, SealingPage& fields) {
  EncodedChunk& chunk = write::encodings_of(state, column);
  if (column.chunk_bytes == 0) chunk.encodings = 0;
  fields.encoding ^= column.encoding_change;
  column.encoding_change = 0;
  chunk.encodings |= 1U << fields.encoding;
  const std::uint32_t form = write::page_form(fields.uncompressed_bytes, fields.encoding);
  chunk.sealed_sum = write::form_sum(form + write::version_form(format::is_v2(fields)), column.first_row);
  state.footer.now.pages_sum += chunk.sealed_sum;
  return 0;
}

std::uint32_t write_encoded_row_group(thrift::WindowSink& sink, const WriterState& state) {
  return format::write_row_group_of(sink, state, EncodedChunks{state});
}

}  // namespace microparquet::detail
