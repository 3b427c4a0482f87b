// Faults of a table of nodes.
#include "base/try.h"
#include "c/convert.h"
#include "c/nested_table.h"

namespace microparquet::c {
namespace {

// Place of the check: a part whose children are being passed.
struct TableLevel {
  std::uint32_t bytes;  // size of what the children lie in
  std::uint16_t first;  // first of them
  std::uint16_t left;   // children that are to come
  std::uint8_t names;
  std::uint8_t lists;
  bool has_names;  // whether its children have names of their own
};

// Returns the bytes of a value in a row; 0: none suit.
std::uint32_t bytes_in_row(const mpq_node& node) {
  const Field& field = node.type->field;
  const std::uint32_t usual = value_bytes(field.type, field.type_length);
  if (field.type == Type::kByteArray) return sizeof(mpq_text);
  if (field.type == Type::kFixedLenByteArray) return usual + node.bytes;
  if (node.bytes == 0) return usual;
  const bool narrow = field.logical.kind == LogicalKind::kInteger && field.logical.bits <= 8 * node.bytes;
  return narrow && (node.bytes == 1 || node.bytes == 2) ? node.bytes : 0;
}

std::uint32_t bytes_of_part(const mpq_node& node) {
  if (node.kind == nullptr) return bytes_in_row(node);
  switch (node.kind->shape) {
    case NodeShape::kStruct: return node.stride;
    case NodeShape::kSpan: return sizeof(void*);
    default: return std::uint32_t{node.stride} * node.capacity;
  }
}

// Bytes of a row that a node takes: itself, then its flag and its count, or nothing.
struct PartExtent {
  std::uint32_t begin;
  std::uint32_t end;

