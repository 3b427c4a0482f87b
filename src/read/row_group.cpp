#include "read/row_group.h"

#include "base/try.h"
#include "format/column_chunk_reader.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/reader.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;
using detail::Leaf;
using detail::ReaderState;

constexpr std::uint64_t kUnknown = ~std::uint64_t{0};

const Decompressor* find_decompressor(const ReaderOptions& options, std::uint32_t codec) {
  for (const Decompressor* decompressor : options.decompressors) {
    if (static_cast<std::uint32_t>(decompressor->id()) == codec) return decompressor;
  }
  return nullptr;
}

// Finds the chunk's bytes, which must lie between the magic and the footer.
Status chunk_range(const ReaderState& state, const detail::ColumnChunk& chunk, std::uint64_t& begin,
                   std::uint64_t& end) {
  begin = chunk.data_page_offset;
  // Some writers store 0 if there is no dictionary.
  if (chunk.dictionary_page_offset != 0 && chunk.dictionary_page_offset < begin)
    begin = chunk.dictionary_page_offset;
  if (begin < format::kMagicBytes || begin > state.footer_begin) return Status::kCorrupt;
  end = state.footer_begin;
  if (chunk.compressed_bytes < end - begin) end = begin + chunk.compressed_bytes;
  return Status::kOk;
}

// Sets a chosen column to the beginning of its chunk. Errors of the chunk are reported when the chunk is
// read, and do not affect other columns.
void start_column(const ReaderState& state, ColumnCursor& column, const detail::ColumnChunk& chunk) {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  // A chunk in a wrong place becomes empty, and is then reported as too short for its values.
  if (chunk.values != 0 && chunk_range(state, chunk, begin, end) != Status::kOk) begin = end = 0;
  column.chunk_status = Status::kOk;
  column.reason = FailureReason::kNone;
  column.decompressor = state.mapped_pages;
  if (chunk.codec != static_cast<std::uint32_t>(CodecId::kUncompressed)) {
    column.decompressor = find_decompressor(*state.options, chunk.codec);
    if (column.decompressor == nullptr)
      column.chunk_status = column.refuse(FailureReason::kCompression, chunk.codec);
  }
  if (chunk.in_other_file) column.chunk_status = column.refuse(FailureReason::kOtherFile, 0);
  column.dictionary_bytes = 0;
  if (column.decompressor == nullptr) column.page_bytes = 0;
  column.window.base = column.memory;
  column.window.restart_at(begin, end);
  column.drop_body();
  column.page_rows = 0;
  column.chunk_rows = chunk.values;
  column.next_page = begin;
  column.crc = 0;
  column.summed = 0;
  column.fetched = false;
  column.skipping = false;
  column.pinned = false;
}

// Reads the `count` chunks. `rows` becomes the number of rows in the columns that are not repeated, or
// kUnknown if all are.
void read_columns(thrift::CompactReader& in, std::uint32_t count, ReaderState& state, bool start,
                  std::uint64_t& rows) {
  if (count != state.leaf_count) in.fail(Status::kCorrupt);
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    const detail::ColumnChunk& chunk = state.chunk;
    format::read_column_chunk(in, state.chunk);
    if (!in.ok()) return;
    const Leaf& leaf = state.leaves[i];
    if (chunk.encrypted) return in.fail(Status::kEncrypted);
    if (!chunk.complete || chunk.type != leaf.type) return in.fail(Status::kCorrupt);
    if (leaf.max_repetition == 0) {
      if (rows != kUnknown && rows != chunk.values) return in.fail(Status::kCorrupt);
      rows = chunk.values;
    }
    if (start && leaf.cursor < state.chosen) start_column(state, state.columns[leaf.cursor], chunk);
  }
}

}  // namespace

void read_row_group(thrift::CompactReader& in, ReaderState& state, format::RowGroup& row_group, bool start) {
  std::uint64_t rows_of_columns = kUnknown;
  format::read_row_group(
      in, row_group, [&](std::uint32_t count) { read_columns(in, count, state, start, rows_of_columns); });
  if (rows_of_columns != kUnknown && rows_of_columns != row_group.rows) in.fail(Status::kCorrupt);
}

}  // namespace microparquet::read
