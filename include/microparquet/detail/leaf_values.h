// Values of a column inside the structs, arrays and lists of a row, as a StaticWriter puts them.
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
#include "microparquet/detail/grant_rows.h"
#include "microparquet/detail/list_levels.h"
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

// Puts the values of `count` elements, to which `inside` leads in each. Requires: `count` is not 0.
template <bool kCopiesValues, typename Element, typename Inside, typename WithStored>
[[gnu::always_inline]] inline void put_values(ColumnWriter& column, const Element* elements,
                                              std::uint32_t count, const Inside& inside,
                                              WithStored with_stored) {
  using Value = std::remove_cv_t<std::remove_reference_t<decltype(inside.of(*elements))>>;
  constexpr bool kIsNumber = std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>;
  constexpr bool kLieTogether = std::is_same_v<Value, Element> && !kIsByteArray<Value> &&
                                std::is_same_v<typename StoredAs<Value>::type, Value>;
  if constexpr (kCopiesValues && kIsNumber && kLieTogether) {
    put_array_words(column, elements, count * (sizeof(Value) / sizeof(std::uint32_t)));
  } else if constexpr (kLieTogether) {
    column.plan->encoder->put(column, elements, count);
  } else if constexpr (kCopiesValues && kIsNumber) {
    put_strided(column, &inside.of(*elements), sizeof(Element), count);
  } else {
    for (std::uint32_t i = 0; i < count; ++i) {
      with_stored(inside.of(elements[i]),
                  [&](const void* stored) { column.plan->encoder->put(column, stored, 1); });
    }
  }
}

// Returns the most elements that a list in a row may claim to have.
template <typename Elements>
constexpr std::size_t most_elements(const Elements& /*elements*/) {
  if constexpr (IsList<Elements>::value) return Elements::capacity();
  return kArraySize<Elements> != 0 ? kArraySize<Elements> : kMostRowSlots;
}

// The values of an array, each inside an element that `part` leads to.
template <typename Array, typename Part>
struct ElementValues {
  const Array& array;
  const Part& part;

  static constexpr std::uint32_t kCount = kArraySize<Array>;
  const auto& at(std::size_t i) const { return part.of(array[i]); }

  // Returns the bytes of one byte array as long as all of them with their lengths.
  std::size_t byte_array_size() const {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < kCount; ++i) bytes += std::string_view(at(i)).size() + encoding::kLengthBytes;
    return bytes - encoding::kLengthBytes;
  }

  template <bool kCopiesValues, typename WithStored>
  void put(ColumnWriter& column, WithStored with_stored) const {
    put_values<kCopiesValues>(column, array.data(), kCount, part, with_stored);
  }
};
template <typename Array, typename Part>
inline constexpr bool kPutsItself<ElementValues<Array, Part>> = true;
template <typename Array, typename Part>
inline constexpr bool kIsElements<ElementValues<Array, Part>> = true;

