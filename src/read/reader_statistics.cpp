// Statistics of a column in a row group, from the footer.
#include "base/try.h"
#include "format/row_group_reader.h"
#include "format/statistics_reader.h"
#include "microparquet/reader.h"
#include "read/chunk.h"

namespace microparquet {

Status Reader::column_chunk(std::uint32_t column, ColumnChunkInfo& info) {
  MICROPARQUET_TRY(read::find_chunk(state_, column));
  const detail::ColumnChunk& chunk = state_.chunk;
  info.codec = static_cast<CodecId>(chunk.codec < 255 ? chunk.codec : 255);
  info.encodings = chunk.encodings;
  info.values = chunk.values;
  info.compressed_bytes = chunk.compressed_bytes;
  info.uncompressed_bytes = chunk.uncompressed_bytes;
  info.data_page_offset = chunk.data_page_offset;
  info.dictionary_page_offset = chunk.dictionary_page_offset;
  return Status::kOk;
}

Status Reader::column_statistics(std::uint32_t column, Span<std::byte> buffer, ColumnStatistics& statistics) {
  statistics = {};
  MICROPARQUET_TRY(read::find_chunk(state_, column));
  const detail::ColumnChunk& chunk = state_.chunk;
  if (chunk.statistics_begin == 0) return Status::kOk;
  state_.footer.seek(chunk.statistics_begin, state_.footer_begin + state_.footer_bytes);
  thrift::CompactReader in(state_.footer);
  format::BoundBuffer bounds(buffer);
  const Status status =
      format::read_statistics(in, column_type(column) != Type::kByteArray, bounds, statistics);
  state_.needed_bytes = bounds.needed();
  return status;
}

Status Reader::sorting_columns(Span<SortingColumn> sorting, std::size_t& count) {
  if (state_.row_group == detail::kNoRowGroup) return Status::kWrongState;
  state_.footer.seek(state_.entry_begin, state_.footer_begin + state_.footer_bytes);
  thrift::CompactReader in(state_.footer);
  format::read_sorting_columns(in, sorting, count);
  return in.status();
}

}  // namespace microparquet
