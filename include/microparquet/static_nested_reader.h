// Reader of structs with lists, maps and structs inside, which owns its memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "microparquet/detail/nested_rows.h"
#include "microparquet/nested.h"
#include "microparquet/reader.h"
#include "microparquet/static_reader.h"

namespace microparquet {

namespace detail {

// Parts of a schema that a program uses to reach its members, without the fields, whose encoders must not be
// linked.
template <typename Accessor>
struct ValueMember {
  static constexpr std::size_t kLeaves = 1;
  static constexpr std::size_t kNodes = 1;
  Accessor accessor;
};
template <typename Accessor, typename... Parts>
struct GroupMember {
  static constexpr std::size_t kLeaves = (Parts::kLeaves + ...);
  static constexpr std::size_t kNodes = 1 + (Parts::kNodes + ...);
  Accessor accessor;
  ColumnList<Parts...> parts;
};
template <typename Accessor, typename Element>
struct ListMember {
  static constexpr std::size_t kLeaves = Element::kLeaves;
  static constexpr std::size_t kNodes = 1 + Element::kNodes;
  Accessor accessor;
  Element element;
};

template <typename Row, typename Accessor>
constexpr auto member_of(const TypedColumn<Row, Accessor>& column) {
  return ValueMember<Accessor>{column.accessor};
}
template <typename Row, typename Accessor, typename... Members>
constexpr auto member_of(const TypedGroup<Row, Accessor, Members...>& group);
template <typename Row, typename Accessor, typename Element>
constexpr auto member_of(const TypedList<Row, Accessor, Element>& list) {
  auto element = member_of(list.element);
  return ListMember<Accessor, decltype(element)>{list.accessor, element};
}
template <std::size_t... kIndices, typename... Members>
constexpr auto members_of(const ColumnPlaces<std::index_sequence<kIndices...>, Members...>& list) {
  return make_column_list(member_of(column_at<kIndices>(list))...);
}
template <typename Accessor, typename... Parts>
constexpr GroupMember<Accessor, Parts...> group_member(const Accessor& accessor,
                                                       const ColumnList<Parts...>& parts) {
  return {accessor, parts};
}
template <typename Row, typename Accessor, typename... Members>
constexpr auto member_of(const TypedGroup<Row, Accessor, Members...>& group) {
  return group_member(group.accessor, members_of(group.members));
}

// Places of a list's elements in its member.
template <typename L>
struct ListPlaces {
  static_assert(IsList<L>::value, "a Span is written, not read: it has no places for elements");
  static constexpr std::uint32_t kCapacity = static_cast<std::uint32_t>(L::capacity());
  static void clear(L& list) { list.clear(); }
  // Returns the status of a list without elements in the file.
  static Status end(const L& list) { return list.empty() ? Status::kOk : Status::kCorrupt; }
  // Takes a place for element `at`, which the first column of the list makes. Returns false if it lacks.
  template <bool kFirst>
  static bool take(L& list, std::uint32_t at) {
    if (kFirst && at == list.size()) list.push_back({});
    return at < list.size();
  }
};
// An array has all places. Those that the file's list does not fill are as new.
template <typename T, std::size_t N>
struct ListPlaces<std::array<T, N>> {
  static constexpr std::uint32_t kCapacity = static_cast<std::uint32_t>(N);
  static void clear(std::array<T, N>& array) { array = {}; }
  static Status end(const std::array<T, N>&) { return Status::kOk; }
  template <bool kFirst>
  static bool take(const std::array<T, N>&, std::uint32_t) {
    return true;
  }
};

// Nodes of a nested schema as constants, in order, and its leaves.
template <std::size_t kNodes, std::size_t kLeaves>
struct NestedNodes {
  std::array<NestedNode, kNodes> nodes = {};
  std::array<std::uint16_t, kLeaves> leaf_nodes = {};
  std::array<std::uint16_t, kLeaves> outermost = {};
  std::uint16_t count = 0;
  std::uint16_t leaves = 0;

