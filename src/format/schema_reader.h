// Reading a file's schema, node by node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/schema_tree.h"
#include "microparquet/schema.h"
#include "microparquet/status.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

using detail::SchemaNode;
using detail::SchemaTree;

// Reads a field of SchemaElement into the node. Returns false without passing it if the node does not hold
// it.
bool read_schema_field(thrift::CompactReader& in, const thrift::FieldHeader& field, SchemaNode& node);

// Compares a path, names joined by dots, with the nodes of a schema as they are read.
class PathMatch {
 public:
  // Matches no column whose own name begins after the path's first 65,534 bytes.
  PathMatch(std::string_view path, const SchemaTree& tree) : path_(path), tree_(tree) {}

  // Compares the name of the next node, whose bytes are next in the input.
  void read_name(thrift::CompactReader& in, std::uint32_t bytes);

  // Returns whether the last node entered, a leaf, is the column of the path.
  bool found() const { return end_ == path_.size(); }

  // Enters a group: the names of its children follow after the dot.
  void enter_group();

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  static constexpr std::uint16_t kNone = 0xFFFF;

  std::string_view path_;
  const SchemaTree& tree_;
  std::size_t end_ = kNowhere;                     // position in the path after the name of the current node
  std::uint16_t rest_[SchemaTree::kMaxDepth + 1];  // begin of the names at each depth
};

// Reads the next element, `index` from 0 for the root, and enters it in the tree. `match`, unless it is null,
// compares its name. Returns false after an error.
bool read_schema_element(thrift::CompactReader& in, std::uint32_t index, SchemaTree& tree, SchemaNode& node,
                         PathMatch* match);

}  // namespace microparquet::format
