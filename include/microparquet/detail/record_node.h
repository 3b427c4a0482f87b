// The schema as rows are put together by it.
#pragma once

#include <cstdint>

#include "microparquet/column_values.h"
#include "microparquet/detail/schema_tree.h"

namespace microparquet::detail {

// What a node is in a row, apart from its own repetition.
enum class RecordShape : std::uint8_t { kValue, kStruct, kList, kMap };

// A node of the schema, in its order.
struct RecordNode {
  std::uint32_t end;         // after the nodes below it
  std::uint32_t first_leaf;  // of the chosen columns at it or below it
  std::uint32_t end_leaf;    // after the last of them; first_leaf: none is chosen
  std::uint8_t definition;   // an item that has it, or more, has the node
  std::uint8_t repetition;   // of a repeated node: that of an item which continues the list
  RecordShape shape;
  std::uint8_t annotation;  // while the shapes are found
  bool repeated;
  bool is_element;  // of a list's repeated node: an element is this node, and not its only child

  bool chosen() const { return first_leaf != end_leaf; }
};

// A chosen column, in the schema's order.
struct RecordLeaf {
  Item item;
  std::uint32_t place;  // among the chosen columns
  bool loaded;          // `item` is the next one
  bool ended;           // there is none
};

}  // namespace microparquet::detail
