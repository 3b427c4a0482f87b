// Shapes of schema nodes by the rules of LogicalTypes.md, with the forms of older writers.
#include <string_view>

#include "base/try.h"
#include "microparquet/cursors.h"
#include "microparquet/detail/reader_access.h"
#include "microparquet/records.h"
#include "read/list_names.h"

namespace microparquet {

namespace {

using detail::RecordNode;
using detail::RecordShape;

// Bits of `annotation` while the shapes are found.
constexpr std::uint8_t kAnnotatedList = 1;
constexpr std::uint8_t kAnnotatedMap = 2;
// The name that writers give a repeated group which is the element itself.
constexpr std::uint8_t kNamedAsElement = 4;

std::uint8_t annotation_of(const SchemaElement& element) {
  if (element.leaf) return 0;
  switch (element.logical.kind) {
    case LogicalKind::kList: return kAnnotatedList;
    case LogicalKind::kMap: return kAnnotatedMap;
    default: return 0;
  }
}

RecordNode node_of(const SchemaElement& element) {
  RecordNode node = {};
  node.definition = element.max_definition_level;
  node.repetition = element.max_repetition_level;
  node.shape = element.leaf ? RecordShape::kValue : RecordShape::kStruct;
  node.annotation = annotation_of(element);
  // The root never repeats, whatever the file says.
  node.repeated = element.depth != 0 && element.repetition == Repetition::kRepeated;
  node.is_element = true;
  return node;
}

// Returns whether the node has exactly one child, and this child repeats.
bool has_repeated_child(const RecordNode* nodes, std::uint32_t node) {
  const RecordNode& parent = nodes[node];
  return parent.shape != RecordShape::kValue && parent.end > node + 1 && nodes[node + 1].end == parent.end &&
         nodes[node + 1].repeated;
}

// Counts the children of the node, up to three.
unsigned children_of(const RecordNode* nodes, std::uint32_t node) {
  unsigned count = 0;
  if (nodes[node].shape == RecordShape::kValue) return 0;
  for (std::uint32_t child = node + 1; child != nodes[node].end && count < 3; child = nodes[child].end)
    ++count;
  return count;
}

// Applies the rules that tell whether the repeated node is the list's element. Requires: it is the list's
// only child.
bool is_element_itself(const RecordNode* nodes, std::uint32_t repeated) {
  const RecordNode& node = nodes[repeated];
  return children_of(nodes, repeated) != 1 || nodes[repeated + 1].repeated ||
         (node.annotation & kNamedAsElement) != 0;
}

void find_shape(RecordNode* nodes, std::uint32_t number) {
  RecordNode& node = nodes[number];
  if ((node.annotation & (kAnnotatedList | kAnnotatedMap)) == 0 || !has_repeated_child(nodes, number)) return;
  RecordNode& repeated = nodes[number + 1];
  const bool map = (node.annotation & kAnnotatedMap) != 0;
  const unsigned members = children_of(nodes, number + 1);
  if (map && (members == 0 || members > 2)) return;
  if (map && members == 2) {
    node.shape = RecordShape::kMap;
    repeated.annotation = 0;  // some writers annotate the entries
    return;
  }
  node.shape = RecordShape::kList;
  repeated.is_element = is_element_itself(nodes, number + 1);
}

}  // namespace

// Fills in the nodes, and the leaves of the chosen columns; `leaves` becomes their number.
Status Records::read_nodes(std::uint32_t& leaves) {
  const detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  std::byte* const names_begin = reinterpret_cast<std::byte*>(leaves_ + reader_.chosen());
  const auto space = static_cast<std::size_t>(memory_.data() + memory_.size() - names_begin) / 2;
  char* const names = reinterpret_cast<char*>(names_begin);
  std::uint32_t open[detail::SchemaTree::kMaxDepth + 1];  // the last node of each depth
  std::uint32_t depth = 0;
  std::string_view before;
  SchemaCursor cursor(reader_);
  const auto close = [&](std::uint32_t from, std::uint32_t end) {
    for (; depth > from; --depth) {
      nodes_[open[depth - 1]].end = end;
      nodes_[open[depth - 1]].end_leaf = leaves;
    }
  };
  const std::uint32_t count = reader_.schema_elements();
  for (std::uint32_t i = 0; i < count; ++i) {
    SchemaElement element;
    const Status status = cursor.next(Span<char>(names + (i % 2) * space, space), element);
    if (status == Status::kOutOfMemory) {
      detail::ReaderAccess::state(reader_).needed_bytes =
          static_cast<std::size_t>(names_begin - memory_.data()) + 2 * state.needed_bytes;
    }
    MICROPARQUET_TRY(status);
    close(element.depth, i);
    RecordNode& node = nodes_[i] = node_of(element);
    if (read::is_named_as_element(element.name, before)) node.annotation |= kNamedAsElement;
    before = element.name;
    node.first_leaf = leaves;
    open[depth++] = i;
    if (!element.leaf) continue;
    const std::uint16_t place = state.leaves[element.column].cursor;
    if (place >= reader_.chosen()) continue;
    leaves_[leaves] = {};
    leaves_[leaves++].place = place;
  }
  close(0, count);
  return Status::kOk;
}

EventKind Records::kind_of(std::uint32_t element) const {
  return nodes_[element].repeated ? EventKind::kBeginList : shape_of(element);
}

EventKind Records::shape_of(std::uint32_t element) const {
  switch (nodes_[element].shape) {
    case RecordShape::kValue: return EventKind::kValue;
    case RecordShape::kStruct: return EventKind::kBeginStruct;
    case RecordShape::kList: return EventKind::kBeginList;
    case RecordShape::kMap: return EventKind::kBeginMap;
  }
  return EventKind::kValue;
}

Status Records::begin() {
  if (reader_.chosen() == 0) return Status::kWrongState;
  if (reinterpret_cast<std::uintptr_t>(memory_.data()) % 8 != 0) return Status::kInvalidArgument;
  const std::size_t needed = required_bytes(reader_.schema_elements(), reader_.chosen());
  if (memory_.size() < needed) {
    detail::ReaderAccess::state(reader_).needed_bytes = needed;
    return Status::kOutOfMemory;
  }
  nodes_ = reinterpret_cast<Node*>(memory_.data());
  leaves_ =
      reinterpret_cast<Leaf*>(memory_.data() + detail::align8(reader_.schema_elements() * sizeof(Node)));
  std::uint32_t leaves = 0;
  MICROPARQUET_TRY(read_nodes(leaves));
  for (std::uint32_t i = 1; i < reader_.schema_elements(); ++i) find_shape(nodes_, i);
  leaf_count_ = leaves;
  depth_ = 0;
  lost_ = false;
  rows_left_ = 0;
  in_row_group_ = false;
  return Status::kOk;
}

}  // namespace microparquet
