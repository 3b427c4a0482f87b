// Rows assembled from the items of their columns. Each row walks the schema once; the next item of each
// column says whether the next node is present, and whether a list continues.
#include "microparquet/records.h"

#include "base/try.h"
#include "microparquet/cursors.h"
#include "microparquet/detail/reader_access.h"
#include "read/column.h"

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

}  // namespace microparquet
