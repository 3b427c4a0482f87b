// Values of a column inside the structs and arrays of a row, as a StaticWriter puts them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "microparquet/detail/array_encoder.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/detail/written_columns.h"
#include "microparquet/nested.h"

namespace microparquet::detail {

// A value in optional structs, or an optional one in any structs: it is there, or the level tells what is.
template <typename T>
struct LeafValue {
  const T* value;  // null: it is missing
  std::uint8_t definition;

  explicit operator bool() const { return value != nullptr; }
  const T& operator*() const { return *value; }

  template <bool kCopiesValues, typename WithStored>
  void put(ColumnWriter& column, WithStored with_stored) const {
    column.plan->levels->put(column, definition, 1);
    if (value == nullptr) return;
    with_stored(*value, [&](const void* stored) { column.plan->encoder->put(column, stored, 1); });
  }
};
template <typename T>
struct OptionalValue<LeafValue<T>> {
  using type = T;
  static constexpr bool kOptional = true;
};
template <typename T>
inline constexpr bool kPutsItself<LeafValue<T>> = true;

// Puts `count` values, `stride` bytes from one to the next, at the cursor in PLAIN.
template <typename T>
[[gnu::noinline]] void put_strided(ColumnWriter& column, const T* value, std::size_t stride,
                                   std::uint32_t count) {
  using Stored = typename StoredAs<T>::type;
  std::byte* at = column.cursor;
  const auto* from = reinterpret_cast<const std::byte*>(value);
  for (; count != 0; --count, from += stride, at += sizeof(Stored)) {
    const auto stored = static_cast<Stored>(*reinterpret_cast<const T*>(from));
    std::memcpy(__builtin_assume_aligned(at, sizeof stored), &stored, sizeof stored);
  }
  column.cursor = at;
}

// The values of an array, each inside an element that `part` leads to.
template <typename Array, typename Part>
struct ElementValues {
  const Array& array;
  const Part& part;

  static constexpr std::uint32_t kCount = kArraySize<Array>;
  const auto& at(std::size_t i) const { return part.of(array[i]); }
  using Value = std::remove_cv_t<std::remove_reference_t<decltype(std::declval<const Part&>().of(
      std::declval<const typename Array::value_type&>()))>>;
  static constexpr bool kIsNumber = std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>;
  static constexpr bool kLieTogether = std::is_same_v<Value, typename Array::value_type> &&
                                       !kIsByteArray<Value> &&
                                       std::is_same_v<typename StoredAs<Value>::type, Value>;

  // Returns the bytes of one byte array as long as all of them with their lengths.
  std::size_t byte_array_size() const {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < kCount; ++i) bytes += std::string_view(at(i)).size() + encoding::kLengthBytes;
    return bytes - encoding::kLengthBytes;
  }

  template <bool kCopiesValues, typename WithStored>
  void put(ColumnWriter& column, WithStored with_stored) const {
    if constexpr (kCopiesValues && kIsNumber && kLieTogether) {
      put_array_words(column, array.data(), kCount * (sizeof(Value) / sizeof(std::uint32_t)));
    } else if constexpr (kLieTogether) {
      column.plan->encoder->put(column, array.data(), kCount);
    } else if constexpr (kCopiesValues && kIsNumber) {
      put_strided(column, &at(0), sizeof(typename Array::value_type), kCount);
    } else {
      for (std::size_t i = 0; i < kCount; ++i) {
        with_stored(at(i), [&](const void* stored) { column.plan->encoder->put(column, stored, 1); });
      }
    }
  }
};
template <typename Array, typename Part>
inline constexpr bool kPutsItself<ElementValues<Array, Part>> = true;
template <typename Array, typename Part>
inline constexpr bool kIsElements<ElementValues<Array, Part>> = true;

// Way from a struct to leaf `kLeaf` of a part of the schema:
//
//   of(row)                       the member; where nothing on the way is optional, and there is no array
//   find(row, level)              the member or null, and how many optional ones on the way are there
//   elements(row)                 the values of an array
//   resolution()                  to which the column is rounded
template <std::size_t kLeaf, typename Part>
struct LeafWay;

template <std::size_t kLeaf, typename Row, typename Accessor>
struct LeafWay<kLeaf, TypedColumn<Row, Accessor>> {
  Accessor accessor;
  Resolution rounding;
  static constexpr bool kInArray = false;
  static constexpr bool kOptional = OptionalValue<AccessedBy<Row, Accessor>>::kOptional;

