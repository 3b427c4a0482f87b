// Tree of a schema, found by a walk over its elements.
#pragma once

#include <cstdint>

#include "microparquet/status.h"

namespace microparquet::detail {

// Parts of a SchemaElement for reading values; other functions read names and logical types.
struct SchemaNode {
  bool has_type;
  bool has_repetition;
  std::uint8_t type;
  std::uint8_t repetition;
  std::uint32_t type_length;
  std::uint32_t children;

  bool leaf() const { return has_type; }
};

// Position of a walk in the tree. The nodes come in the file's order, parents first.
class SchemaTree {
 public:
  // Enters the next node, `index` from 0 for the root.
  // - kCorrupt: it cannot stand there, or is not complete
  // - kUnsupported: the tree is too deep, or a group too wide
  Status enter(const SchemaNode& node, std::uint32_t index);

  // Returns the depth of the next node.
  unsigned next_depth() const { return open_; }

  // Return properties of the last node entered.
  unsigned depth() const { return node_depth_; }
  std::uint8_t max_definition() const { return max_definition_; }
  std::uint8_t max_repetition() const { return max_repetition_; }

  // Returns whether all groups have their children.
  bool complete() const { return open_ == 0; }

  // Largest depth: a level then has four bits, and a group of eight of them takes a word.
  static constexpr unsigned kMaxDepth = 15;

 private:
  // State of the groups that are not complete.
  std::uint16_t children_left_[kMaxDepth];
  std::uint8_t levels_[kMaxDepth];  // maximum definition level << 4 | maximum repetition level
  unsigned open_ = 0;
  unsigned node_depth_ = 0;
  std::uint8_t max_definition_ = 0;
  std::uint8_t max_repetition_ = 0;
};

}  // namespace microparquet::detail
