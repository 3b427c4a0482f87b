// Rows assembled from the items of their columns. Each row walks the schema once; the next item of each
// column says whether the next node is present, and whether a list continues.
#include "microparquet/records.h"

#include <string_view>

#include "base/try.h"
#include "microparquet/cursors.h"
#include "microparquet/detail/reader_access.h"
#include "read/nested_rows.h"
#include "read/rows.h"

namespace microparquet {

using detail::RecordShape;

// Reports levels of `leaf` that contradict those of other columns. Requires: its item is loaded.
Status Records::disagree(const Leaf& leaf) {
  detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  state.columns[leaf.place].reason = FailureReason::kLevels;
  return read::report(state, leaf.place, Status::kCorrupt);
}

Status Records::load(Leaf& leaf) {
  if (leaf.loaded) return Status::kOk;
  const Status status = reader_.next_item(leaf.place, leaf.item);
  if (status != Status::kOk && status != Status::kEnd) return status;
  leaf.ended = status == Status::kEnd;
  leaf.loaded = true;
  return Status::kOk;
}

// Loads the next item of the first column below `node`, which must lie in `outer`.
Status Records::load_at(std::uint32_t node, const Frame& outer, const Leaf*& leaf) {
  Leaf& first = leaves_[nodes_[node].first_leaf];
  MICROPARQUET_TRY(load(first));
  leaf = &first;
  const bool fits =
      !first.ended && first.item.repetition == outer.repetition && first.item.definition >= outer.definition;
  return fits ? Status::kOk : disagree(first);
}

// Passes a missing or empty node: every column below it has one item for it.
Status Records::pass_missing(std::uint32_t node, const Frame& outer, const Leaf& first) {
  Leaf* const begin = leaves_ + nodes_[node].first_leaf;
  Leaf* const end = leaves_ + nodes_[node].end_leaf;
  for (Leaf* leaf = begin; leaf != end; ++leaf) {
    MICROPARQUET_TRY(load(*leaf));
    const bool same = !leaf->ended && leaf->item.repetition == outer.repetition &&
                      leaf->item.definition == first.item.definition;
    if (!same) return disagree(*leaf);
  }
  for (Leaf* leaf = begin; leaf != end; ++leaf) leaf->loaded = false;
  return Status::kOk;
}

void Records::push(std::uint32_t node, const Frame& frame) {
  frames_[depth_] = frame;
  frames_[depth_++].node = node;
}

Status Records::enter_list(std::uint32_t node, std::uint32_t repeated, const Leaf& leaf, Event& event) {
  const Frame& outer = frames_[depth_ - 1];
  Frame frame = {};
  frame.next = repeated;
  frame.repetition = outer.repetition;
  frame.definition = nodes_[repeated].definition;
  frame.list = true;
  frame.empty = leaf.item.definition < frame.definition;
  if (frame.empty) MICROPARQUET_TRY(pass_missing(node, outer, leaf));
  event.kind = nodes_[node].shape == RecordShape::kMap && repeated != node ? EventKind::kBeginMap
                                                                           : EventKind::kBeginList;
  push(node, frame);
  return Status::kOk;
}

// Enters a node; `as_element`: as the element of the list in which it repeats.
Status Records::enter(std::uint32_t number, bool as_element, Event& event) {
  const Node& node = nodes_[number];
  const Frame& outer = frames_[depth_ - 1];
  const Leaf* leaf = nullptr;
  MICROPARQUET_TRY(load_at(number, outer, leaf));
  event = {};
  event.element = number;
  if (node.repeated && !as_element) return enter_list(number, number, *leaf, event);
  if (leaf->item.definition < node.definition) {
    event.kind = EventKind::kNull;
    return pass_missing(number, outer, *leaf);
  }
  switch (node.shape) {
    case RecordShape::kValue:
      event.kind = EventKind::kValue;
      event.place = leaf->place;
      event.cell = leaf->item.cell;
      leaves_[node.first_leaf].loaded = false;
      return Status::kOk;
    case RecordShape::kStruct: {
      Frame frame = {};
      frame.next = number + 1;
      frame.repetition = outer.repetition;
      frame.definition = node.definition;
      event.kind = EventKind::kBeginStruct;
      push(number, frame);
      return Status::kOk;
    }
    case RecordShape::kList:
    case RecordShape::kMap: return enter_list(number, number + 1, *leaf, event);
  }
  return Status::kOk;
}

Status Records::next_member(Event& event) {
  Frame& frame = frames_[depth_ - 1];
  const std::uint32_t end = nodes_[frame.node].end;
  while (frame.next != end && !nodes_[frame.next].chosen()) frame.next = nodes_[frame.next].end;
  if (frame.next == end) return Status::kEnd;
  MICROPARQUET_TRY(enter(frame.next, false, event));
  frame.next = nodes_[frame.next].end;
  return Status::kOk;
}

Status Records::next_element(Event& event) {
  Frame& frame = frames_[depth_ - 1];
  if (frame.empty) return Status::kEnd;
  if (frame.begun) {
    Leaf& leaf = leaves_[nodes_[frame.node].first_leaf];
    const std::uint8_t repetition = nodes_[frame.next].repetition;
    MICROPARQUET_TRY(load(leaf));
    if (leaf.ended || leaf.item.repetition < repetition) return Status::kEnd;
    frame.repetition = repetition;
  }
  const bool itself = nodes_[frame.next].is_element;
  MICROPARQUET_TRY(enter(itself ? frame.next : frame.next + 1, itself, event));
  frame.begun = true;
  return Status::kOk;
}

Status Records::end_row_group() {
  for (std::uint32_t i = 0; i < leaf_count_; ++i) {
    MICROPARQUET_TRY(load(leaves_[i]));
    if (!leaves_[i].ended) return disagree(leaves_[i]);
  }
  in_row_group_ = false;
  return Status::kOk;
}

void Records::enter_row_group() {
  in_row_group_ = true;
  rows_left_ = reader_.row_group_rows();
  for (std::uint32_t i = 0; i < leaf_count_; ++i) leaves_[i].loaded = false;
}

Status Records::seek_row_group(std::uint32_t index) {
  if (leaf_count_ == 0) return Status::kWrongState;
  MICROPARQUET_TRY(reader_.seek_row_group(index));
  depth_ = 0;
  lost_ = false;
  enter_row_group();
  return Status::kOk;
}

Status Records::begin_row(Event& event) {
  while (rows_left_ == 0) {
    if (in_row_group_) MICROPARQUET_TRY(end_row_group());
    MICROPARQUET_TRY(reader_.next_row_group());
    enter_row_group();
  }
  --rows_left_;
  Frame frame = {};
  frame.next = 1;
  push(0, frame);
  event.kind = EventKind::kBeginRow;
  return Status::kOk;
}

Status Records::next(Event& event) {
  event = {};
  if (leaf_count_ == 0 || lost_) return Status::kWrongState;
  if (depth_ == 0) return begin_row(event);
  const Frame& frame = frames_[depth_ - 1];
  const Status status = frame.list ? next_element(event) : next_member(event);
  if (status != Status::kEnd) return status;
  event = {};
  event.kind = depth_ == 1 ? EventKind::kEndRow : EventKind::kEnd;
  event.element = frame.node;
  --depth_;
  return Status::kOk;
}

// Shapes of schema nodes by the rules of LogicalTypes.md, with the forms of older writers.

namespace {

using detail::RecordNode;

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