// Way from a struct to leaf `kLeaf` of a part of the schema:
//
//   of(row)                       the member; where nothing on the way is optional, and there is no array or list
//   find(row, level)              the member or null, and how many optional ones on the way are there
//   elements(row)                 the values of an array
//   walk(row, repetition, sink)   tells `sink` all slots of the row, the first with this repetition level; `kDefinition`
//                                 and `kRepetition` are the levels of what stands before this part
//   resolution()                  to which the column is rounded
//
// A sink of slots has
//
//   none(repetition, definition)                                     a slot without a value
//   value(repetition, definition, member)                            one with a value
//   run(repetition, next, definition, count, elements, inside)       `count` of them: inside.of(elements[i])
//   refuse()                                                         the row is none that can be written
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
  template <unsigned kDefinition, unsigned kRepetition, typename AnyRow, typename Sink>
  [[gnu::always_inline]] void walk(const AnyRow& row, std::uint8_t repetition, Sink& sink) const {
    const auto& member = access(row, accessor);
    if constexpr (kOptional) {
      if (!member) return sink.none(repetition, kDefinition);
      sink.value(repetition, kDefinition + 1, *member);
    } else {
      sink.value(repetition, kDefinition, member);
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
  template <unsigned kDefinition, unsigned kRepetition, typename AnyRow, typename Sink>
  [[gnu::always_inline]] void walk(const AnyRow& row, std::uint8_t repetition, Sink& sink) const {
    const auto& member = access(row, accessor);
    if constexpr (kIsOptional) {
      if (!member) return sink.none(repetition, kDefinition);
      inside.template walk<kDefinition + 1, kRepetition>(*member, repetition, sink);
    } else {
      inside.template walk<kDefinition, kRepetition>(member, repetition, sink);
    }
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
  template <unsigned kDefinition, unsigned kRepetition, typename AnyRow, typename Sink>
  [[gnu::always_inline]] void walk(const AnyRow& row, std::uint8_t repetition, Sink& sink) const {
    const auto& member = access(row, accessor);
    if constexpr (OptionalValue<AccessedBy<Row, Accessor>>::kOptional) {
      if (!member) return sink.none(repetition, kDefinition);
      walk_elements<kDefinition + 1, kRepetition>(*member, repetition, sink);
    } else {
      walk_elements<kDefinition, kRepetition>(member, repetition, sink);
    }
  }

 private:
  // True if each element has one value.
  static constexpr bool kOneForOne = !Inside::kInArray && !Inside::kOptional;

  template <unsigned kDefinition, unsigned kRepetition, typename Elements, typename Sink>
  [[gnu::always_inline]] void walk_elements(const Elements& elements, std::uint8_t repetition,
                                            Sink& sink) const {
    const std::size_t size = elements.size();
    if constexpr (Sink::kChecks) {
      if (size > most_elements(elements)) return sink.refuse();
    }
    if (size == 0) return sink.none(repetition, kDefinition);
    if constexpr (kOneForOne) {
      sink.run(repetition, kRepetition + 1, kDefinition + 1, static_cast<std::uint32_t>(size),
               elements.data(), inside);
    } else {
      for (std::size_t i = 0; i < size; ++i) {
        inside.template walk<kDefinition + 1, kRepetition + 1>(elements.data()[i], repetition, sink);
        repetition = kRepetition + 1;
      }
    }
  }
};

// Counts what a row needs of a column.
struct NeedSink {
  static constexpr bool kChecks = true;
  std::uint32_t slots = 0;
  std::uint32_t values = 0;
  std::size_t text_bytes = 0;
  std::uint32_t single = 0;
  std::uint32_t runs = 0;
  std::uint32_t bytes_of_runs = 0;
  bool refused = false;

  // Returns it all. Members of their own stay in registers until then.
  RowNeed need() const {
    return {refused ? kTooManySlots : slots, values, text_bytes, single, runs, bytes_of_runs};
  }

  void none(std::uint8_t /*repetition*/, std::uint8_t /*definition*/) {
    ++slots;
    ++single;
  }
  template <typename Member>
  void value(std::uint8_t repetition, std::uint8_t definition, const Member& member) {
    none(repetition, definition);
    ++values;
    if constexpr (kIsByteArray<Member>)
      text_bytes += encoding::kLengthBytes + std::string_view(member).size();
  }
  template <typename Element, typename Inside>
  void run(std::uint8_t /*repetition*/, std::uint8_t /*next*/, std::uint8_t /*definition*/,
           std::uint32_t count, const Element* elements, const Inside& inside) {
    if (slots > kMostRowSlots) return refuse();
    slots += count;
    values += count;
    bytes_of_runs += run_bytes(count);
    ++runs;
    using Member = std::remove_cv_t<std::remove_reference_t<decltype(inside.of(*elements))>>;
    if constexpr (kIsByteArray<Member>) {
      for (std::uint32_t i = 0; i < count; ++i) {
        text_bytes += encoding::kLengthBytes + std::string_view(inside.of(elements[i])).size();
      }
    }
  }
  void refuse() { refused = true; }
};

// Asks the encoder about each value of a row, as long as it accepts them. Requires: a page takes the row.
template <typename WithStored>
struct AskingSink {
  static constexpr bool kChecks = false;
  ColumnWriter& column;
  WithStored with_stored;
  bool accepted = true;

  void none(std::uint8_t /*repetition*/, std::uint8_t /*definition*/) {}
  template <typename Member>
  void value(std::uint8_t /*repetition*/, std::uint8_t /*definition*/, const Member& member) {
    if (!accepted) return;
    with_stored(member, [&](const void* stored) { accepted = column.accepts(stored); });
  }
  template <typename Element, typename Inside>
  void run(std::uint8_t repetition, std::uint8_t /*next*/, std::uint8_t definition, std::uint32_t count,
           const Element* elements, const Inside& inside) {
    for (std::uint32_t i = 0; i < count && accepted; ++i)
      value(repetition, definition, inside.of(elements[i]));
  }
};

// Puts the slots of a row. `with_stored` gives a value in the form of Encoder::put.
template <bool kCopiesValues, typename WithStored>
struct SlotSink {
  static constexpr bool kChecks = false;
  ColumnWriter& column;
  WithStored with_stored;
  std::uint32_t slots = 0;

  void none(std::uint8_t repetition, std::uint8_t definition) {
    put_slots(column, repetition, repetition, definition, 1);
    ++slots;
  }
  template <typename Member>
  void value(std::uint8_t repetition, std::uint8_t definition, const Member& member) {
    none(repetition, definition);
    put(member);
  }
  template <typename Element, typename Inside>
  void run(std::uint8_t repetition, std::uint8_t next, std::uint8_t definition, std::uint32_t count,
           const Element* elements, const Inside& inside) {
    put_slots(column, repetition, next, definition, count);
    slots += count;
    put_values<kCopiesValues>(column, elements, count, inside, with_stored);
  }

 private:
  template <typename Member>
  void put(const Member& member) {
    if constexpr (kCopiesValues && std::is_arithmetic_v<Member>) {
      return column.put_plain(static_cast<typename StoredAs<Member>::type>(member));
    }
    with_stored(member, [&](const void* stored) { column.plan->encoder->put(column, stored, 1); });
  }
};

// All slots of a row in a column that is in lists. `kAsks`: its encoder is asked about values.
template <typename Row, typename Way, bool kAsks>
struct SlotValues {
  const Row& row;
  const Way& way;

  // Returns what the row needs.
  RowNeed need() const {
    NeedSink sink;
    way.template walk<0, 0>(row, 0, sink);
    return sink.need();
  }
  // Makes space for the row in the column. Sets `again` if that may have taken it from others.
  template <typename WithStored>
  [[gnu::always_inline]] Status fit(WriterState& state, ColumnWriter& column, bool& again,
                                    WithStored with_stored) const {
    const RowNeed row_need = need();
    if constexpr (kAsks) {
      // A row that no page takes shall leave nothing in the dictionary.
      if (!fits_empty_list_page(column, row_need)) return Status::kValueTooLarge;
      AskingSink<WithStored> sink{column, with_stored};
      way.template walk<0, 0>(row, 0, sink);
      if (!sink.accepted) {
        again = true;
        return grant_rows_after(state, column);
      }
    }
    return fit_list_row(state, column, row_need, again);
  }
  template <bool kCopiesValues, typename WithStored>
  void put(ColumnWriter& column, WithStored with_stored) const {
    SlotSink<kCopiesValues, WithStored> sink{column, with_stored};
    way.template walk<0, 0>(row, 0, sink);
    end_slots(column, sink.slots);
  }
};
template <typename Row, typename Way, bool kAsks>
inline constexpr bool kPutsItself<SlotValues<Row, Way, kAsks>> = true;

}  // namespace microparquet::detail
