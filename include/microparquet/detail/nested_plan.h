// Constants of a nested schema, for the typed reader of any such schema.
#pragma once

#include <cstdint>
#include <string_view>

#include "microparquet/column_values.h"
#include "microparquet/span.h"
#include "microparquet/status.h"
#include "microparquet/type.h"

namespace microparquet::detail {

inline constexpr std::uint16_t kNoNode = 0xFFFF;

enum class NestedKind : std::uint8_t { kValue, kGroup, kList, kMap };

// Node of the schema, in its order: parents first. The element of a list is the node after it. Node 0 is the
// row.
struct NestedNode {
  std::string_view name;
  std::uint32_t capacity;     // capacity of a list's or map's member
  std::uint32_t type_length;  // length of kFixedLenByteArray
  std::uint16_t parent;
  std::uint16_t end;         // number after the nodes below it
  std::uint16_t first_leaf;  // first leaf at or below it
  NestedKind kind;
  Type type;  // type of a value

  bool is_list() const { return kind == NestedKind::kList || kind == NestedKind::kMap; }
};

// Place of the node in a file.
struct NestedPlace {
  std::uint32_t elements;           // elements of a list or map in the row, by its first leaf
  std::uint8_t definition;          // lowest level of an item that has the node
  std::uint8_t element_definition;  // lowest level of an item that has an element of the list or map
  bool found;
};

// Largest depth of lists in lists.
inline constexpr unsigned kMaxLists = 4;

// Item on its way into a row.
struct NestedItem {
  Cell cell;
  std::uint8_t definition = 0;
  std::uint8_t repetition = 0;
  bool cut = false;                     // whether a list inside a list had no room for it
  const NestedPlace* places = nullptr;  // places of all nodes
  std::uint32_t at[kMaxLists] = {};     // number of the element in each list around it, from the outermost on
  std::uint32_t count[kMaxLists] = {};  // number of elements in the row for each of these lists, also those
                                        // without room
};

// Stores an item in its place in the row.
// - kNullValue, kInvalidArgument: the member cannot hold it
// - kCorrupt: columns of one list or struct do not agree
using StoreItem = Status(void* row, NestedItem& item);

// Plan of a column.
struct NestedLeafPlan {
  StoreItem* store;
  std::uint16_t node;
  std::uint16_t list;  // its outermost list; kNoNode: none
};

struct NestedPlan {
  Span<const NestedNode> nodes;
  Span<const NestedLeafPlan> leaves;
  void (*clear_lists)(void* row);
};

}  // namespace microparquet::detail
