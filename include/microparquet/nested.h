// Lists, arrays, maps and structs in the struct of a schema:
//
//   struct Satellite { std::uint8_t id; std::optional<float> elevation; };
//   struct Fix { double latitude, longitude; };
//   struct Burst {
//     std::int64_t time_us;
//     mpq::List<float, 64> spectrum;                              // up to 64, kept in the struct
//     mpq::List<Satellite, 24> satellites;
//     std::optional<Fix> fix;
//     mpq::List<mpq::Entry<mpq::Text<12>, float>, 4> tags;
//   };
//   inline constexpr auto kSchema = mpq::schema(
//       mpq::timestamp_us_column("time", &Burst::time_us), mpq::list("spectrum", &Burst::spectrum),
//       mpq::list("satellites", &Burst::satellites, mpq::column("id", &Satellite::id),
//                 mpq::column("elevation", &Satellite::elevation)),
//       mpq::group("fix", &Burst::fix, mpq::column("lat", &Fix::latitude), mpq::column("lon", &Fix::longitude)),
//       mpq::map("tags", &Burst::tags));
//
// A std::array<T, N> is a list too, one of N elements in each row. So is a Span<const T>, of elements that lie elsewhere:
// it is written, not read.
//
// A member or element that may be missing is a std::optional. static_nested_reader.h reads the rows, and
// static_nested_writer.h writes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "microparquet/list.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"
#include "microparquet/typed.h"

namespace microparquet {

namespace detail {

template <std::size_t... kIndices, typename... Parts>
constexpr ColumnList<Parts...> each_with_page_bytes(
    const ColumnPlaces<std::index_sequence<kIndices...>, Parts...>& list, std::uint32_t bytes) {
  return {{{column_at<kIndices>(list).with_page_bytes(bytes)}...}};
}
template <typename Encoders, std::size_t... kIndices, typename... Parts>
constexpr ColumnList<Parts...> each_with_encoder(
    const ColumnPlaces<std::index_sequence<kIndices...>, Parts...>& list, const Encoders& encoders) {
  return {{{column_at<kIndices>(list).with_encoder(encoders)}...}};
}
template <std::size_t... kIndices, typename... Parts>
constexpr ColumnList<Parts...> each_with_compressor(
    const ColumnPlaces<std::index_sequence<kIndices...>, Parts...>& list, const Compressor& compressor) {
  return {{{column_at<kIndices>(list).with_compressor(compressor)}...}};
}

}  // namespace detail

// Struct inside the struct `Row`, or an optional one, with its columns.
template <typename Row, typename Accessor, typename... Members>
struct TypedGroup {
  // Struct that it is a member of.
  using row = Row;
  std::string_view name;           // name in the file
  Accessor accessor;               // leads to its member
  ColumnList<Members...> members;  // columns of the inner struct

  // Returns this part with pages of `bytes` bytes for each of its columns: see Options::page_bytes.
  constexpr TypedGroup with_page_bytes(std::uint32_t bytes) const {
    return {name, accessor, detail::each_with_page_bytes(members, bytes)};
  }
  // Returns this part with each column encoded by `encoders`, or by the one of them that suits it.
  template <typename Encoders>
  constexpr TypedGroup with_encoder(const Encoders& encoders) const {
    return {name, accessor, detail::each_with_encoder(members, encoders)};
  }
  // Returns this part with the pages of each column compressed.
  constexpr TypedGroup with_compressor(const Compressor& compressor) const {
    return {name, accessor, detail::each_with_compressor(members, compressor)};
  }
};

// List or map inside the struct `Row`, or an optional one.
template <typename Row, typename Accessor, typename Element>
struct TypedList {
  // Struct that it is a member of.
  using row = Row;
  std::string_view name;  // name in the file
  Accessor accessor;      // leads to its member
  Element element;        // form of each element: a column, group or list of the element itself
  bool map = false;       // true if it has entries of a key and a value