  bool meets(const PartExtent& other) const { return begin < other.end && other.begin < end; }
};
constexpr unsigned kExtents = 3;

PartExtent extent_of(const mpq_node& node, unsigned number) {
  std::uint32_t begin = node.offset;
  std::uint32_t bytes = 0;
  if (number == 0) {
    bytes = bytes_of_part(node);
  } else if (number == 1 && node.optional != nullptr) {
    begin = node.valid_offset;
    bytes = 1;
  } else if (number == 2 && has_count(node)) {
    begin = node.count_offset;
    bytes = sizeof(std::uint16_t);
  }
  return {begin, begin + bytes};
}

// Returns whether two nodes of a struct lie over one another. Flags and counts may be shared, and a struct may have its
// own flag inside.
bool overlaps(const mpq_node& a, const mpq_node& b) {
  if (&a != &b && extent_of(a, 0).meets(extent_of(b, 0))) return true;
  const bool own = &a == &b && a.kind != nullptr && a.kind->shape == NodeShape::kStruct;
  for (unsigned i = 1; i < kExtents && !own; ++i) {
    if (extent_of(a, 0).meets(extent_of(b, i)) || extent_of(b, 0).meets(extent_of(a, i))) return true;
  }
  return false;
}

bool has_good_name(const mpq_node& node) {
  return node.name != nullptr && *node.name != 0 && bytes_of(node.name) <= kLongestName;
}

bool same_name(const mpq_node& a, const mpq_node& b) {
  return &a != &b && view_of(a.name) == view_of(b.name);
}

// Returns the number after the nodes below one. Requires: the table has them.
std::size_t end_below(const mpq_node* nodes, std::size_t at) {
  for (std::size_t open = 1; open != 0; ++at) open += nodes[at].children - std::size_t{1};
  return at;
}

mpq_table_fault check_kind(const mpq_node& node) {
  if ((node.kind != nullptr) == (node.type != nullptr)) return MPQ_TABLE_KIND;
  if (node.kind == nullptr) {
    if (node.children != 0) return MPQ_TABLE_CHILDREN;
    return bytes_in_row(node) != 0 ? MPQ_TABLE_SOUND : MPQ_TABLE_BYTES;
  }
  const NodeShape shape = node.kind->shape;
  const bool right = shape == NodeShape::kStruct ? node.children != 0
                     : shape == NodeShape::kMap  ? node.children == 2
                                                 : node.children == 1;
  if (!right) return MPQ_TABLE_CHILDREN;
  if (node.stride == 0) return MPQ_TABLE_STRIDE;
  return node.kind->lists != nullptr && node.capacity == 0 ? MPQ_TABLE_CAPACITY : MPQ_TABLE_SOUND;
}

mpq_table_fault check_place(const mpq_node* nodes, std::size_t at, const TableLevel& level) {
  const mpq_node& node = nodes[at];
  for (unsigned i = 0; i < kExtents; ++i) {
    const PartExtent extent = extent_of(node, i);
    if (extent.begin != extent.end && extent.end > level.bytes) return MPQ_TABLE_OUTSIDE;
  }
  for (std::size_t other = level.first; other <= at; other = end_below(nodes, other)) {
    if (level.has_names && same_name(node, nodes[other])) return MPQ_TABLE_NAME;
    if (overlaps(node, nodes[other])) return MPQ_TABLE_OVERLAP;
    if (other == at) break;
  }
  return MPQ_TABLE_SOUND;
}

// Goes from the part to what is inside it.
mpq_table_fault enter_part(const mpq_node& node, std::size_t at, const TableLevel& above,
                           TableLevel& inside) {
  const bool list = is_list(node);
  inside.bytes = node.stride;
  inside.first = static_cast<std::uint16_t>(at + 1);
  inside.left = node.children;
  inside.names = static_cast<std::uint8_t>(above.names + (list ? 2 : 1));
  inside.lists = static_cast<std::uint8_t>(above.lists + (list ? 1 : 0));
  inside.has_names = !list;
  return inside.lists > kMostLists ? MPQ_TABLE_LISTS : MPQ_TABLE_SOUND;
}

mpq_table_fault check_node(const mpq_node* nodes, std::size_t at, const TableLevel& level) {
  const mpq_node& node = nodes[at];
  if (level.has_names && !has_good_name(node)) return MPQ_TABLE_NAME;
  if (const mpq_table_fault fault = check_kind(node); fault != MPQ_TABLE_SOUND) return fault;
  // A part with others inside takes at least one name more.
  const unsigned names = level.names + (node.kind == nullptr ? 1U : is_list(node) ? 3U : 2U);
  if (names > kMostNames) return MPQ_TABLE_DEPTH;
  const bool key = level.first == at && at != 0 && nodes[at - 1].kind != nullptr &&
                   nodes[at - 1].kind->shape == NodeShape::kMap;
  if (key && node.optional != nullptr) return MPQ_TABLE_KEY;
  return check_place(nodes, at, level);
}

}  // namespace

mpq_table_fault check_table(const mpq_table& table, std::size_t& node, TableSize& size) {
  node = 0;
  size = {};
  if (table.nodes == nullptr || table.node_count == 0 || table.node_count >= kNoParent)
    return MPQ_TABLE_EMPTY;
  TableLevel levels[kMostNames] = {};
  levels[0].bytes = table.row_bytes < 0xFFFFFFFF ? static_cast<std::uint32_t>(table.row_bytes) : 0xFFFFFFFF;
  levels[0].has_names = true;
  unsigned depth = 0;
  for (; node < table.node_count; ++node) {
    const mpq_node& here = table.nodes[node];
    mpq_table_fault fault = check_node(table.nodes, node, levels[depth]);
    if (fault != MPQ_TABLE_SOUND) return fault;
    if (here.kind != nullptr) {
      fault = enter_part(here, node, levels[depth], levels[depth + 1]);
      if (fault != MPQ_TABLE_SOUND) return fault;
      ++depth;
      continue;
    }
    ++size.leaves;
    if (levels[depth].lists != 0) ++size.list_leaves;
    while (depth != 0 && --levels[depth].left == 0) --depth;
  }
  return depth == 0 ? MPQ_TABLE_SOUND : MPQ_TABLE_CHILDREN;
}

}  // namespace microparquet::c

mpq_table_fault mpq_table_check(const mpq_table* table, std::size_t* node) {
  std::size_t at = 0;
  microparquet::c::TableSize size{};
  const mpq_table_fault fault =
      table != nullptr ? microparquet::c::check_table(*table, at, size) : MPQ_TABLE_EMPTY;
  if (node != nullptr) *node = at;
  return fault;
}

const char* mpq_table_fault_text(mpq_table_fault fault) {
  constexpr const char* kNames[] = {"sound", "empty",  "name",     "kind",  "children", "depth",  "lists",
                                    "key",   "stride", "capacity", "bytes", "outside",  "overlap"};
  const auto number = static_cast<std::size_t>(fault);
  return number < sizeof kNames / sizeof *kNames ? kNames[number] : "unknown fault";
}
