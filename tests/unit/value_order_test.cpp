// Tests how values compare, by physical and logical type (parquet.thrift, ColumnOrder).
#include "values/value_order.h"

#include <cstdint>
#include <limits>
#include <string_view>

#include "microparquet/schema.h"
#include "support/check.h"
#include "support/names.h"

namespace {

using microparquet::LogicalKind;
using microparquet::LogicalType;
using microparquet::TimeUnit;
using microparquet::detail::compare;
using microparquet::detail::Comparison;
using microparquet::detail::has_place;
using microparquet::detail::ValueOrder;
using Bytes = Span<const std::byte>;

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// Every value comes before those that stand after it, and equals itself, whichever way they are asked.
void check_ascending(ValueOrder order, Span<const Bytes> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(has_place(order, values[i]));
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Comparison right = i < k ? Comparison::kLess : i > k ? Comparison::kGreater : Comparison::kEqual;
      CHECK(compare(order, values[i], values[k]) == right);
    }
  }
}

template <typename T, std::size_t N>
void check_numbers(ValueOrder order, const T (&numbers)[N]) {
  Bytes values[N];
  for (std::size_t i = 0; i < N; ++i)
    values[i] = Bytes(reinterpret_cast<const std::byte*>(&numbers[i]), sizeof(T));
  check_ascending(order, values);
  // Bytes of another size are no number of the type.
  const Bytes shorter = values[0].subspan(0, sizeof(T) - 1);
  CHECK(!has_place(order, shorter));
  CHECK(compare(order, shorter, values[0]) == Comparison::kNot);
  CHECK(compare(order, values[0], shorter) == Comparison::kNot);
}

template <std::size_t N>
void check_texts(ValueOrder order, const std::string_view (&texts)[N]) {
  Bytes values[N];
  for (std::size_t i = 0; i < N; ++i) values[i] = bytes_of(texts[i]);
  check_ascending(order, values);
}

// `zeros`: -0, +0. NaN of both signs compare with nothing, themselves included.
template <typename T>
void check_floats(ValueOrder order, const T (&zeros)[2], const T (&nans)[4], T one) {
  const auto show = [](const T& number) {
    return Bytes(reinterpret_cast<const std::byte*>(&number), sizeof(T));
  };
  CHECK(compare(order, show(zeros[0]), show(zeros[1])) == Comparison::kEqual);
  CHECK(compare(order, show(zeros[1]), show(zeros[0])) == Comparison::kEqual);
  for (const T& nan : nans) {
    CHECK(!has_place(order, show(nan)));
    CHECK(compare(order, show(nan), show(one)) == Comparison::kNot);
    CHECK(compare(order, show(one), show(nan)) == Comparison::kNot);
    CHECK(compare(order, show(nan), show(nan)) == Comparison::kNot);
  }
  CHECK(microparquet::detail::has_nan(order));
}

LogicalType logical(LogicalKind kind) { return microparquet::detail::logical_of(kind); }

}  // namespace