  // Returns this part with pages of `bytes` bytes for each of its columns: see Options::page_bytes.
  constexpr TypedList with_page_bytes(std::uint32_t bytes) const {
    return {name, accessor, element.with_page_bytes(bytes), map};
  }
  // Returns this part with each column encoded by `encoders`, or by the one of them that suits it.
  template <typename Encoders>
  constexpr TypedList with_encoder(const Encoders& encoders) const {
    return {name, accessor, element.with_encoder(encoders), map};
  }
  // Returns this part with the pages of each column compressed.
  constexpr TypedList with_compressor(const Compressor& compressor) const {
    return {name, accessor, element.with_compressor(compressor), map};
  }
};

namespace detail {

// Accessor of a value that is in no struct: an element of a list.
struct Itself {
  template <typename T>
  constexpr T& operator()(T& value) const {
    return value;  // NOLINT(bugprone-return-const-ref-from-parameter): it stands in the caller's row
  }
};

template <typename T>
struct IsList : std::false_type {};
template <typename T, std::size_t N>
struct IsList<List<T, N>> : std::true_type {};
template <typename T, std::size_t N>
inline constexpr bool kIsSequence<List<T, N>> = true;

// Number of elements of an array that list() takes; 0: T is none. column() has those of bytes.
template <typename T>
inline constexpr std::uint32_t kArraySize = 0;
template <typename T, std::size_t N>
inline constexpr std::uint32_t kArraySize<std::array<T, N>> =
    kFixedBytes<std::array<T, N>> == 0 ? static_cast<std::uint32_t>(N) : 0;

template <typename T>
struct IsSpan : std::false_type {};
template <typename T>
struct IsSpan<Span<const T>> : std::true_type {};
template <typename T>
inline constexpr bool kIsSequence<Span<const T>> = true;

// Type of an element of a List, a Span or a std::array. A Span with a type of 8 bytes as a member is passed in other registers by
// older compilers for Arm, and newer ones say so.
template <typename T>
struct ElementOf {
  using type = typename T::value_type;
};
template <typename T>
struct ElementOf<Span<const T>> {
  using type = T;
};

template <typename T>
inline constexpr bool kMakesList = IsList<T>::value || IsSpan<T>::value || kArraySize<T> != 0;

template <typename T>
struct IsEntry : std::false_type {};
template <typename Key, typename Value>
struct IsEntry<Entry<Key, Value>> : std::true_type {};

// Makes the part for a member of `Row` of type T that `accessor` leads to: with columns a struct.
template <typename T, typename Row, typename Accessor, typename... Members>
constexpr auto typed_part(std::string_view name, Accessor accessor, const Members&... members) {
  static_assert(alignof(Row) >= alignof(T), "members of packed structs can be unaligned");
  using Held = typename OptionalValue<T>::type;
  if constexpr (kMakesList<Held>) {
    using Element = typename ElementOf<Held>::type;
    auto element = typed_part<Element, Element>("element", Itself{}, members...);
    return TypedList<Row, Accessor, decltype(element)>{name, accessor, element};
  } else if constexpr (sizeof...(Members) != 0) {
    return TypedGroup<Row, Accessor, Members...>{name, accessor, make_column_list(members...)};
  } else {
    static_assert(!std::is_same_v<Held, std::string_view> || !std::is_same_v<Accessor, Itself>,
                  "text in a list is a Text<N>: views into the reader would not last");
    return TypedColumn<Row, Accessor>{adapt<T>(field_of<Held>(name)), accessor};
  }
}

// Makes the part for an entry of a map; `columns` are those of its value if that is a struct.
template <typename E, typename... Columns>
constexpr auto typed_entry(const Columns&... columns) {
  using Held = decltype(E::value);
  using Key = decltype(E::key);
  static_assert(!OptionalValue<Key>::kOptional, "a key is never missing");
  static_assert(!std::is_same_v<Key, std::string_view> && !std::is_same_v<Held, std::string_view>,
                "text in a map is a Text<N>: views into the reader would not last");
  auto key = typed_part<Key, E>("key", &E::key);
  auto value = typed_part<Held, E>("value", &E::value, columns...);
  return TypedGroup<E, Itself, decltype(key), decltype(value)>{"key_value", {}, make_column_list(key, value)};
}

}  // namespace detail

// Makes a column group from a struct inside the struct, or a std::optional of one, with at least one column
// of its own.
template <typename Member, typename Row, typename... Members>
constexpr auto group(std::string_view name, Member Row::* member, const Members&... members) {
  static_assert(sizeof...(Members) != 0, "a group has at least one column");
  static_assert(!detail::kMakesList<typename detail::OptionalValue<Member>::type>,
                "a list is made by list()");
  return detail::typed_part<Member, Row>(name, member, members...);
}

// Makes a list from a List, a Span or a std::array, or a std::optional of one. Its elements are values as for column(),
// or lists; or structs, with at least one column. An array of bytes is a value itself, for column().
template <typename Member, typename Row, typename... Members>
constexpr auto list(std::string_view name, Member Row::* member, const Members&... members) {
  static_assert(detail::kMakesList<typename detail::OptionalValue<Member>::type>,
                "the member is a List<T, N>, a Span<const T> or a std::array<T, N>, not of bytes: these are "
                "made by column()");
  static_assert(
      !detail::IsEntry<typename detail::ElementOf<typename detail::OptionalValue<Member>::type>::type>::value,
      "a map is made by map()");
  return detail::typed_part<Member, Row>(name, member, members...);
}

// Makes a list from a List, a Span or a std::array, or a std::optional of one, whose elements are any field of schema.h:
// list("at", &Burst::at, timestamp_field("element")).
template <typename Member, typename Row>
constexpr auto list(std::string_view name, Member Row::* member, const Field& element) {
  using Held = typename detail::OptionalValue<Member>::type;
  static_assert(detail::kMakesList<Held>,
                "the member is a List<T, N>, a Span<const T> or a std::array<T, N>, not of bytes: these are "
                "made by column()");
  using T = typename detail::ElementOf<Held>::type;
  using Element = TypedColumn<T, detail::Itself>;
  return TypedList<Row, Member Row::*, Element>{name, member, {detail::adapt<T>(element), {}}};
}

// Makes a map from a List of Entry, or a std::optional of one. A value that is a struct, or a list of them,
// has at least one column.
template <typename Member, typename Row, typename... Members>
constexpr auto map(std::string_view name, Member Row::* member, const Members&... members) {
  using Held = typename detail::OptionalValue<Member>::type;
  static_assert(detail::IsList<Held>::value, "the member is a List<Entry<Key, Value>, N>");
  using E = typename Held::value_type;
  static_assert(detail::IsEntry<E>::value, "the member is a List<Entry<Key, Value>, N>");
  auto entry = detail::typed_entry<E>(members...);
  return TypedList<Row, Member Row::*, decltype(entry)>{name, member, entry, true};
}

namespace detail {

// Number of columns in the file, and of nodes in its schema, for a part of a schema.
template <typename Part>
struct PartSize;
template <typename Row, typename Accessor>
struct PartSize<TypedColumn<Row, Accessor>> {
  static constexpr std::size_t kLeaves = 1;
  static constexpr std::size_t kNodes = 1;
  static constexpr bool kFlat = true;
};
template <typename Row, typename Accessor, typename... Members>
struct PartSize<TypedGroup<Row, Accessor, Members...>> {
  static constexpr std::size_t kLeaves = (PartSize<Members>::kLeaves + ...);
  static constexpr std::size_t kNodes = 1 + (PartSize<Members>::kNodes + ...);
  static constexpr bool kFlat = false;
};
template <typename Row, typename Accessor, typename Element>
struct PartSize<TypedList<Row, Accessor, Element>> {
  static constexpr std::size_t kLeaves = PartSize<Element>::kLeaves;
  static constexpr std::size_t kNodes = 1 + PartSize<Element>::kNodes;
  static constexpr bool kFlat = false;
};

}  // namespace detail

// Columns of a struct that has lists, maps or structs. Make it with schema(), as an inline constexpr object.
template <typename... Columns>
struct TypedTree {
  // Number of columns in a file: all leaves of the tree.
  static constexpr std::size_t kColumns = (detail::PartSize<Columns>::kLeaves + ...);
  // Struct of its rows: the most derived one, if the structs of the columns are bases of each other.
  using Row = typename detail::MostDerived<typename Columns::row...>::type;

  ColumnList<Columns...> columns;  // columns with their accessors

  // Returns this schema with all columns encoded by the ones of `encoders` for their types.
  constexpr TypedTree with_encoder(const AutoEncoders& encoders) const {
    return {detail::each_with_encoder(columns, encoders)};
  }
};

// Makes the schema of a struct that has lists, maps or structs; schema() of typed.h does so for one without.
template <typename... Columns, std::enable_if_t<!(detail::PartSize<Columns>::kFlat && ...), int> = 0>
constexpr TypedTree<Columns...> schema(const Columns&... columns) {
  return {detail::make_column_list(columns...)};
}

}  // namespace microparquet