  constexpr std::uint16_t begin(NestedKind kind, std::string_view name, std::uint16_t parent) {
    NestedNode& node = nodes[count];
    node.name = name;
    node.parent = parent;
    node.first_leaf = leaves;
    node.kind = kind;
    return count++;
  }
  // Adds a part; `list`: its outermost list.
  template <typename Row, typename Accessor>
  constexpr void add(const TypedColumn<Row, Accessor>& column, std::uint16_t parent, std::uint16_t list) {
    const std::uint16_t number = begin(NestedKind::kValue, column.field.name, parent);
    nodes[number].type = column.field.type;
    nodes[number].type_length = column.field.type_length;
    nodes[number].end = count;
    leaf_nodes[leaves] = number;
    outermost[leaves++] = list;
  }
  template <typename Row, typename Accessor, typename... Members>
  constexpr void add(const TypedGroup<Row, Accessor, Members...>& group, std::uint16_t parent,
                     std::uint16_t list) {
    const std::uint16_t number = begin(NestedKind::kGroup, group.name, parent);
    add_all(group.members, number, list);
    nodes[number].end = count;
  }
  template <typename Row, typename Accessor, typename Element>
  constexpr void add(const TypedList<Row, Accessor, Element>& part, std::uint16_t parent,
                     std::uint16_t list) {
    const std::uint16_t number = begin(part.map ? NestedKind::kMap : NestedKind::kList, part.name, parent);
    using Member = typename OptionalValue<AccessedBy<Row, Accessor>>::type;
    nodes[number].capacity = ListPlaces<Member>::kCapacity;
    add(part.element, number, list != kNoNode ? list : number);
    nodes[number].end = count;
  }
  template <typename... Members>
  constexpr void add_all(const ColumnList<Members...>& members, std::uint16_t parent, std::uint16_t list) {
    for_each_column(members, [&](auto, const auto& member) { add(member, parent, list); });
  }
};

// Stores the items of one leaf, the `kLeaf`-th of the part of the schema that it is given. The first leaf of
// a list or struct makes it; the others must agree.
template <std::size_t kLeaf, unsigned kLists = 0>
struct ItemStore {
  static_assert(kLists < kMaxLists, "lists in each other: four at most");
  static constexpr bool kFirst = kLeaf == 0;
  NestedItem& item;

  // Returns whether the item begins this part, rather than continuing a list in it.
  bool begins() const { return item.repetition <= kLists; }

  // Returns the contents of a struct's or list's member; null if it is missing, or with a `status` other than
  // kOk.
  template <typename Member>
  auto* enter(Member& member, std::uint16_t node, Status& status) const {
    const bool present = item.definition >= item.places[node].definition;
    if constexpr (OptionalValue<Member>::kOptional) {
      if (begins()) {
        if constexpr (kFirst) {
          member.reset();
          if (present) member.emplace();
        } else {
          if (member.has_value() != present) status = Status::kCorrupt;
        }
      }
      return member.has_value() && status == Status::kOk ? &*member : nullptr;
    } else {
      if (begins() && !present) status = Status::kNullValue;
      return status == Status::kOk ? &member : nullptr;
    }
  }

  template <typename Accessor, typename Container>
  Status store(const ValueMember<Accessor>& part, std::uint16_t, Container& container) const {
    return store_in_member(item.cell, access(container, part.accessor));
  }

  template <typename Accessor, typename Container, typename... Parts>
  Status store(const GroupMember<Accessor, Parts...>& part, std::uint16_t node, Container& container) const {
    Status status = Status::kOk;
    auto* const inside = enter(access(container, part.accessor), node, status);
    return inside != nullptr ? store_in<0>(part.parts, next_of(node), *inside) : status;
  }

  template <typename Accessor, typename Element, typename Container>
  Status store(const ListMember<Accessor, Element>& part, std::uint16_t node, Container& container) const {
    Status status = Status::kOk;
    auto* const list = enter(access(container, part.accessor), node, status);
    if (list == nullptr) return status;
    using Places = ListPlaces<std::remove_reference_t<decltype(*list)>>;
    std::uint32_t& at = item.at[kLists];
    if (begins()) {
      at = 0;
      if constexpr (kFirst) Places::clear(*list);
      if (item.definition < item.places[node].element_definition) return Places::end(*list);
      ++item.count[kLists];
    } else if (item.repetition == kLists + 1) {
      ++at;
      ++item.count[kLists];
    }
    if (at >= Places::kCapacity) {
      item.cut = true;
      return Status::kOk;
    }
    if (!Places::template take<kFirst>(*list, at)) return Status::kCorrupt;
    return ItemStore<kLeaf, kLists + 1>{item}.store(part.element, next_of(node), (*list)[at]);
  }

