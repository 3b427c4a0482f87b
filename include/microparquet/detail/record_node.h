// Schema nodes for assembling rows.
#pragma once

#include <cstdint>

#include "microparquet/column_values.h"
#include "microparquet/detail/schema_tree.h"

namespace microparquet::detail {

// Shape of a node in a row, disregarding its own repetition.
enum class RecordShape : std::uint8_t { kValue, kStruct, kList, kMap };

// Node of the schema, in its order.
struct RecordNode {
  std::uint32_t end;         // number after the nodes below it
  std::uint32_t first_leaf;  // first chosen column at or below it
  std::uint32_t end_leaf;    // number after the last of these; first_leaf: none is chosen
  std::uint8_t definition;   // lowest level of an item that has the node
  std::uint8_t repetition;   // repeated node: level of an item that continues the list
  RecordShape shape;
  std::uint8_t annotation;  // scratch while the shapes are found
  bool repeated;
  bool is_element;  // repeated node of a list: whether it is the element itself, rather than its only child

  bool chosen() const { return first_leaf != end_leaf; }
};

// Chosen column, in the schema's order.
struct RecordLeaf {
  Item item;
  std::uint32_t place;  // number among the chosen columns
  bool loaded;          // whether `item` is the next one
  bool ended;           // whether there is no next item
};

}  // namespace microparquet::detail
