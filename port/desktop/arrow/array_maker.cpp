#include "array_maker.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "leaf_items.h"
#include "microparquet/desktop/failure.h"

namespace microparquet::desktop {

namespace {

using Memory = StructureMemory<ArrowArray>;

// The nearest list around an array, or the rows, whose slots the array has.
struct Enclosing {
  std::uint8_t repetition = 0;  // an item of it, or less, begins a slot
  std::uint8_t definition = 0;  // least definition level
};

std::vector<std::byte> bitmap_of(const Slots& slots) {
  std::vector<std::byte> bits((slots.size() + 7) / 8);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    bits[i / 8] |= static_cast<std::byte>(slots[i] << (i % 8));
  }
  return bits;
}

class ArrayMaker {
 public:
  explicit ArrayMaker(const std::vector<LeafItems>& leaves) : leaves_(leaves) {}

  ArrowArray make(const ArrowNode& node, const Enclosing& enclosing) const {
    const Slots slots = slots_of(node, enclosing);
    auto memory = std::make_unique<Memory>();
    ArrowArray array = {};
    array.length = static_cast<std::int64_t>(slots.size());
    if (node.conversion != Conversion::kNone || node.kind != ArrowNode::Kind::kValue) {
      array.null_count = static_cast<std::int64_t>(std::count(slots.begin(), slots.end(), 0));
      memory->buffers.push_back(array.null_count != 0 ? bitmap_of(slots) : std::vector<std::byte>());
    } else {
      array.null_count = array.length;
    }
    try {
      fill(node, enclosing, slots, *memory);
    } catch (...) {
      release_children(*memory);
      throw;
    }
    for (const std::vector<std::byte>& buffer : memory->buffers) {
      memory->buffer_places.push_back(buffer.data());
    }
    array.n_buffers = static_cast<std::int64_t>(memory->buffers.size());
    array.buffers = memory->buffer_places.data();
    own(array, memory.release());
    return array;
  }

 private:
  static void release_children(Memory& memory) {
    for (ArrowArray& child : memory.children) {
      child.release(&child);
    }
  }

  // Marks the slots that are not null.
  Slots slots_of(const ArrowNode& node, const Enclosing& enclosing) const {
    const LeafItems& items = leaves_[node.leaf];
    Slots slots;
    slots.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items.repetition(i) <= enclosing.repetition && items.definition(i) >= enclosing.definition) {
        slots.push_back(items.definition(i) >= node.definition ? 1 : 0);
      }
    }
    return slots;
  }

  void fill(const ArrowNode& node, const Enclosing& enclosing, const Slots& slots, Memory& memory) const {
    if (node.kind == ArrowNode::Kind::kValue) {
      add_values(node, leaves_[node.leaf], slots, memory.buffers);
      return;
    }
    Enclosing inner = enclosing;
    if (node.kind != ArrowNode::Kind::kStruct) {
      memory.buffers.push_back(list_offsets(node, enclosing, slots.size()));
      inner = {node.repetition, node.element_definition};
    }
    for (const ArrowNode& child : node.children) {
      memory.children.push_back(make(child, inner));
    }
  }

  std::vector<std::byte> list_offsets(const ArrowNode& list, const Enclosing& enclosing,
                                      std::size_t slots) const {
    const LeafItems& items = leaves_[list.leaf];
    std::vector<std::byte> offsets((slots + 1) * sizeof(std::int32_t));
    auto* next = reinterpret_cast<std::int32_t*>(offsets.data());
    std::uint64_t elements = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items.repetition(i) <= enclosing.repetition && items.definition(i) >= enclosing.definition) {
        *next++ = static_cast<std::int32_t>(elements);
      }
      if (items.repetition(i) <= list.repetition && items.definition(i) >= list.element_definition) {
        ++elements;
      }
    }
    if (elements > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
      throw Failure("the lists of column " + list.name + " are too long for one Arrow array");
    }
    *next = static_cast<std::int32_t>(elements);
    return offsets;
  }

  const std::vector<LeafItems>& leaves_;
};

}  // namespace

ArrowArray make_array(const ArrowNode& row, const std::vector<LeafItems>& leaves, std::uint64_t rows) {
  ArrowArray array = ArrayMaker(leaves).make(row, {});
  array.length = static_cast<std::int64_t>(rows);
  return array;
}

ArrowSchema make_schema(const ArrowNode& node, const std::string& metadata) {
  auto* const memory = new StructureMemory<ArrowSchema>();
  memory->format = node.format;
  memory->name = node.name;
  memory->metadata = metadata;
  for (const ArrowNode& child : node.children) {
    memory->children.push_back(make_schema(child, {}));
  }
  ArrowSchema schema = {};
  schema.format = memory->format.c_str();
  schema.name = memory->name.c_str();
  schema.metadata = metadata.empty() ? nullptr : memory->metadata.c_str();
  schema.flags = node.nullable ? ARROW_FLAG_NULLABLE : 0;
  own(schema, memory);
  return schema;
}

}  // namespace microparquet::desktop