  constexpr explicit LeafWay(const TypedColumn<Row, Accessor>& column)
      : accessor(column.accessor), rounding(column.resolution) {}
  constexpr Resolution resolution() const { return rounding; }

  template <typename AnyRow>
  [[gnu::always_inline]] const auto& of(const AnyRow& row) const {
    return access(row, accessor);
  }
  template <typename AnyRow>
  [[gnu::always_inline]] const auto* find(const AnyRow& row, std::uint8_t& level) const {
    const auto& member = access(row, accessor);
    if constexpr (kOptional) {
      level = static_cast<std::uint8_t>(level + (member ? 1 : 0));
      return member ? &*member : nullptr;
    } else {
      return &member;
    }
  }
};

// Finds the part of a group that has the leaf, and the leaf's number in it.
template <bool kHere, std::size_t kIndex, std::size_t kLeaf, typename... Parts>
struct FoundPart;
template <std::size_t kIndex, std::size_t kLeaf, typename First, typename... Rest>
struct FoundPart<true, kIndex, kLeaf, First, Rest...> {
  static constexpr std::size_t kPart = kIndex;
  using Way = LeafWay<kLeaf, First>;
};
template <std::size_t kIndex, std::size_t kLeaf, typename First, typename Second, typename... Rest>
struct FoundPart<false, kIndex, kLeaf, First, Second, Rest...>
    : FoundPart<(kLeaf - PartSize<First>::kLeaves < PartSize<Second>::kLeaves), kIndex + 1,
                kLeaf - PartSize<First>::kLeaves, Second, Rest...> {};
template <std::size_t kLeaf, typename... Parts>
struct PartOf;
template <std::size_t kLeaf, typename First, typename... Rest>
struct PartOf<kLeaf, First, Rest...>
    : FoundPart<(kLeaf < PartSize<First>::kLeaves), 0, kLeaf, First, Rest...> {};

template <std::size_t kLeaf, typename Row, typename Accessor, typename... Members>
struct LeafWay<kLeaf, TypedGroup<Row, Accessor, Members...>> {
  using Found = PartOf<kLeaf, Members...>;
  Accessor accessor;
  typename Found::Way inside;
  static constexpr bool kInArray = Found::Way::kInArray;
  static constexpr bool kIsOptional = OptionalValue<AccessedBy<Row, Accessor>>::kOptional;
  static constexpr bool kOptional = kIsOptional || Found::Way::kOptional;

  constexpr explicit LeafWay(const TypedGroup<Row, Accessor, Members...>& group)
      : accessor(group.accessor), inside(column_at<Found::kPart>(group.members)) {}
  constexpr Resolution resolution() const { return inside.resolution(); }

  template <typename AnyRow>
  [[gnu::always_inline]] const auto& of(const AnyRow& row) const {
    return inside.of(access(row, accessor));
  }
  template <typename AnyRow>
  [[gnu::always_inline]] const auto* find(const AnyRow& row, std::uint8_t& level) const {
    const auto& member = access(row, accessor);
    if constexpr (kIsOptional) {
      using FoundMember = decltype(inside.find(*member, level));
      if (!member) return FoundMember{nullptr};
      ++level;
      return inside.find(*member, level);
    } else {
      return inside.find(member, level);
    }
  }
  template <typename AnyRow>
  [[gnu::always_inline]] auto elements(const AnyRow& row) const {
    return inside.elements(access(row, accessor));
  }
};

template <std::size_t kLeaf, typename Row, typename Accessor, typename Element>
struct LeafWay<kLeaf, TypedList<Row, Accessor, Element>> {
  using Inside = LeafWay<kLeaf, Element>;
  Accessor accessor;
  Inside inside;
  static constexpr bool kInArray = true;
  static constexpr bool kOptional = false;

  constexpr explicit LeafWay(const TypedList<Row, Accessor, Element>& list)
      : accessor(list.accessor), inside(list.element) {}
  constexpr Resolution resolution() const { return inside.resolution(); }

  template <typename AnyRow>
  [[gnu::always_inline]] auto elements(const AnyRow& row) const {
    const auto& array = access(row, accessor);
    return ElementValues<std::remove_cv_t<std::remove_reference_t<decltype(array)>>, Inside>{array, inside};
  }
};

}  // namespace microparquet::detail
