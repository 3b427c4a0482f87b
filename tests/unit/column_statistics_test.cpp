// Statistics on their way into the footer: which fields stand there, of each row group by itself.
#include <cstring>
#include <limits>
#include <string_view>

#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::Bounds;
using microparquet::ValueShape;

namespace {

using namespace std::string_view_literals;

// The Statistics of one row group of one column's values.
template <std::size_t N>
view::Struct statistics_of(const Field& field, const Value (&values)[N], std::uint8_t bytes = 32) {
  Options options = written::in_place(512);
  options.max_bound_bytes = bytes;
  written::File file(Schema(&field, 1), options);
  bool ok = file.opened() == Status::kOk;
  for (const Value& value : values)
    ok = ok && file.writer.append(Span<const Value>(&value, 1)) == Status::kOk;
  ok = ok && file.writer.close() == Status::kOk;
  CHECK(ok);
  return file.view().statistics(0, 0);
}

void check_bounds(const view::Struct& statistics, std::string_view min, std::string_view max) {
  CHECK_EQ(statistics.text(view::id::kMinValue), min);
  CHECK_EQ(statistics.text(view::id::kMaxValue), max);
  CHECK(statistics.boolean(view::id::kMinExact) && statistics.boolean(view::id::kMaxExact));
  CHECK(!statistics.has(1) && !statistics.has(2));  // deprecated
}

void check_no_bounds(const view::Struct& statistics) {
  for (const int id :
       {1, 2, view::id::kMinValue, view::id::kMaxValue, view::id::kMinExact, view::id::kMaxExact}) {
    CHECK(!statistics.has(id));
  }
  CHECK(statistics.has(view::id::kNullCount));
}

bool all_aligned = true;
int pages_seen = 0;

void expect_aligned(void*, const std::byte* values, const std::byte* end, const ValueShape& shape) {
  all_aligned = all_aligned && reinterpret_cast<std::uintptr_t>(values) % shape.value_bytes == 0;
  if (values != end) ++pages_seen;
}

Bounds no_bounds(void*, const ValueShape&) { return {}; }

constexpr microparquet::BoundsTracker kExpectAligned(expect_aligned, no_bounds,
                                                     {Type::kInt32, Type::kInt64, Type::kFloat, Type::kDouble,
                                                      Type::kFixedLenByteArray});

}  // namespace

TEST("the number of nulls is always there, of NaN where there can be any") {
  const Value numbers[] = {Value::of(3), Value::of(-1)};
  const view::Struct integers = statistics_of(microparquet::int32_field("n"), numbers);
  CHECK(integers.has(view::id::kNullCount) && !integers.has(view::id::kNanCount));
  CHECK_EQ(integers.integer(view::id::kNullCount), 0);
  check_bounds(integers, "\xFF\xFF\xFF\xFF"sv, "\x03\x00\x00\x00"sv);

  const Value floats[] = {Value::of(1.0F), Value(), Value::of(std::numeric_limits<float>::quiet_NaN()),
                          Value()};
  const view::Struct some = statistics_of(microparquet::float_field("f").as_optional(), floats);
  CHECK_EQ(some.integer(view::id::kNullCount), 2);
  CHECK_EQ(some.integer(view::id::kNanCount), 1);
  check_bounds(some, "\x00\x00\x80\x3F"sv, "\x00\x00\x80\x3F"sv);

  const Value none[] = {Value::of(1.0)};
  const view::Struct doubles = statistics_of(microparquet::double_field("d"), none);
  CHECK(doubles.has(view::id::kNanCount));
  CHECK_EQ(doubles.integer(view::id::kNanCount), 0);
}

TEST("no bounds: only nulls, only NaN, and types without an order") {
  const Value nulls[] = {Value(), Value()};
  check_no_bounds(statistics_of(microparquet::int64_field("n").as_optional(), nulls));
  check_no_bounds(statistics_of(microparquet::string_field("s").as_optional(), nulls));
  const Value nan[] = {Value::of(std::numeric_limits<double>::quiet_NaN())};
  check_no_bounds(statistics_of(microparquet::double_field("d"), nan));
  const Value interval[] = {Value::of_fixed("123456789012")};
  check_no_bounds(statistics_of(microparquet::interval_field("i"), interval));
}

TEST("bounds of booleans, unsigned numbers, decimals and zeros") {
  const Value flags[] = {Value::of(true), Value::of(false)};
  check_bounds(statistics_of(microparquet::boolean_field("b"), flags), "\x00"sv, "\x01"sv);
  const Value numbers[] = {Value::of(-1), Value::of(1)};
  check_bounds(statistics_of(microparquet::integer_field("u", 32, false), numbers), "\x01\x00\x00\x00"sv,
               "\xFF\xFF\xFF\xFF"sv);
  const Value decimals[] = {Value::of_fixed("\xFF\xFE"), Value::of_fixed("\x01\x00"sv),
                            Value::of_fixed("\x00\xFF"sv)};
  check_bounds(statistics_of(microparquet::decimal_fixed_field("d", 2, 4, 1), decimals), "\xFF\xFE"sv,
               "\x01\x00"sv);
  const Value zero[] = {Value::of(0.0F)};
  check_bounds(statistics_of(microparquet::float_field("f"), zero), "\x00\x00\x00\x80"sv,
               "\x00\x00\x00\x00"sv);
}

