// The schema of a file, node by node.
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

// Takes a field of SchemaElement that belongs to SchemaNode. False: it does not, and is not passed.
bool read_schema_field(thrift::CompactReader& in, const thrift::FieldHeader& field, SchemaNode& node);

// Compares a path, names joined by dots, with the nodes of a schema as they come.
class PathMatch {
 public:
  // Matches no column whose own name begins after the path's first 65,534 bytes.
  PathMatch(std::string_view path, const SchemaTree& tree) : path_(path), tree_(tree) {}

  // Takes the name of the next node, whose bytes are next in the input.
  void read_name(thrift::CompactReader& in, std::uint32_t bytes);

  // The node entered last is a leaf: whether it is the one that is looked for.
  bool found() const { return end_ == path_.size(); }

  // It is a group: its children continue after the dot.
  void enter_group();

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  static constexpr std::uint16_t kNone = 0xFFFF;

  std::string_view path_;
  const SchemaTree& tree_;
  std::size_t end_ = kNowhere;                     // in the path, after the name of the current node
  std::uint16_t rest_[SchemaTree::kMaxDepth + 1];  // where the names of a depth begin
};

// Reads the next element, `index` from 0 for the root, and enters it in the tree. `match` takes its name;
// null: nobody does. False: after an error.
bool read_schema_element(thrift::CompactReader& in, std::uint32_t index, SchemaTree& tree, SchemaNode& node,
                         PathMatch* match);

}  // namespace microparquet::format