  // Stores the item in the part with the leaf; `node` is that of the first part.
  template <std::size_t kBefore, std::size_t kIndex = 0, typename... Parts, typename Container>
  Status store_in(const ColumnList<Parts...>& parts, std::uint16_t node, Container& container) const {
    const auto& part = column_at<kIndex>(parts);
    using Part = std::remove_cv_t<std::remove_reference_t<decltype(part)>>;
    if constexpr (kLeaf < kBefore + Part::kLeaves) {
      return ItemStore<kLeaf - kBefore, kLists>{item}.store(part, node, container);
    } else {
      return store_in<kBefore + Part::kLeaves, kIndex + 1>(parts, next_of(node, Part::kNodes), container);
    }
  }

  static constexpr std::uint16_t next_of(std::uint16_t node, std::size_t nodes = 1) {
    return static_cast<std::uint16_t>(node + nodes);
  }
};

// Clears the outermost lists.
struct ClearLists {
  template <typename Accessor, typename Container>
  void clear(const ValueMember<Accessor>&, Container&) const {}
  template <typename Accessor, typename Element, typename Container>
  void clear(const ListMember<Accessor, Element>& part, Container& container) const {
    auto* const list = value_of(access(container, part.accessor));
    if (list != nullptr) ListPlaces<std::remove_reference_t<decltype(*list)>>::clear(*list);
  }
  template <typename Accessor, typename Container, typename... Parts>
  void clear(const GroupMember<Accessor, Parts...>& part, Container& container) const {
    if (auto* const inside = value_of(access(container, part.accessor))) clear_in(part.parts, *inside);
  }
  template <typename Container, typename... Parts>
  void clear_in(const ColumnList<Parts...>& parts, Container& container) const {
    for_each_column(parts, [&](auto, const auto& part) { clear(part, container); });
  }

  template <typename Member>
  static auto* value_of(Member& member) {
    if constexpr (OptionalValue<Member>::kOptional) {
      return member ? &*member : nullptr;
    } else {
      return &member;
    }
  }
};

}  // namespace detail

// Reads rows into structs with lists, maps and structs inside, by a schema of nested.h:
//
//   struct Burst { std::int64_t time_us; mpq::List<float, 64> spectrum; };
//   inline constexpr auto kBursts = mpq::schema(mpq::timestamp_us_column("time", &Burst::time_us),
//                                               mpq::list("spectrum", &Burst::spectrum));
//   ...
//   static mpq::StaticReader<kBursts> log;
//   status = log.open(file);
//   Burst burst = {};
//   while (status == mpq::Status::kOk) {
//     status = log.next(burst);
//     if (status == mpq::Status::kOk || status == mpq::Status::kListTooLong) {
//       for (const float value : burst.spectrum) { ... }  // of a list that is too long, the first 64
//     }
//     while (status == mpq::Status::kListTooLong) {
//       status = log.more(burst);  // or not: next() passes the others
//       for (const float value : burst.spectrum) { ... }
//     }
//   }
//
// The reader finds columns by their names, and lists and maps in any form that files use: see records.h.
// Otherwise it works as the StaticReader of structs without lists. After a failure of the file repeat the
// call with the same, unchanged row.
template <const auto& kSchema, const auto& kOptions, std::size_t kFileColumns, typename... Columns>
class StaticReader<kSchema, kOptions, kFileColumns, const TypedTree<Columns...>> {
 public:
  // Struct of the rows.
  using Row = typename TypedTree<Columns...>::Row;

  // Opens `file`, which stays the caller's until the last call.
  // - kInvalidArgument: a column of the schema is not in the file, or of another physical type, or not in the
  //   same lists and structs there
  // - kOutOfMemory: the file has more than kFileColumns columns; needed_bytes() of reader() against sizeof
  // - as Reader::open and Reader::choose_items
  Status open(File& file) { return begin(reader_.open(file, kUsedOptions, Span<std::byte>(arena_))); }

  // Opens a file that lies in memory, whose pages are read where they are: see Reader::open.
  Status open(MappedFile& file) { return begin(reader_.open(file, kUsedOptions, Span<std::byte>(arena_))); }