TEST("value order: of every type that can be written, with the bounds that keep to it") {
  namespace mpq = microparquet;
  const struct {
    Field field;
    ValueOrder order;
    const mpq::BoundsTracker& bounds;
  } table[] = {
      {mpq::boolean_field("a"), ValueOrder::kBoolean, mpq::kBooleanBounds},
      {mpq::int32_field("a"), ValueOrder::kInt32, mpq::kInt32Bounds},
      {mpq::int64_field("a"), ValueOrder::kInt64, mpq::kInt64Bounds},
      {mpq::integer_field("a", 8, true), ValueOrder::kInt32, mpq::kInt32Bounds},
      {mpq::integer_field("a", 16, false), ValueOrder::kUint32, mpq::kUint32Bounds},
      {mpq::integer_field("a", 32, false), ValueOrder::kUint32, mpq::kUint32Bounds},
      {mpq::integer_field("a", 64, true), ValueOrder::kInt64, mpq::kInt64Bounds},
      {mpq::integer_field("a", 64, false), ValueOrder::kUint64, mpq::kUint64Bounds},
      {mpq::float_field("a"), ValueOrder::kFloat, mpq::kFloatBounds},
      {mpq::double_field("a"), ValueOrder::kDouble, mpq::kDoubleBounds},
      {mpq::float16_field("a"), ValueOrder::kFloat16, mpq::kFloat16Bounds},
      {mpq::byte_array_field("a"), ValueOrder::kBytes, mpq::kBinaryBounds},
      {mpq::string_field("a"), ValueOrder::kBytes, mpq::kBinaryBounds},
      {mpq::text_field("a", LogicalKind::kEnum), ValueOrder::kBytes, mpq::kBinaryBounds},
      {mpq::text_field("a", LogicalKind::kJson), ValueOrder::kBytes, mpq::kBinaryBounds},
      {mpq::text_field("a", LogicalKind::kBson), ValueOrder::kBytes, mpq::kBinaryBounds},
      {mpq::fixed_field("a", 2), ValueOrder::kBytes, mpq::kBinaryBounds},
      {mpq::uuid_field("a"), ValueOrder::kBytes, mpq::kBinaryBounds},
      {mpq::interval_field("a"), ValueOrder::kNone, mpq::kNoBounds},
      {mpq::date_field("a"), ValueOrder::kInt32, mpq::kInt32Bounds},
      {mpq::time_field("a", TimeUnit::kMillis), ValueOrder::kInt32, mpq::kInt32Bounds},
      {mpq::time_field("a", TimeUnit::kMicros), ValueOrder::kInt64, mpq::kInt64Bounds},
      {mpq::timestamp_field("a"), ValueOrder::kInt64, mpq::kInt64Bounds},
      {mpq::decimal32_field("a", 9, 2), ValueOrder::kInt32, mpq::kInt32Bounds},
      {mpq::decimal64_field("a", 18, 2), ValueOrder::kInt64, mpq::kInt64Bounds},
      {mpq::decimal_fixed_field("a", 16, 38, 2), ValueOrder::kDecimal, mpq::kDecimalBounds},
      {mpq::decimal_binary_field("a", 38, 2), ValueOrder::kDecimal, mpq::kDecimalBounds},
  };
  for (const auto& row : table) {
    CHECK(mpq::detail::order_of(row.field) == row.order);
    CHECK(row.field.bounds == &row.bounds);
  }
}

TEST("value order: none where the format defines none, or the type is not known") {
  using microparquet::detail::order_of;
  CHECK(order_of(Type::kInt96, 0, {}) == ValueOrder::kNone);
  CHECK(order_of(Type::kByteArray, 0, logical(LogicalKind::kFloat16)) == ValueOrder::kNone);
  CHECK(order_of(Type::kFixedLenByteArray, 4, logical(LogicalKind::kFloat16)) == ValueOrder::kNone);
  for (const LogicalKind kind : {LogicalKind::kUnknown, LogicalKind::kNull, LogicalKind::kVariant,
                                 LogicalKind::kGeometry, LogicalKind::kGeography}) {
    CHECK(order_of(Type::kByteArray, 0, logical(kind)) == ValueOrder::kNone);
    CHECK(order_of(Type::kInt32, 0, logical(kind)) == ValueOrder::kNone);
  }
  const Bytes four = bytes_of("\x01\x02\x03\x04");
  CHECK(!has_place(ValueOrder::kNone, four));
  CHECK(compare(ValueOrder::kNone, four, four) == Comparison::kNot);
}

TEST("value order: the deprecated bounds are believed of numbers with a sign") {
  using microparquet::detail::trusts_old_bounds;
  for (const ValueOrder order : {ValueOrder::kBoolean, ValueOrder::kInt32, ValueOrder::kInt64,
                                 ValueOrder::kFloat, ValueOrder::kDouble}) {
    CHECK(trusts_old_bounds(order));
  }
  for (const ValueOrder order : {ValueOrder::kNone, ValueOrder::kUint32, ValueOrder::kUint64,
                                 ValueOrder::kFloat16, ValueOrder::kBytes, ValueOrder::kDecimal}) {
    CHECK(!trusts_old_bounds(order));
  }
}

