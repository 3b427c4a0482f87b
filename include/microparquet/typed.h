// Schemas of C++ structs: the same struct is written and read.
//
//   struct Sample { std::int64_t time_us; float ax; std::int32_t status; };
//   inline constexpr auto kSchema = mpq::schema(mpq::timestamp_us_column("time", &Sample::time_us),
//                                               mpq::column("ax", &Sample::ax),
//                                               mpq::column("status", &Sample::status));
//
// A column is a name and an accessor: a pointer to a member, or a captureless lambda that takes the struct by
// reference and returns a reference to the value (`[](auto& s) -> auto& { return s.acceleration[0]; }`),
// which serves for writing and reading. The type of the value determines the column's type in Parquet:
//
//   bool                                       BOOLEAN
//   std::int8_t to std::int64_t                INT32, INT64; 8 and 16 bits as INTEGER
//   std::uint8_t to std::uint64_t              INTEGER, unsigned
//   float, double                              FLOAT, DOUBLE
//   std::string_view                           BYTE_ARRAY; STRING with string_column()
//   Text<N>                                    STRING, kept in the struct
//   Bytes<N>                                   BYTE_ARRAY, kept in the struct
//   std::array<std::byte or std::uint8_t, N>   FIXED_LEN_BYTE_ARRAY
//   std::optional<any of them>                 the same, optional
//
// Members of packed structs are refused: references to them could be unaligned, which faults on small cores.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "microparquet/encoders.h"
#include "microparquet/resolution.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"

namespace microparquet {

// String of up to N bytes inside a struct. Longer strings are cut when assigned.
template <std::size_t N>
class Text {
 public:
  constexpr Text() = default;
  // Copies the first N bytes of `text`; a longer text may be cut in the middle of a character.
  Text(std::string_view text) { *this = text; }
  // Copies a literal, as far as its first zero.
  Text(const char* text) : Text(std::string_view(text)) {}
  // Assigns as the constructor.
  Text& operator=(const char* text) { return *this = std::string_view(text); }
  // Assigns as the constructor.
  Text& operator=(std::string_view text) {
    size_ = static_cast<std::uint32_t>(text.size() < N ? text.size() : N);
    if (size_ != 0) std::memcpy(data_, text.data(), size_);
    return *this;
  }
  // Returns a view of the text in this object.
  operator std::string_view() const { return {data_, size_}; }
  // Returns N, in bytes.
  static constexpr std::size_t capacity() { return N; }

