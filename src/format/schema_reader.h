// The schema of a file, node by node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/schema.h"
#include "microparquet/status.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

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

// Takes a field of SchemaElement that belongs to SchemaNode. False: it does not, and is not passed.
bool read_schema_field(thrift::CompactReader& in, const thrift::FieldHeader& field, SchemaNode& node);

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

// Compares a path, names joined by dots, with the nodes of a schema as they come.
class PathMatch {
 public:
  // A path of more than 65,534 bytes matches nothing.
  PathMatch(std::string_view path, const SchemaTree& tree) : path_(path), tree_(tree) {}

  // Takes the name of the next node, whose bytes are next in the input.
  void read_name(thrift::CompactReader& in, std::uint32_t bytes);

  // The node entered last is a leaf: whether it is the one that is looked for.
  bool found() const { return end_ == path_.size(); }

  // It is a group: its children go on behind the dot.
  void enter_group();

 private:
  static constexpr std::uint16_t kNone = 0xFFFF;

  std::string_view path_;
  const SchemaTree& tree_;
  std::size_t end_ = kNone;                        // in the path, behind the name of the node at hand
  std::uint16_t rest_[SchemaTree::kMaxDepth + 1];  // where the names of a depth begin
};

// Reads the next element, `index` from 0 for the root, and enters it in the tree. `match` takes its name;
// null: nobody does. False: after an error.
bool read_schema_element(thrift::CompactReader& in, std::uint32_t index, SchemaTree& tree, SchemaNode& node,
                         PathMatch* match);

}  // namespace microparquet::format
