// Row groups are marked as sorted as long as their rows come in the order that was named.
#include "microparquet/sorting.h"

#include <cstring>
#include <limits>
#include <string_view>

#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Options sorted(Span<const SortingColumn> columns) {
  Options options = written::in_place(512);
  options.sorting = microparquet::sorted_by(columns);
  return options;
}

// Whether one row group of these values of one column is marked as sorted.
template <std::size_t N>
bool is_sorted(const Field& field, const SortingColumn& column, const Value (&values)[N]) {
  written::File file(microparquet::Schema(&field, 1), sorted(Span<const SortingColumn>(&column, 1)));
  bool ok = file.opened() == Status::kOk;
  for (const Value& value : values)
    ok = ok && file.writer.append(Span<const Value>(&value, 1)) == Status::kOk;
  CHECK(ok && file.writer.close() == Status::kOk);
  const view::List claims = file.view().row_group(0).list(view::id::kSortingColumns);
  if (claims.size() == 0) return false;
  CHECK_EQ(claims.size(), 1U);
  CHECK_EQ(claims.structure(0).integer(1), column.column);
  CHECK_EQ(claims.structure(0).boolean(2), column.descending);
  CHECK_EQ(claims.structure(0).boolean(3), column.nulls_first);
  return true;
}

constexpr SortingColumn kAscending{0, false, false};
constexpr SortingColumn kDescending{0, true, false};
constexpr SortingColumn kNullsFirst{0, false, true};

}  // namespace

TEST("ascending and descending, equal values among them") {
  const Field field = microparquet::int32_field("n");
  const Value up[] = {Value::of(-5), Value::of(-5), Value::of(0), Value::of(2147483647)};
  const Value down[] = {Value::of(3), Value::of(3), Value::of(-3)};
  const Value neither[] = {Value::of(1), Value::of(3), Value::of(2)};
  const Value one[] = {Value::of(1)};
  CHECK(is_sorted(field, kAscending, up));
  CHECK(!is_sorted(field, kDescending, up));
  CHECK(is_sorted(field, kDescending, down));
  CHECK(!is_sorted(field, kAscending, down));
  CHECK(!is_sorted(field, kAscending, neither));
  CHECK(!is_sorted(field, kDescending, neither));
  CHECK(is_sorted(field, kAscending, one));
  CHECK(is_sorted(field, kDescending, one));
}

TEST("nulls first and last") {
  const Field field = microparquet::int64_field("n").as_optional();
  const Value a = Value::of(std::int64_t{1});
  const Value b = Value::of(std::int64_t{2});
  const Value first[] = {Value(), Value(), a, b};
  const Value last[] = {a, b, Value(), Value()};
  const Value between[] = {a, Value(), b};
  CHECK(is_sorted(field, kNullsFirst, first));
  CHECK(!is_sorted(field, kNullsFirst, last));
  CHECK(is_sorted(field, kAscending, last));
  CHECK(!is_sorted(field, kAscending, first));
  CHECK(!is_sorted(field, kAscending, between));
  CHECK(!is_sorted(field, kNullsFirst, between));
  const Value all[] = {Value(), Value()};
  CHECK(is_sorted(field, kAscending, all));
}

TEST("NaN is in no order, wherever it stands") {
  const Field field = microparquet::double_field("x");
  const Value good[] = {Value::of(-1.0), Value::of(-0.0), Value::of(0.0), Value::of(2.5)};
  const Value first[] = {Value::of(kNan), Value::of(1.0)};
  const Value last[] = {Value::of(1.0), Value::of(kNan)};
  const Value alone[] = {Value::of(kNan)};
  CHECK(is_sorted(field, kAscending, good));
  for (const SortingColumn& order : {kAscending, kDescending}) {
    CHECK(!is_sorted(field, order, first));
    CHECK(!is_sorted(field, order, last));
    CHECK(!is_sorted(field, order, alone));
  }
  const Value single[] = {Value::of(1.5F), Value::of(std::numeric_limits<float>::quiet_NaN())};
  CHECK(!is_sorted(microparquet::float_field("x"), kAscending, single));
}