 private:
  std::uint32_t size_ = 0;
  char data_[N] = {};
};

// Up to N bytes of any kind inside a struct: a CAN frame, a point of a map (geo.h). More bytes are cut when assigned.
template <std::size_t N>
class Bytes : public Text<N> {
 public:
  constexpr Bytes() = default;
  // Copies the first N bytes.
  Bytes(std::string_view bytes) : Text<N>(bytes) {}
};

namespace detail {

template <typename T>
struct OptionalValue {
  using type = T;
  static constexpr bool kOptional = false;
};
template <typename T>
struct OptionalValue<std::optional<T>> {
  using type = T;
  static constexpr bool kOptional = true;
};

template <typename T>
struct IsText : std::false_type {};
template <std::size_t N>
struct IsText<Text<N>> : std::true_type {};
template <std::size_t N>
struct IsText<Bytes<N>> : std::true_type {};
template <typename T>
struct IsBytes : std::false_type {};
template <std::size_t N>
struct IsBytes<Bytes<N>> : std::true_type {};

template <typename T>
inline constexpr bool kIsByteArray = std::is_same_v<T, std::string_view> || IsText<T>::value;

template <typename T>
inline constexpr std::uint32_t kFixedBytes = 0;
template <std::size_t N>
inline constexpr std::uint32_t kFixedBytes<std::array<std::byte, N>> = N;
template <std::size_t N>
inline constexpr std::uint32_t kFixedBytes<std::array<std::uint8_t, N>> = N;

// True for members that list() and map() take: see nested.h.
template <typename T>
inline constexpr bool kIsSequence = false;
template <typename T, std::size_t N>
inline constexpr bool kIsSequence<std::array<T, N>> = kFixedBytes<std::array<T, N>> == 0;

// Type in which a value of C++ type T is stored before PLAIN: small integers as 32 bits.
template <typename T, typename = void>
struct StoredAs {
  using type = T;
};
template <typename T>
struct StoredAs<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool> && (sizeof(T) < 4)>> {
  using type = std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>;
};

template <typename T>
constexpr Type physical_type() {
  using Stored = typename StoredAs<T>::type;
  if constexpr (std::is_same_v<T, bool>) return Type::kBoolean;
  if constexpr (std::is_integral_v<Stored> && sizeof(Stored) == 4) return Type::kInt32;
  if constexpr (std::is_integral_v<Stored> && sizeof(Stored) == 8) return Type::kInt64;
  if constexpr (std::is_same_v<T, float>) return Type::kFloat;
  if constexpr (std::is_same_v<T, double>) return Type::kDouble;
  if constexpr (kIsByteArray<T>) return Type::kByteArray;
  return Type::kFixedLenByteArray;
}

template <typename T>
constexpr Field field_of(std::string_view name) {
  constexpr bool kKnown = std::is_arithmetic_v<T> || kIsByteArray<T> || kFixedBytes<T> != 0;
  static_assert(!kIsSequence<T>, "a list is made by list()");
  static_assert(kKnown || kIsSequence<T> || !std::is_class_v<T>,
                "a struct needs its columns: they follow the member in group() and list()");
  static_assert(kKnown || kIsSequence<T> || std::is_class_v<T>, "no column type for this member");
  static_assert(!std::is_same_v<T, long double>, "no column type for this member");
  if constexpr (std::is_same_v<T, bool>) return boolean_field(name);
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    if constexpr (std::is_signed_v<T> && sizeof(T) == 4) return int32_field(name);
    if constexpr (std::is_signed_v<T> && sizeof(T) == 8) return int64_field(name);
    return integer_field(name, sizeof(T) * 8, std::is_signed_v<T>);
  }
  if constexpr (std::is_same_v<T, float>) return float_field(name);
  if constexpr (std::is_same_v<T, double>) return double_field(name);
  if constexpr (std::is_same_v<T, std::string_view>) return byte_array_field(name);
  if constexpr (IsBytes<T>::value) return byte_array_field(name);
  if constexpr (IsText<T>::value) return string_field(name);
  return fixed_field(name, kFixedBytes<T>);
}

// Returns a DECIMAL field in the form of a member of type T.
template <typename T>
constexpr Field decimal_of(std::string_view name, std::uint8_t precision, std::uint8_t scale) {
  constexpr Type kType = physical_type<T>();
  constexpr bool kNumber = (kType == Type::kInt32 || kType == Type::kInt64) && std::is_signed_v<T>;
  static_assert(kNumber || kIsByteArray<T> || kFixedBytes<T> != 0, "no decimal is stored as this member");
  if constexpr (kType == Type::kInt32) return decimal32_field(name, precision, scale);
  if constexpr (kType == Type::kInt64) return decimal64_field(name, precision, scale);
  if constexpr (kIsByteArray<T>) return decimal_binary_field(name, precision, scale);
  return decimal_fixed_field(name, kFixedBytes<T>, precision, scale);
}

// Never defined, and not constexpr: a compiler that stops here has found an exponent that a column cannot
// have.
void exponent_is_out_of_range();

// Returns a field for counts of a sensor; `exponent` is the power of ten of their steps.
template <typename T>
constexpr Field scaled_field(std::string_view name, int exponent) {
  constexpr bool kFits =
      std::is_integral_v<T> && !std::is_same_v<T, bool> && (std::is_signed_v<T> || sizeof(T) < 4);
  static_assert(kFits, "only counts are scaled: integers, those of 32 and 64 bits with a sign");
  constexpr std::uint8_t kDigits = sizeof(T) == 8 ? 18 : 9;
  if (exponent > 0 || -exponent > kDigits) exponent_is_out_of_range();
  const auto scale = static_cast<std::uint8_t>(-exponent);
  const Field field =
      sizeof(T) == 8 ? decimal64_field(name, kDigits, scale) : decimal32_field(name, kDigits, scale);
  return field.with_encoder(kDeltaBinaryPacked);
}

template <typename Row, typename Accessor>
constexpr auto& access(Row& row, const Accessor& accessor) {
  if constexpr (std::is_member_object_pointer_v<Accessor>) {
    return row.*accessor;
  } else {
    return accessor(row);
  }
}

template <typename Row, typename Accessor>
using AccessedBy = std::remove_cv_t<
    std::remove_reference_t<decltype(access(std::declval<Row&>(), std::declval<Accessor>()))>>;

}  // namespace detail

// Column of a struct `Row`. `Accessor` is a member pointer or a lambda.
template <typename Row, typename Accessor>
struct TypedColumn {
  // Struct that it is a column of.
  using row = Row;
  Field field;                 // column in the file
  Accessor accessor;           // leads to its member
  Resolution resolution = {};  // step to which StaticWriter rounds it

