// What the typed reader of any nested schema knows of it, as constants.
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

// A node of the schema, in its order: parents first. The element of a list is the node after it. Node 0 is the row.
struct NestedNode {
  std::string_view name;
  std::uint32_t capacity;     // list, map: of its member
  std::uint32_t type_length;  // value: of kFixedLenByteArray
  std::uint16_t parent;
  std::uint16_t end;         // after the nodes below it
  std::uint16_t first_leaf;  // at it or below it
  NestedKind kind;
  Type type;  // value

  bool is_list() const { return kind == NestedKind::kList || kind == NestedKind::kMap; }
};

// The same node in a file.
struct NestedPlace {
  std::uint32_t elements;           // list, map: of the row, as its first leaf has them
  std::uint8_t definition;          // an item that has it, or more, has the node
  std::uint8_t element_definition;  // list, map: the same of an element
  bool found;
};

// The most lists in each other.
inline constexpr unsigned kMaxLists = 4;

// An item on its way into a row.
struct NestedItem {
  Cell cell;
  std::uint8_t definition = 0;
  std::uint8_t repetition = 0;
  bool cut = false;                     // a list inside a list had no place for it
  const NestedPlace* places = nullptr;  // of all nodes
  std::uint32_t at[kMaxLists] = {};  // of the lists down to it, from the outermost on: the element it is in
  std::uint32_t count[kMaxLists] = {};  // of the same: elements in the row, also those without a place
};

// Stores an item where it belongs in the row.
// - kNullValue, kInvalidArgument: it cannot stand there
// - kCorrupt: columns of one list or struct do not agree
using StoreItem = Status(void* row, NestedItem& item);

// A column.
struct NestedLeafPlan {
  StoreItem* store;
  std::uint16_t node;
  std::uint16_t list;  // the outermost one that it is in; kNoNode: none
};

struct NestedPlan {
  Span<const NestedNode> nodes;
  Span<const NestedLeafPlan> leaves;
  void (*clear_lists)(void* row);
};

}  // namespace microparquet::detail
