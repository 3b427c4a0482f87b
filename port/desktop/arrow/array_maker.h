// Arrow arrays made of columns' items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "arrow_node.h"
#include "leaf_items.h"
#include "microparquet/desktop/arrow_abi.h"

namespace microparquet::desktop {

// Memory that an ArrowArray or ArrowSchema points to, and its children.
template <typename Structure>
struct StructureMemory {
  std::deque<std::vector<std::byte>> buffers;  // buffers of an array
  std::vector<const void*> buffer_places;
  std::string format;  // format of a schema
  std::string name;
  std::string metadata;
  std::vector<Structure> children;
  std::vector<Structure*> child_places;
};

// Releases the children that nobody has taken, and what the structure owns.
template <typename Structure>
void release_structure(Structure* structure) {
  auto* const memory = static_cast<StructureMemory<Structure>*>(structure->private_data);
  for (Structure& child : memory->children) {
    if (child.release != nullptr) {
      child.release(&child);
    }
  }
  delete memory;
  structure->release = nullptr;
}

// Hands `memory`, made by new, to `structure`.
template <typename Structure>
void own(Structure& structure, StructureMemory<Structure>* memory) {
  for (Structure& child : memory->children) {
    memory->child_places.push_back(&child);
  }
  structure.n_children = static_cast<std::int64_t>(memory->children.size());
  structure.children = memory->child_places.data();
  structure.release = &release_structure<Structure>;
  structure.private_data = memory;
}

// A struct array with a slot for each of `rows` rows, whose items all `leaves` have. It owns its memory. Throws Failure: a
// list or a decimal is longer than its type in Arrow can hold.
ArrowArray make_array(const ArrowNode& row, const std::vector<LeafItems>& leaves, std::uint64_t rows);

// The type of the arrays of `node`, the row; it owns its memory. `metadata` are those of the whole, as Arrow encodes them; empty: none.
ArrowSchema make_schema(const ArrowNode& node, const std::string& metadata);

}  // namespace microparquet::desktop
