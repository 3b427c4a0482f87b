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
  // - kUnsupported: the tree is too deep
  Status enter(const SchemaNode& node, std::uint32_t index);

  // Of the node that comes next.
  unsigned next_depth() const { return open_; }

  // Of the node entered last.
  unsigned depth() const { return node_depth_; }
  std::uint8_t max_definition() const { return max_definition_; }
  std::uint8_t max_repetition() const { return max_repetition_; }

  // All groups have their children.
  bool complete() const { return open_ == 0; }

  static constexpr unsigned kMaxDepth = 16;

 private:
  struct Group {
    std::uint32_t children_left;
    std::uint8_t definition;
    std::uint8_t repetition;
  };

  Group groups_[kMaxDepth];
  unsigned open_ = 0;
  unsigned node_depth_ = 0;
  std::uint8_t max_definition_ = 0;
  std::uint8_t max_repetition_ = 0;
};

}  // namespace microparquet::format