  // Returns this column with pages of `bytes` bytes: see Options::page_bytes.
  constexpr TypedColumn with_page_bytes(std::uint32_t bytes) const {
    return {field.with_page_bytes(bytes), accessor, resolution};
  }
  // Returns this column encoded by `encoder`, which is the caller's and must stay as long as the writer.
  constexpr TypedColumn with_encoder(const Encoder& encoder) const {
    return {field.with_encoder(encoder), accessor, resolution};
  }
  // Returns this column encoded by the one of `encoders` that suits its type.
  constexpr TypedColumn with_encoder(const IntegerEncoders& encoders) const {
    return {field.with_encoder(encoders), accessor, resolution};
  }
  // Returns this column encoded by the one of `encoders` that suits its type.
  constexpr TypedColumn with_encoder(const DictionaryEncoders& encoders) const {
    return {field.with_encoder(encoders), accessor, resolution};
  }
  // Returns this column encoded, and perhaps compressed, by the ones of `encoders` for its type.
  constexpr TypedColumn with_encoder(const AutoEncoders& encoders) const {
    return {field.with_encoder(encoders), accessor, resolution};
  }
  // Returns this column with its pages compressed by `compressor`, which is the caller's and must stay as
  // long as the writer.
  constexpr TypedColumn with_compressor(const Compressor& compressor) const {
    return {field.with_compressor(compressor), accessor, resolution};
  }
  // Returns this column, a float or double, rounded to the sensor's step when a StaticWriter appends it: see
  // resolution.h. Requires: 1e-30 <= step <= 1e30.
  constexpr TypedColumn with_resolution(double step) const {
    static_assert(
        std::is_floating_point_v<typename detail::OptionalValue<detail::AccessedBy<Row, Accessor>>::type>,
        "only floating point is rounded");
    return {field, accessor, Resolution(step)};
  }
};

namespace detail {

// Never defined, and not constexpr: a compiler that stops here has found a member whose type its column
// does not store.
void member_type_does_not_fit_its_column();

// Returns `field`, made optional if the member is; the member's type must be stored in the same way.
template <typename Member>
constexpr Field adapt(Field field) {
  using Held = typename OptionalValue<Member>::type;
  if (field.type != physical_type<Held>()) member_type_does_not_fit_its_column();
  if (kFixedBytes<Held> != field.type_length) member_type_does_not_fit_its_column();
  return OptionalValue<Member>::kOptional ? field.as_optional() : field;
}

template <typename Member, typename Row>
constexpr TypedColumn<Row, Member Row::*> typed_column(Field field, Member Row::* member) {
  static_assert(alignof(Row) >= alignof(Member), "members of packed structs can be unaligned");
  return {adapt<Member>(field), member};
}

}  // namespace detail

// Makes a column by the member's type.
template <typename Member, typename Row>
constexpr TypedColumn<Row, Member Row::*> column(std::string_view name, Member Row::* member) {
  return detail::typed_column(detail::field_of<typename detail::OptionalValue<Member>::type>(name), member);
}
// Makes a column of any field of schema.h, for types that have no function of their own here:
// column(mpq::integer_field("channel", 8, false), &Sample::channel).
template <typename Member, typename Row>
constexpr TypedColumn<Row, Member Row::*> column(const Field& field, Member Row::* member) {
  return detail::typed_column(field, member);
}
// Makes a column by a lambda. Give the struct: column<Sample>("ax", [](auto& s) -> auto& { return s.a[0]; }).
template <typename Row, typename Accessor,
          typename = std::enable_if_t<!std::is_member_object_pointer_v<Accessor>>>
constexpr TypedColumn<Row, Accessor> column(std::string_view name, Accessor accessor) {
  using Member = detail::AccessedBy<Row, Accessor>;
  return {detail::adapt<Member>(detail::field_of<typename detail::OptionalValue<Member>::type>(name)),
          accessor};
}
// Makes a column of any field of schema.h by a lambda. A member of a type that the field does not store does
// not compile.
template <typename Row, typename Accessor,
          typename = std::enable_if_t<!std::is_member_object_pointer_v<Accessor>>>
constexpr TypedColumn<Row, Accessor> column(const Field& field, Accessor accessor) {
  return {detail::adapt<detail::AccessedBy<Row, Accessor>>(field), accessor};
}

// The functions below give the member's type a logical type; each column is required unless the member is
// std::optional.

