#include "read/footer.h"

#include "base/endian.h"
#include "base/try.h"
#include "format/column_chunk_reader.h"
#include "format/file_metadata_reader.h"
#include "format/row_group_reader.h"
#include "format/schema_reader.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/reader.h"

namespace microparquet::read {

namespace {

using detail::ReaderState;
using format::kMagicBytes;

Status check_magic(const std::byte* magic) {
  const auto found = util::load<std::uint32_t>(magic);
  if (found == format::kMagic) return Status::kOk;
  return found == format::kEncryptedMagic ? Status::kEncrypted : Status::kNotParquet;
}

// Stores the parts of FileMetaData in the reader's state.
struct Parts {
  ReaderState& state;

  void version(std::int32_t version) const { state.version = version; }
  void rows(std::uint64_t rows) const { state.stated_rows = rows; }
  void schema(thrift::CompactReader& in, std::uint32_t count) const { read_schema(in, count, state); }
  void row_groups(thrift::CompactReader& in, std::uint32_t count) const {
    // The schema has a smaller field number and must come first.
    if (state.schema_begin == 0) return in.fail(Status::kCorrupt);
    state.row_groups_begin = in.window().position();
    state.row_groups = count;
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
      format::RowGroup row_group;
      read_row_group(in, state, row_group, false);
      state.file_rows += row_group.rows;
      if (state.file_rows < row_group.rows) in.fail(Status::kCorrupt);
    }
  }
  void key_values(thrift::CompactReader& in, std::uint32_t count) const {
    state.key_values = count;
    state.key_values_begin = in.window().position();
    for (std::uint32_t i = 0; i < state.key_values && in.ok(); ++i) in.skip_struct();
  }
  void created_by(std::uint64_t position) const { state.created_by_begin = position; }
  void column_orders(std::uint64_t position) const { state.column_orders_begin = position; }
};

}  // namespace

Status find_footer(ReaderState& state) {
  MICROPARQUET_TRY(state.file->size(state.file_bytes));
  if (state.file_bytes < kMagicBytes + format::kFileEndBytes) return Status::kNotParquet;
  std::byte tail[format::kFileEndBytes];
  MICROPARQUET_TRY(state.file->read_at(0, Span<std::byte>(tail, kMagicBytes)));
  MICROPARQUET_TRY(check_magic(tail));
  const std::uint64_t end = state.file_bytes - format::kFileEndBytes;
  MICROPARQUET_TRY(state.file->read_at(end, Span<std::byte>(tail, format::kFileEndBytes)));
  MICROPARQUET_TRY(check_magic(tail + format::kFooterLengthBytes));
  state.footer_bytes = util::load<std::uint32_t>(tail);
  if (state.footer_bytes > end - kMagicBytes) return Status::kCorrupt;
  state.footer_begin = end - state.footer_bytes;
  return Status::kOk;
}

Status read_footer(ReaderState& state) {
  state.footer.seek(state.footer_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  in.limit_depth(thrift::CompactReader::kMaxDepthOfFooter);
  format::read_file_metadata(in, Parts{state});
  return in.status();
}

namespace {

using detail::Leaf;

void add_leaf(ReaderState& state, const format::SchemaNode& node, const format::SchemaTree& tree,
              std::uint32_t capacity) {
  if (state.leaf_count < capacity) {
    state.leaves[state.leaf_count] = {node.type_length, node.type, tree.max_definition(),
                                      tree.max_repetition(), detail::kNotChosen};
  }
  ++state.leaf_count;
}

}  // namespace

void read_schema(thrift::CompactReader& in, std::uint32_t count, ReaderState& state) {
  state.schema_begin = in.window().position();
  state.schema_elements = count;
  const std::size_t head = detail::reader_head_bytes(0, state.options->footer_bytes);
  const auto capacity = static_cast<std::uint32_t>((state.arena.size() - head) / sizeof(Leaf));
  format::SchemaTree tree;
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
    format::SchemaNode node;
    if (!format::read_schema_element(in, i, tree, node, nullptr)) return;
    if (node.leaf()) add_leaf(state, node, tree, capacity);
  }
  if (count == 0 || !tree.complete()) in.fail(Status::kCorrupt);
  if (state.leaf_count > kMaxColumns) in.fail(Status::kUnsupported);
  if (state.leaf_count > capacity) in.fail(Status::kOutOfMemory);
}

namespace {

using detail::ColumnCursor;

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

Status find_chunk(detail::ReaderState& state, std::uint32_t column) {
  if (state.row_group == detail::kNoRowGroup) return Status::kWrongState;
  if (column >= state.leaf_count) return Status::kInvalidArgument;
  detail::ColumnChunk& chunk = state.chunk;
  const bool goes_on = chunk.end != 0 && chunk.column <= column;
  if (goes_on && chunk.column == column) return Status::kOk;
  state.footer.seek(goes_on ? chunk.end : state.entry_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  std::uint32_t next = 0;
  if (goes_on) {
    next = chunk.column + 1;
  } else {
    format::enter_column_chunks(in);
  }
  for (; next < column && in.ok(); ++next) in.skip_struct();
  const std::uint64_t begin = state.footer.position();
  format::read_column_chunk(in, chunk);
  if (in.ok()) {
    chunk.begin = begin;
    chunk.end = state.footer.position();
    chunk.column = column;
  }
  return in.status();
}

}  // namespace microparquet::read
