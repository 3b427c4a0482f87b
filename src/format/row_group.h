// RowGroup with its column chunks (parquet.thrift).
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

// Changes that a dictionary and compression make to a column chunk.
struct ChunkForm {
  std::uint32_t codec = static_cast<std::uint32_t>(CodecId::kUncompressed);
  std::uint32_t dictionary_bytes = 0;  // length of its dictionary page; 0: there is none
  // Encodings of levels and dictionary, a bit each; those of data pages are not included.
  std::uint32_t encodings = 1U << static_cast<unsigned>(EncodingId::kRle);

  void add_dictionary(std::uint32_t bytes) {
    dictionary_bytes = bytes;
    if (bytes != 0) encodings |= 1U << static_cast<unsigned>(EncodingId::kPlain);
  }
};

}  // namespace microparquet::detail

namespace microparquet::format {

// Writes the statistics, without the header of their field, and the rest of a ColumnChunk.
void write_chunk_end(thrift::WindowSink& sink, const detail::ColumnWriter& column);

// Chunks whose pages have one encoding, and are not transformed.
struct PlainChunks {
  // All parts are small numbers.
  void put_head(thrift::WindowSink& sink, const detail::ColumnWriter& column,
                const detail::ChunkForm&) const {
    using Chunk = ColumnChunkField;
    using Meta = ColumnMetaDataField;
    using thrift::CompactType;
    using thrift::field_byte;
    const std::uint8_t head[] = {
        field_byte(Chunk::kFileOffset, CompactType::kI64, 0),
        0,
        field_byte(Chunk::kMetaData, CompactType::kStruct, Chunk::kFileOffset),
        field_byte(Meta::kType, CompactType::kI32, 0),
        zigzag_byte(static_cast<unsigned>(column.plan->shape.type)),
        field_byte(Meta::kEncodings, CompactType::kList, Meta::kType),
        thrift::list_byte(CompactType::kI32, 2),
        zigzag_byte(static_cast<unsigned>(column.plan->encoder->id)),
        zigzag_byte(static_cast<unsigned>(EncodingId::kRle)),
        field_byte(Meta::kPathInSchema, CompactType::kList, Meta::kEncodings),
    };
    sink.put(head, sizeof head);
  }
  std::uint32_t describe(const detail::ColumnWriter&, const detail::ChunkForm&) const { return 0; }
  std::uint32_t values(const detail::ColumnWriter&, std::uint32_t rows) const { return rows; }
  void put_end(thrift::WindowSink& sink, const detail::ColumnWriter& column) const {
    write_chunk_end(sink, column);
  }
};

// Implements WriteRowGroup for any row group. `Chunks` has the parts that depend on encodings, dictionaries
// and compression:
//
//   describe(column, form)         returns by how many bytes its pages are smaller than before compression, as many
//                                  bits as are to be counted
//   values(column, rows)           returns the number of its values, nulls included
//   put_head(sink, column, form)   a ColumnChunk from its beginning to the header of its name
//   put_end(sink, column)          from the statistics, without the header of their field, to its end
template <typename Chunks>
[[gnu::always_inline]] inline std::uint32_t write_row_group_of(thrift::WindowSink& sink,
                                                               const detail::WriterState& state,
                                                               const Chunks& chunks) {
  using Meta = ColumnMetaDataField;
  using thrift::CompactType;
  using thrift::CompactWriter;
  using thrift::field_byte;
  const std::uint32_t rows = detail::rows_in_group(state);
  decltype(chunks.describe(*state.columns, std::declval<detail::ChunkForm&>())) uncompressed = 0;
  std::uint32_t bytes = 0;
  // Use the long form of a list header, for any number of columns.
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
    out.field_i64(Meta::kNumValues, chunks.values(column, rows));
    out.field_i64(Meta::kTotalUncompressedSize, stored + saved_bytes);
    out.field_i64(Meta::kTotalCompressedSize, stored);
    out.field_i64(Meta::kDataPageOffset, column.chunk_begin);
    unsigned statistics = field_byte(Meta::kStatistics, CompactType::kStruct, Meta::kDataPageOffset);
    if (form.dictionary_bytes != 0) {
      out.field_i64(Meta::kDictionaryPageOffset, column.chunk_begin - form.dictionary_bytes);
      statistics = field_byte(Meta::kStatistics, CompactType::kStruct, Meta::kDictionaryPageOffset);
    }
    sink.put_byte(statistics);
    chunks.put_end(sink, column);
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
  return sink.position();
}

}  // namespace microparquet::format
