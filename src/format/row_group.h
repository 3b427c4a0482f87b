// Parquet's RowGroup with its column chunks (parquet.thrift).
#pragma once

#include <cstdint>
#include <utility>

#include "format/column_chunk_head.h"
#include "format/sorting_columns_writer.h"
#include "io/window_sink.h"
#include "microparquet/codec_id.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/writer_state.h"
#include "microparquet/sorting.h"
#include "thrift/compact_writer.h"

namespace microparquet::detail {

// What a dictionary and compression change of a column chunk.
struct ChunkForm {
  std::uint32_t codec = static_cast<std::uint32_t>(CodecId::kUncompressed);
  std::uint32_t dictionary_bytes = 0;  // of its dictionary page; 0: there is none
  // A bit for each of those that are not its data pages': the levels', and the dictionary's.
  std::uint32_t encodings = 1U << static_cast<unsigned>(EncodingId::kRle);

  void add_dictionary(std::uint32_t bytes) {
    dictionary_bytes = bytes;
    if (bytes != 0) encodings |= 1U << static_cast<unsigned>(EncodingId::kPlain);
  }
};

}  // namespace microparquet::detail

namespace microparquet::format {

// From the statistics, without the header of their field, to the end of a ColumnChunk.
void write_chunk_end(thrift::WindowSink& sink, const detail::ColumnWriter& column);

// Writes the open row group as an element of FileMetaData.row_groups. `Chunks` has what encodings, dictionaries
// and compression change:
//
//   describe(column, form)         returns by how many bytes its pages are smaller than before compression, as many
//                                  bits as are to be counted
//   put_head(sink, column, form)   a ColumnChunk from its beginning to the header of its name
template <typename Chunks>
[[gnu::always_inline]] inline void write_row_group_of(thrift::WindowSink& sink,
                                                      const detail::WriterState& state,
                                                      const Chunks& chunks) {
  using Meta = ColumnMetaDataField;
  using thrift::CompactType;
  using thrift::CompactWriter;
  using thrift::field_byte;
  const std::uint32_t rows = detail::rows_in_group(state);
  decltype(chunks.describe(*state.columns, std::declval<detail::ChunkForm&>())) uncompressed = 0;
  std::uint32_t bytes = 0;
  // The long form of a list header, for any number of columns.
  sink.put_byte(field_byte(RowGroupField::kColumns, CompactType::kList, 0));
  sink.put_byte(thrift::list_byte(CompactType::kStruct, 15));
  CompactWriter(sink).varint(state.plan->columns_count);
  for (const detail::ColumnWriter& column : columns_of(state)) {
    detail::ChunkForm form;
    const auto saved_bytes = chunks.describe(column, form);
    const std::uint32_t stored = column.chunk_bytes + form.dictionary_bytes;
    chunks.put_head(sink, column, form);
    sink.put(column.plan->path, column.plan->path_bytes);
    CompactWriter out(sink, Meta::kCodec);
    CompactWriter::put_i64(sink, field_byte(Meta::kCodec, CompactType::kI32, Meta::kPathInSchema),
                           form.codec);
    out.field_i64(Meta::kNumValues, rows);
    out.field_i64(Meta::kTotalUncompressedSize, stored + saved_bytes);
    out.field_i64(Meta::kTotalCompressedSize, stored);
    out.field_i64(Meta::kDataPageOffset, column.chunk_begin);
    unsigned statistics = field_byte(Meta::kStatistics, CompactType::kStruct, Meta::kDataPageOffset);
    if (form.dictionary_bytes != 0) {
      out.field_i64(Meta::kDictionaryPageOffset, column.chunk_begin - form.dictionary_bytes);
      statistics = field_byte(Meta::kStatistics, CompactType::kStruct, Meta::kDictionaryPageOffset);
    }
    sink.put_byte(statistics);
    write_chunk_end(sink, column);
    uncompressed += stored + saved_bytes;
    bytes += stored;
  }
  CompactWriter out(sink, RowGroupField::kColumns);
  out.field_i64(RowGroupField::kTotalByteSize, uncompressed);
  out.field_i64(RowGroupField::kNumRows, rows);
  unsigned header = kHeaderWithoutSortingColumns;
  if (is_sorted(state)) header = state.options->sorting.checker->write_columns(sink, state);
  CompactWriter::put_i64(sink, header, bytes);
  sink.put_zeros(1);
}

}  // namespace microparquet::format