TEST("value order: integers and booleans") {
  check_numbers(ValueOrder::kBoolean, {std::uint8_t{0}, std::uint8_t{1}});
  check_numbers<std::int32_t>(ValueOrder::kInt32, {INT32_MIN, -1, 0, 1, INT32_MAX});
  check_numbers<std::uint32_t>(ValueOrder::kUint32, {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF});
  constexpr std::int64_t kBeyond = std::int64_t{1} << 32;
  check_numbers<std::int64_t>(ValueOrder::kInt64, {INT64_MIN, -kBeyond, -1, 0, 1, kBeyond, INT64_MAX});
  check_numbers<std::uint64_t>(ValueOrder::kUint64,
                               {0, 1, kBeyond, INT64_MAX, std::uint64_t{1} << 63, UINT64_MAX});
  CHECK(!microparquet::detail::has_nan(ValueOrder::kInt32));
}

TEST("value order: floating point, where both zeros are one number and NaN is none") {
  using Single = std::numeric_limits<float>;
  using Double = std::numeric_limits<double>;
  check_numbers(ValueOrder::kFloat,
                {-Single::infinity(), Single::lowest(), -1.0F, -Single::denorm_min(), 0.0F,
                 Single::denorm_min(), 1.0F, 1.5F, Single::max(), Single::infinity()});
  check_numbers(ValueOrder::kDouble,
                {-Double::infinity(), Double::lowest(), -1.0, -Double::denorm_min(), -0.0,
                 Double::denorm_min(), 1.0, 1.5, Double::max(), Double::infinity()});
  // -infinity, -65504, -1, the smallest below 0, 0, the smallest above, 1, 65504, infinity
  check_numbers<std::uint16_t>(ValueOrder::kFloat16,
                               {0xFC00, 0xFBFF, 0xBC00, 0x8001, 0, 1, 0x3C00, 0x7BFF, 0x7C00});
  check_floats<std::uint32_t>(ValueOrder::kFloat, {0x80000000, 0},
                              {0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF}, 0x3F800000);
  check_floats<std::uint64_t>(
      ValueOrder::kDouble, {std::uint64_t{1} << 63, 0},
      {0x7FF8000000000000, 0xFFF8000000000000, 0x7FF0000000000001, 0xFFFFFFFFFFFFFFFF}, 0x3FF0000000000000);
  check_floats<std::uint16_t>(ValueOrder::kFloat16, {0x8000, 0}, {0x7E00, 0xFE00, 0x7C01, 0xFFFF}, 0x3C00);
}

TEST("value order: bytes unsigned, a prefix before what it begins") {
  check_texts(ValueOrder::kBytes,
              {std::string_view(), "\x01", "A", "AB", "B", "a", "\x7F", "\x80", "\xFF", "\xFF\xFF"});
  CHECK(compare(ValueOrder::kBytes, Bytes(), bytes_of("")) == Comparison::kEqual);
}

TEST("value order: decimals by their number, of any lengths") {
  // -65536, -300 in two bytes, -129, -128, -1, 0, 1, 127, 128, 255, 256, 65536
  check_texts(ValueOrder::kDecimal, {{"\xFF\x00\x00", 3},
                                     "\xFE\xD4",
                                     "\xFF\x7F",
                                     "\x80",
                                     "\xFF",
                                     {"\x00", 1},
                                     "\x01",
                                     "\x7F",
                                     {"\x00\x80", 2},
                                     {"\x00\xFF", 2},
                                     {"\x01\x00", 2},
                                     {"\x01\x00\x00", 3}});
  const std::string_view same[][2] = {{"\xFF", "\xFF\xFF\xFF\xFF"},
                                      {"\x80", "\xFF\xFF\x80"},
                                      {{"\x00", 1}, {"\x00\x00\x00", 3}},
                                      {"\x05", {"\x00\x00\x05", 3}}};
  for (const auto& pair : same) {
    CHECK(compare(ValueOrder::kDecimal, bytes_of(pair[0]), bytes_of(pair[1])) == Comparison::kEqual);
    CHECK(compare(ValueOrder::kDecimal, bytes_of(pair[1]), bytes_of(pair[0])) == Comparison::kEqual);
  }
  // The longer one's first bytes only repeat the sign.
  check_texts(ValueOrder::kDecimal, {"\xFF\xFF\xFF\xFE", "\xFF", {"\x00\x00\x00\x00", 4}, "\x01"});
  CHECK(!has_place(ValueOrder::kDecimal, Bytes()));
  CHECK(compare(ValueOrder::kDecimal, Bytes(), bytes_of("\x01")) == Comparison::kNot);
  CHECK(compare(ValueOrder::kDecimal, bytes_of("\x01"), Bytes()) == Comparison::kNot);
}