  // Reads the next row of the file. std::string_view members point into the reader until the next call. It
  // passes the rest of the last row's lists.
  // - kEnd: there is none
  // - kListTooLong: the row is there, but a list has more elements than its member holds, which has the first
  //   ones; more() reads the next ones
  // - kNullValue: a member that is not std::optional is missing in this row, which is passed
  // - kInvalidArgument: a number or string does not fit in its member; the row is passed
  // - kCorrupt: also if the columns of a list or struct do not agree
  // - kValueTooLarge, kOutOfMemory: as Reader::next_row; skip() passes the row
  // - as Reader::next_item
  Status next(Row& row) { return rows_.next(&row); }

  // Reads the next elements of the outermost lists after kListTooLong; a list without further elements is
  // empty. The row's other members stay. Lists in lists have their first elements only.
  // - kWrongState: there are no more
  // - otherwise as next()
  Status more(Row& row) { return rows_.more(&row); }

  // Passes the next row, or the rest of one that failed. Statuses as next().
  Status skip() { return rows_.next(nullptr); }

  // Goes to the first row of a row group. Statuses as Reader::seek_row_group().
  Status seek_row_group(std::uint32_t index) { return rows_.seek_row_group(index); }

  // Goes to row `row` of row group `row_group`, both counted from 0: next() reads it. See
  // Reader::seek_items().
  // - kInvalidArgument: no such row group, or it has no such row
  // - as Reader::next_item; no row can be read then until a seek succeeds: repeat the call
  Status seek_row(std::uint32_t row_group, std::uint64_t row) { return rows_.seek_row(row_group, row); }

  // Returns the untyped reader, for key-values, statistics and filters.
  Reader& reader() { return reader_; }

 private:
  static constexpr std::size_t kLeaves = TypedTree<Columns...>::kColumns;
  static constexpr std::size_t kNodes = 1 + (detail::PartSize<Columns>::kNodes + ...);
  using Nodes = detail::NestedNodes<kNodes, kLeaves>;

  static constexpr Nodes all_nodes() {
    Nodes all;
    all.begin(detail::NestedKind::kGroup, {}, detail::kNoNode);
    all.add_all(kSchema.columns, 0, detail::kNoNode);
    all.nodes[0].end = all.count;
    return all;
  }
  static constexpr Nodes kAllNodes = all_nodes();
  static constexpr auto kNodeList = kAllNodes.nodes;

  static constexpr auto kMembers = detail::members_of(kSchema.columns);

  template <std::size_t kLeaf>
  static Status store(void* row, detail::NestedItem& item) {
    return detail::ItemStore<kLeaf>{item}.template store_in<0>(kMembers, 1, *static_cast<Row*>(row));
  }
  static void clear_lists(void* row) { detail::ClearLists{}.clear_in(kMembers, *static_cast<Row*>(row)); }

  template <std::size_t... kIndices>
  static constexpr std::array<detail::NestedLeafPlan, kLeaves> leaf_plans(std::index_sequence<kIndices...>) {
    return {{{&store<kIndices>, kAllNodes.leaf_nodes[kIndices], kAllNodes.outermost[kIndices]}...}};
  }
  static constexpr auto kLeafPlans = leaf_plans(std::make_index_sequence<kLeaves>{});
  static constexpr detail::NestedPlan kPlan = {Span<const detail::NestedNode>(kNodeList.data(), kNodes),
                                               Span<const detail::NestedLeafPlan>(kLeafPlans.data(), kLeaves),
                                               &clear_lists};

  struct Needs {
    static constexpr bool decoder(const Decoder& decoder) {
      for (const std::uint16_t leaf : kAllNodes.leaf_nodes) {
        if (decoder.supports(kAllNodes.nodes[leaf].type)) return true;
      }
      return false;
    }
  };
  static constexpr ReaderOptions kUsedOptions = detail::UsedOptions<kOptions, Needs>::options();

  Status begin(Status opened) {
    rows_ = {};
    if (opened != Status::kOk) return opened;
    ColumnChoice columns[kLeaves];
    return rows_.begin(reader_, kPlan, places_.data(), columns);
  }

  Reader reader_;
  detail::NestedRows rows_ = {};
  std::array<detail::NestedPlace, kNodes> places_ = {};
  alignas(8)
      std::array<std::byte, Reader::required_bytes_of_items(kFileColumns, kLeaves, kUsedOptions)> arena_ = {};
};

}  // namespace microparquet