TEST("unsigned numbers, booleans and bytes by their own order") {
  const Value high_bit[] = {Value::of(1), Value::of(-1)};
  CHECK(is_sorted(microparquet::integer_field("u", 32, false), kAscending, high_bit));
  CHECK(!is_sorted(microparquet::integer_field("i", 32, true), kAscending, high_bit));
  const Value flags[] = {Value::of(false), Value::of(false), Value::of(true)};
  CHECK(is_sorted(microparquet::boolean_field("b"), kAscending, flags));
  CHECK(!is_sorted(microparquet::boolean_field("b"), kDescending, flags));
  const Value texts[] = {Value::of_bytes(""), Value::of_bytes("a"), Value::of_bytes("ab"),
                         Value::of_bytes("\xC3")};
  CHECK(is_sorted(microparquet::string_field("s"), kAscending, texts));
  const Value fixed[] = {Value::of_fixed("az"), Value::of_fixed("b\x80")};
  CHECK(is_sorted(microparquet::fixed_field("f", 2), kAscending, fixed));
  const Value halves[] = {Value::of_fixed("\x02\xBC"), Value::of_fixed("\x01\x3C")};  // about -1 and 1
  CHECK(is_sorted(microparquet::float16_field("h"), kAscending, halves));
  CHECK(is_sorted(microparquet::fixed_field("f", 2), kDescending, halves));
  const Value no_half[] = {Value::of_fixed("\x01\x7E")};
  CHECK(!is_sorted(microparquet::float16_field("h"), kAscending, no_half));
}

TEST("long strings that begin alike are not known to be in order") {
  const Field field = microparquet::string_field("s");
  const std::string_view longer = "a string of thirty-two bytes !!!and more";
  const Value same[] = {Value::of_bytes(longer), Value::of_bytes(longer)};
  CHECK(!is_sorted(field, kAscending, same));
  const Value just[] = {Value::of_bytes(written::part(longer, 0, 32)),
                        Value::of_bytes(written::part(longer, 0, 32))};
  CHECK(is_sorted(field, kAscending, just));
  const Value other[] = {Value::of_bytes(longer), Value::of_bytes("b")};
  CHECK(is_sorted(field, kAscending, other));
}

TEST("types without an order that is checked are never marked") {
  const Value decimals[] = {Value::of_bytes("\x01")};
  CHECK(!is_sorted(microparquet::decimal_binary_field("d", 9, 0), kAscending, decimals));
  const Value intervals[] = {Value::of_fixed("123456789012")};
  CHECK(!is_sorted(microparquet::interval_field("i"), kAscending, intervals));
}

TEST("a clock that jumps back costs its own row group the mark, and no other") {
  const Field field = microparquet::timestamp_field("time");
  const SortingColumn order[] = {kAscending};
  Options options = sorted(order);
  options.row_group_rows = 10;
  options.row_group_bytes = 0;
  written::File file(microparquet::Schema(&field, 1), options);
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (int i = 0; i < 40; ++i) {
    const std::int64_t time = i < 15 ? 1000000 + i : i;  // back in the middle of the second row group
    const Value row[] = {Value::of(time)};
    REQUIRE_EQ(file.writer.append(row), Status::kOk);
  }
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  REQUIRE_EQ(file.view().row_groups(), 4U);
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK_EQ(file.view().row_group(i).list(view::id::kSortingColumns).size(), i == 1 ? 0U : 1U);
  }
}

TEST("a second column decides where the first is equal") {
  const Field fields[] = {microparquet::int32_field("a"), microparquet::int32_field("b")};
  const SortingColumn order[] = {{1, false, false}, {0, true, false}};
  struct Case {
    int b[3];
    int a[3];
    bool sorted;
  };
  const Case cases[] = {{{1, 1, 2}, {9, 8, 100}, true},
                        {{1, 1, 2}, {8, 9, 1}, false},
                        {{1, 2, 1}, {3, 2, 1}, false},
                        {{5, 5, 5}, {1, 1, 1}, true},
                        {{1, 2, 3}, {1, 2, 3}, true}};
  for (const Case& expected : cases) {
    written::File file(fields, sorted(order));
    REQUIRE_EQ(file.opened(), Status::kOk);
    for (int i = 0; i < 3; ++i) {
      const Value row[] = {Value::of(expected.a[i]), Value::of(expected.b[i])};
      REQUIRE_EQ(file.writer.append(row), Status::kOk);
    }
    REQUIRE_EQ(file.writer.close(), Status::kOk);
    const view::List claims = file.view().row_group(0).list(view::id::kSortingColumns);
    CHECK_EQ(claims.size(), expected.sorted ? 2U : 0U);
    if (expected.sorted) CHECK(claims.structure(0).integer(1) == 1 && claims.structure(1).boolean(2));
  }
}

TEST("an order by a column that is not there") {
  const Field field = microparquet::int32_field("n");
  const SortingColumn order[] = {{1, false, false}};
  written::File file(microparquet::Schema(&field, 1), sorted(order));
  CHECK_EQ(file.opened(), Status::kInvalidArgument);
}
