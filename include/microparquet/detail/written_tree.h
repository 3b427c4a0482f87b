// Schema of a struct with structs and arrays inside, as the footer has it: nodes in order, parents first, and the
// leaves, which are the columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/nested.h"
#include "microparquet/schema.h"

namespace microparquet::detail {

// Most names of a path, that of the column included: a list of more has a longer header.
inline constexpr std::size_t kMostPathNames = 14;

// Longest name in a tree: its length is one byte, as is the dot that stands for it in Field::name.
inline constexpr std::size_t kMostTreeName = 127;

struct WrittenNode {
  Field field;                 // of a group its name and repetition
  std::uint32_t children = 0;  // 0: a column
  bool list = false;
};

struct WrittenLeaf {
  Field field;  // as in its own struct
  std::string_view path[kMostPathNames] = {};
  std::size_t names = 0;
  std::uint8_t max_definition = 0;  // without that of an array
  bool array = false;               // in one: a list in the file
  std::uint32_t slots = 1;          // values of a row

  constexpr std::uint32_t path_bytes() const {
    std::uint32_t bytes = 0;
    for (std::size_t i = 0; i < names; ++i) bytes += static_cast<std::uint32_t>(path[i].size());
    return bytes;
  }
};

// What in a tree is not written.
enum class TreeFault : std::uint8_t {
  kNone,
  kName,
  kDepth,
  kOptionalArray,
  kArrayOfArrays,
  kOptionalInArray,
  kList,
};

// Nodes in the file of a part of the schema: a list also has its repeated group.
template <typename Part>
inline constexpr std::size_t kWrittenNodes = 1;
template <typename Row, typename Accessor, typename... Members>
inline constexpr std::size_t kWrittenNodes<TypedGroup<Row, Accessor, Members...>> =
    1 + (kWrittenNodes<Members> + ...);
template <typename Row, typename Accessor, typename Element>
inline constexpr std::size_t kWrittenNodes<TypedList<Row, Accessor, Element>> = 2 + kWrittenNodes<Element>;

template <std::size_t kNodes, std::size_t kLeaves>
struct WrittenTree {
  std::array<WrittenNode, kNodes> nodes = {};
  std::array<WrittenLeaf, kLeaves> leaves = {};
  std::size_t node_count = 0;
  std::size_t leaf_count = 0;
  TreeFault fault = TreeFault::kNone;
  std::string_view faulty;  // name of the part at fault

  // Place of the walk.
  struct Place {
    std::string_view path[kMostPathNames + 1] = {};
    std::size_t names = 0;
    std::uint8_t definition = 0;
    std::uint32_t slots = 1;
    bool in_array = false;
  };

  constexpr void refuse(TreeFault kind, std::string_view name) {
    if (fault != TreeFault::kNone) return;
    fault = kind;
    faulty = name;
  }
  constexpr Place enter(const Place& above, std::string_view name) {
    Place place = above;
    if (name.empty() || name.size() > kMostTreeName) refuse(TreeFault::kName, name);
    if (place.names == kMostPathNames) refuse(TreeFault::kDepth, name);
    if (place.names < kMostPathNames) place.path[place.names++] = name;
    return place;
  }
  constexpr Place begin_group(const Place& above, std::string_view name, Repetition repetition, bool list,
                              std::size_t children) {
    WrittenNode& node = nodes[node_count++];
    node.field.name = name;
    node.field.repetition = repetition;
    node.children = static_cast<std::uint32_t>(children);
    node.list = list;
    Place place = enter(above, name);
    if (repetition != Repetition::kOptional) return place;
    ++place.definition;
    if (above.in_array) refuse(TreeFault::kOptionalInArray, name);
    return place;
  }

  template <typename Row, typename Accessor>
  constexpr void add(const TypedColumn<Row, Accessor>& column, const Place& above) {
    Place place = enter(above, column.field.name);
    if (column.field.repetition == Repetition::kOptional) {
      ++place.definition;
      if (above.in_array) refuse(TreeFault::kOptionalInArray, column.field.name);
    }
    nodes[node_count++].field = column.field;
    WrittenLeaf& leaf = leaves[leaf_count++];
    leaf.field = column.field;
    for (std::size_t i = 0; i < place.names; ++i) leaf.path[i] = place.path[i];
    leaf.names = place.names;
    leaf.max_definition = place.definition;
    leaf.array = place.in_array;
    leaf.slots = place.slots;
  }
  template <typename Row, typename Accessor, typename... Members>
  constexpr void add(const TypedGroup<Row, Accessor, Members...>& group, const Place& above) {
    constexpr bool kOptional = OptionalValue<AccessedBy<Row, Accessor>>::kOptional;
    const Repetition repetition = kOptional ? Repetition::kOptional : Repetition::kRequired;
    const Place place = begin_group(above, group.name, repetition, false, sizeof...(Members));
    for_each_column(group.members, [&](auto, const auto& member) { add(member, place); });
  }
  template <typename Row, typename Accessor, typename Element>
  constexpr void add(const TypedList<Row, Accessor, Element>& list, const Place& above) {
    using Member = AccessedBy<Row, Accessor>;
    if (OptionalValue<Member>::kOptional || above.definition != 0)
      refuse(TreeFault::kOptionalArray, list.name);
    if (above.in_array) refuse(TreeFault::kArrayOfArrays, list.name);
    if (kArraySize<Member> == 0) refuse(TreeFault::kList, list.name);
    const Place group = begin_group(above, list.name, Repetition::kRequired, true, 1);
    Place place = begin_group(group, "list", Repetition::kRepeated, false, 1);
    place.slots = kArraySize<Member>;
    place.in_array = true;
    add(list.element, place);
  }
};

}  // namespace microparquet::detail