// Text in UTF-8.
template <typename Member, typename Row>
constexpr auto string_column(std::string_view name, Member Row::* member) {
  return detail::typed_column(string_field(name), member);
}
// Text or bytes of `kind`: kEnum, kJson or kBson.
template <typename Member, typename Row>
constexpr auto text_column(std::string_view name, Member Row::* member, LogicalKind kind) {
  return detail::typed_column(text_field(name, kind), member);
}
// Milliseconds since 1970-01-01 00:00, an int64_t; UTC unless `utc` is false.
template <typename Member, typename Row>
constexpr auto timestamp_ms_column(std::string_view name, Member Row::* member, bool utc = true) {
  return detail::typed_column(timestamp_field(name, TimeUnit::kMillis, utc), member);
}
// Microseconds, otherwise as timestamp_ms_column().
template <typename Member, typename Row>
constexpr auto timestamp_us_column(std::string_view name, Member Row::* member, bool utc = true) {
  return detail::typed_column(timestamp_field(name, TimeUnit::kMicros, utc), member);
}
// Nanoseconds, from 1677 to 2262, otherwise as timestamp_ms_column().
template <typename Member, typename Row>
constexpr auto timestamp_ns_column(std::string_view name, Member Row::* member, bool utc = true) {
  return detail::typed_column(timestamp_field(name, TimeUnit::kNanos, utc), member);
}
// Milliseconds since midnight, an int32_t; UTC unless `utc` is false.
template <typename Member, typename Row>
constexpr auto time_ms_column(std::string_view name, Member Row::* member, bool utc = true) {
  return detail::typed_column(time_field(name, TimeUnit::kMillis, utc), member);
}
// Microseconds since midnight, an int64_t; UTC unless `utc` is false.
template <typename Member, typename Row>
constexpr auto time_us_column(std::string_view name, Member Row::* member, bool utc = true) {
  return detail::typed_column(time_field(name, TimeUnit::kMicros, utc), member);
}
// Nanoseconds since midnight, an int64_t; UTC unless `utc` is false.
template <typename Member, typename Row>
constexpr auto time_ns_column(std::string_view name, Member Row::* member, bool utc = true) {
  return detail::typed_column(time_field(name, TimeUnit::kNanos, utc), member);
}
// Days since 1970-01-01, an int32_t.
template <typename Member, typename Row>
constexpr auto date_column(std::string_view name, Member Row::* member) {
  return detail::typed_column(date_field(name), member);
}
// Decimal whose unscaled value is an int32_t up to 9 digits, an int64_t up to 18, and beyond that an array of
// bytes or text of bytes (big-endian, two's complement).
template <typename Member, typename Row>
constexpr auto decimal_column(std::string_view name, Member Row::* member, std::uint8_t precision,
                              std::uint8_t scale) {
  return detail::typed_column(
      detail::decimal_of<typename detail::OptionalValue<Member>::type>(name, precision, scale), member);
}
// Counts of a sensor, with the power of ten of their steps: a value is member * 10^exponent, and every reader
// shows it so. The file has a DECIMAL as packed differences (encoders.h), the smallest form of a
// measured value, for the fewest instructions.
//
//   scaled("ax_g", &Sample::ax_milli_g, -3)
//
// The member has 8 or 16 bits, with a sign or without; or is an int32_t of up to 9 digits, or an int64_t of
// up to
// 18. Requires: -9 <= exponent <= 0; of an int64_t, -18 <= exponent.
template <typename Member, typename Row>
constexpr auto scaled(std::string_view name, Member Row::* member, int exponent) {
  return detail::typed_column(
      detail::scaled_field<typename detail::OptionalValue<Member>::type>(name, exponent), member);
}
// Makes a scaled column by a lambda: scaled<Sample>("ax_g", [](auto& s) -> auto& { return s.raw[0]; }, -3).
template <typename Row, typename Accessor,
          typename = std::enable_if_t<!std::is_member_object_pointer_v<Accessor>>>
constexpr TypedColumn<Row, Accessor> scaled(std::string_view name, Accessor accessor, int exponent) {
  using Member = detail::AccessedBy<Row, Accessor>;
  using Held = typename detail::OptionalValue<Member>::type;
  return {detail::adapt<Member>(detail::scaled_field<Held>(name, exponent)), accessor};
}
// An array of sixteen bytes, big-endian.
template <typename Member, typename Row>
constexpr auto uuid_column(std::string_view name, Member Row::* member) {
  return detail::typed_column(uuid_field(name), member);
}
// An array of two bytes: IEEE half precision, little-endian.
template <typename Member, typename Row>
constexpr auto float16_column(std::string_view name, Member Row::* member) {
  return detail::typed_column(float16_field(name), member);
}
// An array of twelve bytes: months, days, milliseconds, each 32 bits unsigned little-endian. It has no order.
template <typename Member, typename Row>
constexpr auto interval_column(std::string_view name, Member Row::* member) {
  return detail::typed_column(interval_field(name), member);
}