TEST("long strings have shortened bounds, marked as such; annotated ones are whole or absent") {
  const Value texts[] = {Value::of_bytes("abcdefgh"), Value::of_bytes("b")};
  const view::Struct cut = statistics_of(microparquet::string_field("s"), texts, 4);
  CHECK_EQ(cut.text(view::id::kMinValue), "abcd");
  CHECK(cut.has(view::id::kMinExact) && !cut.boolean(view::id::kMinExact));
  CHECK_EQ(cut.text(view::id::kMaxValue), "b");
  CHECK(cut.boolean(view::id::kMaxExact));
  const Value high[] = {Value::of_bytes("\xFF\xFF\xFF\xFF\xFF")};
  const view::Struct open = statistics_of(microparquet::byte_array_field("s"), high, 4);
  CHECK(!open.has(view::id::kMaxValue) && !open.has(view::id::kMaxExact));
  const view::Struct json =
      statistics_of(microparquet::text_field("j", microparquet::LogicalKind::kJson), texts, 4);
  CHECK(!json.has(view::id::kMinValue) || json.boolean(view::id::kMinExact));
  const Value long_ids[] = {Value::of_fixed("0123456789abcdef")};
  check_no_bounds(statistics_of(microparquet::uuid_field("u"), long_ids, 15));
  check_bounds(statistics_of(microparquet::uuid_field("u"), long_ids, 16), "0123456789abcdef",
               "0123456789abcdef");
}

TEST("bounds of every length allowed, side by side") {
  const Field fields[] = {microparquet::float16_field("a"),
                          microparquet::float16_field("b"),
                          microparquet::string_field("c"),
                          microparquet::fixed_field("d", 3),
                          microparquet::decimal_binary_field("e", 9, 0),
                          microparquet::float16_field("f")};
  for (std::uint8_t bytes = 1; bytes <= 64; ++bytes) {
    Options options = written::in_place(512);
    options.max_bound_bytes = bytes;
    written::File file(fields, options);
    REQUIRE_EQ(file.opened(), Status::kOk);
    for (int i = 0; i < 2; ++i) {
      const Value low[] = {Value::of_fixed("\x00\xC0"sv), Value::of_fixed("\x00\x3C"sv),
                           Value::of_bytes("abc"),        Value::of_fixed("abc"),
                           Value::of_bytes("\x01"),       Value::of_fixed("\x00\xBC"sv)};
      const Value high[] = {Value::of_fixed("\x00\x42"sv), Value::of_fixed("\x01\x3C"sv),
                            Value::of_bytes("b"),          Value::of_fixed("xyz"),
                            Value::of_bytes("\x02"),       Value::of_fixed("\x00\xB8"sv)};
      REQUIRE_EQ(file.writer.append(low), Status::kOk);
      REQUIRE_EQ(file.writer.append(high), Status::kOk);
    }
    REQUIRE_EQ(file.writer.close(), Status::kOk);
    const view::File view = file.view();
    check_bounds(view.statistics(0, 0), "\x00\xC0"sv, "\x00\x42"sv);
    check_bounds(view.statistics(0, 1), "\x00\x3C"sv, "\x01\x3C"sv);
    check_bounds(view.statistics(0, 5), "\x00\xBC"sv, "\x00\xB8"sv);
    check_bounds(view.statistics(0, 4), "\x01", "\x02");
    CHECK_EQ(view.statistics(0, 2).text(view::id::kMinValue), written::part("abc", 0, bytes));
    if (bytes >= 3) check_bounds(view.statistics(0, 3), "abc", "xyz");
    if (bytes < 3) check_no_bounds(view.statistics(0, 3));
  }
}

TEST("each row group has statistics of its own") {
  const Field fields[] = {microparquet::int32_field("n").as_optional(), microparquet::string_field("s")};
  written::File file(fields, written::in_place(512, 10));
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (int i = 0; i < 30; ++i) {
    const char letter = static_cast<char>('z' - i / 10);
    const Value row[] = {i / 10 == 1 && i % 2 == 0 ? Value() : Value::of(i), Value::of_bytes({&letter, 1})};
    REQUIRE_EQ(file.writer.append(row), Status::kOk);
  }
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const char letter = static_cast<char>('z' - i);
    const auto min = static_cast<std::int32_t>(10 * i + (i == 1 ? 1 : 0));
    const auto max = static_cast<std::int32_t>(10 * i + 9);
    const view::Struct numbers = file.view().statistics(i, 0);
    check_bounds(numbers, {reinterpret_cast<const char*>(&min), 4}, {reinterpret_cast<const char*>(&max), 4});
    CHECK_EQ(numbers.integer(view::id::kNullCount), i == 1 ? 5 : 0);
    check_bounds(file.view().statistics(i, 1), {&letter, 1}, {&letter, 1});
  }
}

TEST("values of 2, 4 and 8 bytes are aligned, wherever their levels end") {
  Field fields[] = {microparquet::int64_field("a").as_optional(),
                    microparquet::float_field("b").as_optional(),
                    microparquet::float16_field("c").as_optional(), microparquet::double_field("d"),
                    microparquet::int32_field("e")};
  for (Field& field : fields) field.bounds = &kExpectAligned;
  for (const std::uint32_t page_bytes : {512U, 1024U}) {
    written::File file(fields, written::in_place(page_bytes));
    REQUIRE_EQ(file.opened(), Status::kOk);
    std::uint32_t chance = 1;
    const auto null = [&](std::uint32_t of) { return (chance = written::mix(chance)) % of == 0; };
    for (int n = 0; n < 3000; ++n) {
      Value row[] = {Value::of(std::int64_t{n}), Value::of(1.0F), Value::of_fixed("ab"), Value::of(2.0),
                     Value::of(n)};
      if (null(2)) row[0] = Value();
      if (null(7)) row[1] = Value();
      if (null(30)) row[2] = Value();
      REQUIRE_EQ(file.writer.append(row), Status::kOk);
    }
    REQUIRE_EQ(file.writer.close(), Status::kOk);
  }
  CHECK(all_aligned);
  CHECK(pages_seen > 100);
}
