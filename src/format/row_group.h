// Parquet's RowGroup with its column chunks (parquet.thrift).
#pragma once

#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/codec_id.h"
#include "microparquet/detail/fields.h"
#include "microparquet/detail/writer_state.h"
#include "microparquet/sorting.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {

constexpr std::uint8_t zigzag(unsigned small) { return static_cast<std::uint8_t>(small << 1); }

// From the statistics, without the header of their field, to the end of a ColumnChunk.
void write_chunk_end(thrift::WindowSink& sink, const detail::ColumnWriter& column);

// Writes the open row group as an element of FileMetaData.row_groups. `Chunks` has what transformed pages
// change:
//
//   Bytes                        counts a row group's bytes before compression
//   put_head(sink, column)       a ColumnChunk from its beginning to the header of its name
//   codec(column)
//   uncompressed_bytes(column)
//   dictionary_bytes(column)     of its dictionary page; 0: there is none
template <typename Chunks>
[[gnu::always_inline]] inline void write_row_group_of(thrift::WindowSink& sink,
                                                      const detail::WriterState& state,
                                                      const Chunks& chunks) {
  using Meta = ColumnMetaDataField;
  using thrift::CompactType;
  using thrift::CompactWriter;
  using thrift::field_byte;
  const std::uint32_t rows = detail::rows_in_group(state);
  typename Chunks::Bytes uncompressed = 0;
  std::uint32_t bytes = 0;
  // The long form of a list header, for any number of columns.
  sink.put_byte(field_byte(RowGroupField::kColumns, CompactType::kList, 0));
  sink.put_byte(thrift::list_byte(CompactType::kStruct, 15));
  CompactWriter(sink).varint(state.plan->columns_count);
  for (const detail::ColumnWriter& column : columns_of(state)) {
    const std::uint32_t dictionary_bytes = chunks.dictionary_bytes(column);
    chunks.put_head(sink, column);
    sink.put(column.plan->path, column.plan->path_bytes);
    CompactWriter out(sink, Meta::kCodec);
    CompactWriter::put_i64(sink, field_byte(Meta::kCodec, CompactType::kI32, Meta::kPathInSchema),
                           static_cast<unsigned>(chunks.codec(column)));
    out.field_i64(Meta::kNumValues, rows);
    out.field_i64(Meta::kTotalUncompressedSize, chunks.uncompressed_bytes(column));
    out.field_i64(Meta::kTotalCompressedSize, column.chunk_bytes + dictionary_bytes);
    out.field_i64(Meta::kDataPageOffset, column.chunk_begin);
    if (dictionary_bytes != 0)
      out.field_i64(Meta::kDictionaryPageOffset, column.chunk_begin - dictionary_bytes);
    out.field_struct(Meta::kStatistics);
    write_chunk_end(sink, column);
    uncompressed += chunks.uncompressed_bytes(column);
    bytes += column.chunk_bytes + dictionary_bytes;
  }
  CompactWriter out(sink, RowGroupField::kColumns);
  out.field_i64(RowGroupField::kTotalByteSize, uncompressed);
  out.field_i64(RowGroupField::kNumRows, rows);
  unsigned header =
      field_byte(RowGroupField::kTotalCompressedSize, CompactType::kI64, RowGroupField::kNumRows);
  if (is_sorted(state)) header = state.options->sorting.checker->write_columns(sink, state);
  CompactWriter::put_i64(sink, header, bytes);
  sink.put_zeros(1);
}

}  // namespace microparquet::format