namespace detail {
// Column with its place in the list. Each is a base of its list, so that a compiler finds it without looking
// at the others: a schema's compile time grows with its columns, not with their square.
template <std::size_t kIndex, typename Column>
struct ColumnPlace {
  Column column;
};
template <typename Indices, typename... Columns>
struct ColumnPlaces;
template <std::size_t... kIndices, typename... Columns>
struct ColumnPlaces<std::index_sequence<kIndices...>, Columns...> : ColumnPlace<kIndices, Columns>... {};
}  // namespace detail

// Columns in their order, as a list that a constant expression can hold.
template <typename... Columns>
struct ColumnList : detail::ColumnPlaces<std::make_index_sequence<sizeof...(Columns)>, Columns...> {};

namespace detail {
template <typename... Columns>
constexpr ColumnList<Columns...> make_column_list(const Columns&... columns) {
  return {{{columns}...}};
}

// Returns one column of the list.
template <std::size_t kIndex, typename Column>
constexpr const Column& column_at(const ColumnPlace<kIndex, Column>& place) {
  return place.column;
}

// Calls `take(index, column)` for each column, in order.
template <std::size_t... kIndices, typename... Columns, typename Take>
constexpr void for_each_column(const ColumnPlaces<std::index_sequence<kIndices...>, Columns...>& list,
                               Take&& take) {
  (take(std::integral_constant<std::size_t, kIndices>{}, column_at<kIndices>(list)), ...);
}

// Calls `take(index)` for each index below the count, in order; the index is a constant of its type.
template <typename Take, std::size_t... kIndices>
constexpr void for_each_index(std::index_sequence<kIndices...>, Take&& take) {
  (take(std::integral_constant<std::size_t, kIndices>{}), ...);
}
}  // namespace detail

namespace detail {
// Most derived struct: the one that has the others as bases.
template <typename First, typename... Rest>
struct MostDerived {
  using type = First;
};
template <typename First, typename Second, typename... Rest>
struct MostDerived<First, Second, Rest...>
    : MostDerived<std::conditional_t<std::is_base_of_v<First, Second>, Second, First>, Rest...> {};
}  // namespace detail

namespace detail {
template <std::size_t kCount, std::size_t... kIndices>
constexpr std::array<Field, kCount> encoded(const std::array<Field, kCount>& fields,
                                            const AutoEncoders& encoders, std::index_sequence<kIndices...>) {
  return {fields[kIndices].with_encoder(encoders)...};
}
template <typename... Columns, std::size_t... kIndices>
constexpr ColumnList<Columns...> encoded(const ColumnList<Columns...>& list, const AutoEncoders& encoders,
                                         std::index_sequence<kIndices...>) {
  return {{{column_at<kIndices>(list).with_encoder(encoders)}...}};
}
}  // namespace detail

// Columns of a struct. Make it with schema(), as an inline constexpr object.
template <typename... Columns>
struct TypedSchema {
  // Number of columns.
  static constexpr std::size_t kColumns = sizeof...(Columns);
  // Struct of its rows: the most derived one, if the structs of the columns are bases of each other.
  using Row = typename detail::MostDerived<typename Columns::row...>::type;

  std::array<Field, kColumns> fields;  // fields in the order of the columns
  ColumnList<Columns...> columns;      // columns with their accessors

  // Returns this schema with all columns encoded by the ones of `encoders` for their types.
  constexpr TypedSchema with_encoder(const AutoEncoders& encoders) const {
    return {detail::encoded(fields, encoders, std::make_index_sequence<kColumns>{}),
            detail::encoded(columns, encoders, std::make_index_sequence<kColumns>{})};
  }

  // Returns the fields, for functions that take a schema. They lie in this object, which must stay.
  constexpr operator Schema() const { return Schema(fields.data(), kColumns); }
};

namespace detail {
// True for columns; lists, maps and structs are none: see nested.h.
template <typename T>
inline constexpr bool kIsColumn = false;
template <typename Row, typename Accessor>
inline constexpr bool kIsColumn<TypedColumn<Row, Accessor>> = true;
}  // namespace detail

// Makes the schema of a struct from its columns, in this order: at least one, each made by one of the
// functions above. Names are not copied. Keep it as an inline constexpr object, which writers and readers
// take as a template argument.
template <typename... Columns, std::enable_if_t<(detail::kIsColumn<Columns> && ...), int> = 0>
constexpr TypedSchema<Columns...> schema(const Columns&... columns) {
  static_assert(sizeof...(Columns) != 0, "a schema has at least one column");
  return {{columns.field...}, detail::make_column_list(columns...)};
}

}  // namespace microparquet
