// Schema of a struct with structs, arrays, lists and maps inside, as the footer has it: nodes in order, parents first,
// and the leaves, which are the columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "microparquet/detail/list_levels.h"
#include "microparquet/nested.h"
#include "microparquet/schema.h"

namespace microparquet::detail {

// Most names of a path, that of the column included: a list of more has a longer header.
inline constexpr std::size_t kMostPathNames = 14;

// Longest name in a tree: its length is one byte, as is the dot that stands for it in Field::name.
inline constexpr std::size_t kMostTreeName = 127;

// Most lists in one another. A definition level has four bits at most: paths are no longer.
inline constexpr std::uint8_t kMostRepetition = 3;

enum class GroupKind : std::uint8_t { kPlain, kList, kMap };

struct WrittenNode {
  Field field;                 // of a group its name and repetition
  std::uint32_t children = 0;  // 0: a column
  GroupKind kind = GroupKind::kPlain;
};

struct WrittenLeaf {
  Field field;  // as in its own struct
  std::string_view path[kMostPathNames] = {};
  std::size_t names = 0;
  std::uint8_t max_definition = 0;  // without that of an array
  std::uint8_t max_repetition = 0;  // 0: it is in no list, or in an array
  bool always = false;      // in one array, where nothing is missing: a list of `slots` values in the file
  bool array = false;       // the same, if encodes_arrays()
  std::uint32_t slots = 1;  // values of a row; in other lists the usual number

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
  kLists,
};

// Nodes in the file of a part of the schema: a list also has its repeated group.
template <typename Part>
inline constexpr std::size_t kWrittenNodes = 1;
template <typename Row, typename Accessor, typename... Members>
inline constexpr std::size_t kWrittenNodes<TypedGroup<Row, Accessor, Members...>> =
    1 + (kWrittenNodes<Members> + ...);
template <typename Row, typename Accessor, typename Element>
inline constexpr std::size_t kWrittenNodes<TypedList<Row, Accessor, Element>> = 2 + kWrittenNodes<Element>;

// Elements that a row is expected to have before there has been one: half of those that a list can hold.
template <typename Sequence>
inline constexpr std::uint32_t kUsualSize = 16;
template <typename T, std::size_t N>
inline constexpr std::uint32_t kUsualSize<List<T, N>> = static_cast<std::uint32_t>((N + 1) / 2);
template <typename T, std::size_t N>
inline constexpr std::uint32_t kUsualSize<std::array<T, N>> = static_cast<std::uint32_t>(N);

// True for a group that may be the entry of a map.
template <typename Element>
struct IsMapElement : std::false_type {};
template <typename Row, typename... Members>
struct IsMapElement<TypedGroup<Row, Itself, Members...>> : std::true_type {};

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
    std::uint8_t repetition = 0;
    std::uint32_t slots = 1;
    bool fixed = true;  // all rows have as many slots
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
  constexpr Place begin_group(const Place& above, std::string_view name, Repetition repetition,
                              GroupKind kind, std::size_t children) {
    WrittenNode& node = nodes[node_count++];
    node.field.name = name;
    node.field.repetition = repetition;
    node.children = static_cast<std::uint32_t>(children);
    node.kind = kind;
    Place place = enter(above, name);
    if (repetition != Repetition::kRequired) ++place.definition;
    if (repetition == Repetition::kRepeated) ++place.repetition;
    if (place.repetition > kMostRepetition) refuse(TreeFault::kLists, name);
    return place;
  }

  template <typename Row, typename Accessor>
  constexpr void add(const TypedColumn<Row, Accessor>& column, const Place& above) {
    Place place = enter(above, column.field.name);
    if (column.field.repetition == Repetition::kOptional) ++place.definition;
    nodes[node_count++].field = column.field;
    WrittenLeaf& leaf = leaves[leaf_count++];
    leaf.field = column.field;
    for (std::size_t i = 0; i < place.names; ++i) leaf.path[i] = place.path[i];
    leaf.names = place.names;
    leaf.slots = place.slots;
    leaf.always = place.repetition == 1 && place.definition == 1 && place.fixed;
    leaf.array = leaf.always && encodes_arrays(*column.field.encoder);
    if (leaf.array) return;
    leaf.max_definition = place.definition;
    leaf.max_repetition = place.repetition;
  }
  template <typename Row, typename Accessor, typename... Members>
  constexpr void add(const TypedGroup<Row, Accessor, Members...>& group, const Place& above) {
    constexpr bool kOptional = OptionalValue<AccessedBy<Row, Accessor>>::kOptional;
    const Repetition repetition = kOptional ? Repetition::kOptional : Repetition::kRequired;
    add_members(group, begin_group(above, group.name, repetition, GroupKind::kPlain, sizeof...(Members)));
  }
  template <typename Row, typename Accessor, typename... Members>
  constexpr void add_members(const TypedGroup<Row, Accessor, Members...>& group, const Place& place) {
    for_each_column(group.members, [&](auto, const auto& member) { add(member, place); });
  }
  template <typename Row, typename Accessor, typename Element>
  constexpr void add(const TypedList<Row, Accessor, Element>& list, const Place& above) {
    using Member = AccessedBy<Row, Accessor>;
    using Held = typename OptionalValue<Member>::type;
    constexpr bool kOptional = OptionalValue<Member>::kOptional;
    const Place group =
        begin_group(above, list.name, kOptional ? Repetition::kOptional : Repetition::kRequired,
                    list.map ? GroupKind::kMap : GroupKind::kList, 1);
    if constexpr (IsMapElement<Element>::value) {
      if (list.map) return add_members(list.element, repeated<Held>(group, "key_value", 2));
    }
    add(list.element, repeated<Held>(group, "list", 1));
  }
  // Begins the repeated group of a list or map that is a `Sequence`.
  template <typename Sequence>
  constexpr Place repeated(const Place& group, std::string_view name, std::size_t children) {
    Place place = begin_group(group, name, Repetition::kRepeated, GroupKind::kPlain, children);
    place.slots *= kUsualSize<Sequence>;
    place.fixed = group.fixed && kArraySize<Sequence> != 0;
    return place;
  }
};

}  // namespace microparquet::detail
