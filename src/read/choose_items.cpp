// Choosing columns, repeated ones included, to read their items.
#include "base/try.h"
#include "format/schema_reader.h"
#include "microparquet/detail/repeated_levels.h"
#include "microparquet/reader.h"
#include "read/choose.h"
#include "thrift/compact_reader.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;
using detail::ReaderState;
using detail::RepeatedLevels;

bool is_repeated(const ReaderState& state, std::uint32_t column) {
  return state.leaves[column].max_repetition != 0;
}

// Returns the bytes of a column's memory before its buffer.
std::uint32_t own_bytes_of(const ReaderState& state, std::uint32_t column) {
  const std::uint32_t more = is_repeated(state, column) ? detail::kRepeatedColumnBytes : 0;
  return read::own_bytes(state) + more;
}

// Places the levels of a repeated column at the beginning of its memory, where other columns have theirs.
void make_repeated(const detail::Leaf& leaf, ColumnCursor& column, std::byte* memory) {
  auto* const levels = reinterpret_cast<RepeatedLevels*>(memory);
  util::clear_bytes(levels, sizeof *levels);
  levels->maximum = leaf.max_definition;
  levels->bit_width = read::bit_width(leaf.max_definition);
  levels->repetition.maximum = leaf.max_repetition;
  levels->repetition.bit_width = read::bit_width(leaf.max_repetition);
  levels->row_group = detail::kNoRowGroup;
  column.levels = levels;
  column.decoder_state = memory + sizeof(RepeatedLevels);
  column.type = detail::kTypeOfItems;
}

// Finds for each list around each chosen column the definition level from which on it has an element. The
// repeated nodes above a column are the last ones of their levels before it in the schema.
Status find_element_levels(ReaderState& state) {
  state.footer.seek(state.schema_begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  format::SchemaTree tree;
  format::SchemaNode node;
  std::uint8_t element_levels[format::SchemaTree::kMaxDepth] = {};
  std::uint32_t leaf = 0;
  for (std::uint32_t i = 0; i < state.schema_elements; ++i) {
    if (!format::read_schema_element(in, i, tree, node, nullptr)) return in.status();
    const bool repeated =
        node.has_repetition && static_cast<Repetition>(node.repetition) == Repetition::kRepeated;
    if (repeated && i != 0) element_levels[tree.max_repetition() - 1] = tree.max_definition();
    if (!node.leaf()) continue;
    const std::uint16_t chosen = state.leaves[leaf].cursor;
    if (chosen < state.chosen && is_repeated(state, leaf)) {
      auto& levels = static_cast<RepeatedLevels&>(*state.columns[chosen].levels);
      for (std::size_t level = 0; level < sizeof element_levels; ++level)
        levels.element_levels[level] = element_levels[level];
    }
    ++leaf;
  }
  return in.status();
}

void make_column_of_items(ReaderState& state, std::uint32_t column, std::byte* memory, std::size_t bytes) {
  read::make_column(state, column, memory, bytes, own_bytes_of(state, column));
  if (is_repeated(state, column))
    make_repeated(state.leaves[column], state.columns[state.chosen - 1], memory);
}

}  // namespace

Status Reader::choose_items(Span<const ColumnChoice> columns) {
  ReaderState& state = state_;
  if (state.file == nullptr) return Status::kWrongState;
  MICROPARQUET_TRY(read::choose_with_buffers<true>(
      state, columns, [&state](std::uint32_t column) { return own_bytes_of(state, column); },
      [&state](std::uint32_t column, std::byte* memory, std::size_t bytes) {
        make_column_of_items(state, column, memory, bytes);
      }));
  if (columns.empty()) return Status::kOk;
  const Status status = find_element_levels(state);
  if (status != Status::kOk) read::clear_choice(state);
  return status;
}

}  // namespace microparquet
