// Table of nodes of C, as its writer keeps it in the caller's memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "c/schema_objects.h"
#include "microparquet/c/nested.h"
#include "microparquet/detail/deep_levels.h"
#include "microparquet/detail/list_levels.h"
#include "microparquet/detail/writer_plan.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"

namespace microparquet::c {

// Most names of a path, that of the column included.
inline constexpr unsigned kMostNames = 14;
inline constexpr std::size_t kLongestName = 127;
inline constexpr unsigned kMostLists = 3;
inline constexpr std::uint16_t kNoParent = 0xFFFF;

// A value of the table: a column of the file.
struct NestedLeaf {
  alignas(std::uint64_t) std::byte levels[sizeof(detail::ListLevels)];  // ListLevels, DeepLevels, or nothing
  std::uint16_t node;
  std::uint8_t depth;  // nodes on the way to it, with itself
  std::uint8_t names;  // names of its path
  std::uint8_t max_definition;
  std::uint8_t max_repetition;  // 0: it is in no list
  bool narrow;                  // an integer of one or two bytes in a row
  bool is_signed;
};
static_assert(sizeof(detail::DeepLevels) <= sizeof(detail::ListLevels));

// What a list needs of the library. Tables without lists do not link it.
struct NestedLists {
  // Makes the levels and the encoder of a leaf in lists, and names them in its field.
  void (*apply)(NestedLeaf& leaf, Field& field, detail::ListEncoder* encoder,
                const mpq_nested_encoding* encoding, std::uint32_t usual_slots);
  // Changes the plan of a writer for lists. Requires: the columns are planned.
  void (*adjust)(detail::WriterPlan& plan, const mpq_nested_encoding* richest);
  Status (*fit)(detail::WriterState& state, detail::ColumnWriter& column, const detail::RowNeed& need,
                bool& again);
  bool (*fits_empty_page)(detail::ColumnWriter& column, const detail::RowNeed& need);
  void (*put_slots)(detail::ColumnWriter& column, std::uint8_t repetition, std::uint8_t next,
                    std::uint8_t definition, std::uint32_t slots);
  void (*end_slots)(const detail::ColumnWriter& column, std::uint32_t slots);
};

// What the writer keeps, at the head of the memory. All zeros: there is no table.
struct NestedTable {
  const mpq_nested_setup* setup;
  const NestedLists* lists;  // null: there are none
  std::uint16_t* parents;    // number of the node that each is in; kNoParent: none
  NestedLeaf* leaves;
  detail::ListEncoder* encoders;  // of leaves in lists, in their order
  Field* fields;
  std::uint32_t leaf_count;
  std::uint32_t list_leaf_count;
  const detail::WriterPlan* plan;
  std::byte* arena;

  const mpq_node& node(std::size_t number) const { return setup->table.nodes[number]; }
  Schema schema() const { return {fields, leaf_count}; }
  const Options& options() const {
    return reinterpret_cast<const Options&>(setup->options != nullptr ? *setup->options
                                                                      : mpq_default_options);
  }
};

// Nodes from the row to a leaf.
struct NestedPath {
  std::uint16_t nodes[kMostNames];

  NestedPath(const NestedTable& table, const NestedLeaf& leaf) {
    std::uint16_t node = leaf.node;
    for (unsigned i = leaf.depth; i != 0; node = table.parents[node]) nodes[--i] = node;
  }
};

enum class NodeShape : std::uint8_t { kStruct, kArray, kList, kSpan, kMap };

// Numbers of a sound table.
struct TableSize {
  std::uint32_t leaves;
  std::uint32_t list_leaves;
};

// Checks a table: see mpq_table_check().
mpq_table_fault check_table(const mpq_table& table, std::size_t& node, TableSize& size);

}  // namespace microparquet::c

struct mpq_kind {
  microparquet::c::NodeShape shape;
  const microparquet::c::NestedLists* lists;  // null: it is a struct
};

struct mpq_missing {
  // Names the levels of a value that is in no list. Requires: `highest` is not 0.
  void (*apply)(microparquet::c::NestedLeaf& leaf, microparquet::Field& field, std::uint8_t highest);
};

struct mpq_nested_encoding {
  const mpq_encoding* flat;  // of values, in lists or not
  microparquet::detail::ListEncoder (*list_encoder)(const microparquet::Encoder& inner,
                                                    std::uint32_t usual_slots);
  microparquet::detail::WriteRowGroup* write_row_group;          // of lists, without dictionaries
  microparquet::detail::WriteRowGroup* write_with_dictionaries;  // null: it has none
};

namespace microparquet::c {

inline bool is_list(const mpq_node& node) { return node.kind != nullptr && node.kind->lists != nullptr; }
inline bool has_count(const mpq_node& node) { return is_list(node) && node.kind->shape != NodeShape::kArray; }

}  // namespace microparquet::c
