#include "read/schema.h"

#include "format/schema_reader.h"
#include "microparquet/reader.h"

namespace microparquet::read {

namespace {

using detail::Leaf;
using detail::ReaderState;

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

}  // namespace microparquet::read
