// The tree of a schema, as a walk over its elements finds it.
#pragma once

#include <cstdint>

#include "microparquet/status.h"

namespace microparquet::detail {

// Of a SchemaElement what reading values needs; names and logical types are read by who wants them.
struct SchemaNode {
  bool has_type;
  bool has_repetition;
  std::uint8_t type;
  std::uint8_t repetition;
  std::uint32_t type_length;
  std::uint32_t children;

  bool leaf() const { return has_type; }
};

// Where in the tree a walk over its nodes is. The nodes come as the file has them, parents first.
class SchemaTree {
 public:
  // Takes the next node, `index` from 0 for the root.
  // - kCorrupt: it cannot stand there, or is not complete
  // - kUnsupported: the tree is too deep, or a group too wide
  Status enter(const SchemaNode& node, std::uint32_t index);

  // Of the node that comes next.
  unsigned next_depth() const { return open_; }

  // Of the node entered last.
  unsigned depth() const { return node_depth_; }
  std::uint8_t max_definition() const { return max_definition_; }
  std::uint8_t max_repetition() const { return max_repetition_; }

  // All groups have their children.
  bool complete() const { return open_ == 0; }

  // A level has four bits then, and a group of eight of them a word.
  static constexpr unsigned kMaxDepth = 15;

 private:
  // Of the groups that are not complete.
  std::uint16_t children_left_[kMaxDepth];
  std::uint8_t levels_[kMaxDepth];  // maximum definition level << 4 | maximum repetition level
  unsigned open_ = 0;
  unsigned node_depth_ = 0;
  std::uint8_t max_definition_ = 0;
  std::uint8_t max_repetition_ = 0;
};

}  // namespace microparquet::detail
