// Bounds against values, by the order of each type. The row group of the file made here has 10 rows.
#include <cstring>
#include <limits>

#include "made_file.h"
#include "microparquet/filter.h"
#include "support/check.h"
#include "support/names.h"

using made::Column;
using microparquet::ColumnRange;
using microparquet::MemoryFile;
using microparquet::RangeFilter;

namespace {

alignas(8) std::byte arena[1024];
constexpr ReaderOptions kOptions = {};

// parquet.thrift's ConvertedType.
constexpr std::int32_t kDecimal = 5;
constexpr std::int32_t kUint32 = 13;
constexpr std::int32_t kInterval = 21;

template <typename T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

bool matches(const Column& column, const Value& lower, const Value& upper) {
  made::File made;
  made.footer({&column, 1}, 10);
  MemoryFile file = made.open();
  Reader reader;
  ColumnRange range;
  CHECK_EQ(reader.open(file, kOptions, arena), Status::kOk);
  CHECK_EQ(microparquet::make_range(reader, 0, lower, upper, range), Status::kOk);
  const RangeFilter filter({&range, 1});
  reader.set_filter(&filter);
  const Status status = reader.next_row_group();
  CHECK(status == Status::kOk || status == Status::kEnd);
  return status == Status::kOk;
}

template <typename T>
Column column_of(std::int32_t type, const T& min, const T& max) {
  Column column;
  column.type = type;
  column.values = 10;
  column.min = bytes_of(min);
  column.max = bytes_of(max);
  return column;
}

Column text_column(std::string_view min, std::string_view max, std::int32_t converted_type = -1) {
  Column column;
  column.type = made::kByteArray;
  column.values = 10;
  column.min = min;
  column.max = max;
  column.converted_type = converted_type;
  return column;
}

Value binary(std::string_view bytes) { return Value::of_bytes(bytes); }

}  // namespace

TEST("filter: signed and unsigned numbers") {
  const std::int32_t low = -5;
  const std::int32_t high = 7;
  Column column = column_of(made::kInt32, low, high);
  CHECK(matches(column, Value::of(7), {}));
  CHECK(!matches(column, Value::of(8), {}));
  CHECK(matches(column, {}, Value::of(-5)));
  CHECK(!matches(column, {}, Value::of(-6)));
  CHECK(matches(column, Value::of(0), Value::of(0)));
  // -5 is the larger one as an unsigned number.
  column = column_of(made::kInt32, high, low);
  column.converted_type = kUint32;
  CHECK(matches(column, Value::of(8), {}));
  CHECK(!matches(column, Value::of(-4), {}));
  CHECK(!matches(column, {}, Value::of(6)));
}

TEST("filter: floating point, where NaN is no bound and both zeros are one") {
  const double minus_zero = -0.0;
  const double zero = 0.0;
  const double nan = __builtin_nan("");
  CHECK(matches(column_of(made::kDouble, minus_zero, minus_zero), Value::of(0.0), Value::of(0.0)));
  CHECK(!matches(column_of(made::kDouble, zero, zero), Value::of(1e-300), {}));
  CHECK(matches(column_of(made::kDouble, nan, nan), Value::of(5.0), Value::of(6.0)));
  CHECK(matches(column_of(made::kDouble, zero, zero), Value::of(nan), Value::of(nan)));
}

TEST("filter: bytes, unsigned, a prefix before what is longer") {
  const Column column = text_column("bc", "x\xF0");
  CHECK(matches(column, binary("x"), {}));
  CHECK(matches(column, binary("x\xF0"), {}));
  CHECK(!matches(column, binary({"x\xF0\0", 3}), {}));
  CHECK(!matches(column, binary("x\xF1"), {}));
  CHECK(matches(column, {}, binary("bc")));
  CHECK(matches(column, {}, binary("bca")));
  CHECK(!matches(column, {}, binary("b")));
  CHECK(!matches(column, {}, binary("")));
}

TEST("filter: decimals of any length by their number") {
  // -300 to 200, in two bytes.
  const Column column = text_column({"\xFE\xD4", 2}, {"\x00\xC8", 2}, kDecimal);
  CHECK(matches(column, binary({"\x00\xC8", 2}), {}));
  CHECK(!matches(column, binary({"\x00\xC9", 2}), {}));
  CHECK(matches(column, binary({"\x00\x00\x00\xC8", 4}), {}));
  CHECK(!matches(column, binary({"\x00\x00\x00\xC9", 4}), {}));
  CHECK(matches(column, binary("\x7F"), {}));
  CHECK(matches(column, binary("\x80"), {}));  // -128
  CHECK(matches(column, {}, binary({"\xFF\xFF\xFE\xD4", 4})));
  CHECK(!matches(column, {}, binary({"\xFF\xFF\xFE\xD3", 4})));
  CHECK(!matches(column, {}, binary({"\x80\x00\x00\x00", 4})));
  CHECK(matches(column, {}, binary({"\x7F\x00\x00\x00", 4})));
  // -1 to -1 in one byte, against longer ones.
  const Column minus_one = text_column("\xFF", "\xFF", kDecimal);
  CHECK(matches(minus_one, binary("\xFF\xFF\xFF"), binary("\xFF\xFF")));
  CHECK(!matches(minus_one, binary({"\x00\x00", 2}), {}));
  CHECK(!matches(minus_one, {}, binary("\xFF\xFE")));
}

TEST("filter: what cannot be compared matches") {
  const std::int32_t number = 5;
  Column column = column_of(made::kInt32, number, number);
  column.min = column.max = "abc";
  CHECK(matches(column, Value::of(1000), {}));
  column = text_column("a", "b", kInterval);
  column.type = made::kFixed;
  column.type_length = 12;
  CHECK(matches(column, Value::of_fixed("z"), {}));
  const Column empty = text_column("", "", kDecimal);
  CHECK(matches(empty, binary("\x01"), {}));
}

TEST("filter: bounds are believed where the file says that they are in the order of their type") {
  const std::int32_t number = 5;
  Column column = column_of(made::kInt32, number, number);
  CHECK(!matches(column, Value::of(6), {}));
  for (const std::int32_t order :
       {0, 2, 3, 9}) {  // none, IEEE754_TOTAL_ORDER, INT96_TIMESTAMP_ORDER, unknown
    column.order = order;
    CHECK(matches(column, Value::of(6), {}));
    CHECK(matches(column, {}, Value::of(4)));
  }
  // A column of nulls only has no value in any order.
  column.repetition = made::kOptional;
  column.nulls = 10;
  CHECK(!matches(column, Value::of(6), {}));
}

TEST("filter: floating point may be in total order") {
  const double low = -1.5;
  const double high = 4;
  const double zero = 0;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::int32_t order : {1, 2}) {  // TYPE_ORDER, IEEE754_TOTAL_ORDER
    Column column = column_of(made::kDouble, low, high);
    column.order = order;
    CHECK(matches(column, Value::of(4.0), {}));
    CHECK(!matches(column, Value::of(4.5), {}));
    CHECK(!matches(column, {}, Value::of(-2.0)));
    column = column_of(made::kDouble, zero, zero);
    column.order = order;
    CHECK(matches(column, {}, Value::of(-0.0)));
    column = column_of(made::kDouble, nan, nan);  // NaN says nothing
    column.order = order;
    CHECK(matches(column, Value::of(1.0), Value::of(2.0)));
  }
  Column column = column_of(made::kDouble, low, high);
  column.order = 3;
  CHECK(matches(column, Value::of(4.5), {}));
}

TEST("filter: the order of each column is its own") {
  const std::int32_t number = 5;
  Column columns[3];
  for (Column& column : columns) column = column_of(made::kInt32, number, number);
  columns[1].order = 9;
  columns[0].name = "a";
  columns[1].name = "b";
  made::File made;
  made.footer(columns, 10);
  for (std::uint32_t i = 0; i < 3; ++i) {
    MemoryFile file = made.open();
    Reader reader;
    ColumnRange range;
    REQUIRE_EQ(reader.open(file, kOptions, arena), Status::kOk);
    REQUIRE_EQ(microparquet::make_range(reader, i, Value::of(6), {}, range), Status::kOk);
    const RangeFilter filter({&range, 1});
    reader.set_filter(&filter);
    CHECK_EQ(reader.next_row_group(), i == 1 ? Status::kOk : Status::kEnd);
  }
}

TEST("filter: bounds of a logical type that is not known are not compared") {
  Column column = text_column("a", "b", 99);
  CHECK(matches(column, binary("c"), {}));
  const std::int32_t number = 5;
  column = column_of(made::kInt32, number, number);
  column.converted_type = 99;
  CHECK(matches(column, Value::of(6), {}));
}

TEST("filter: the deprecated bounds are believed of signed numbers only, in files that say no order") {
  const std::int32_t number = 5;
  Column column = column_of(made::kInt32, number, number);
  column.old_bounds = true;
  CHECK(matches(column, Value::of(6), {}));
  column.order = 0;
  CHECK(!matches(column, Value::of(6), {}));
  CHECK(matches(column, Value::of(5), {}));
  column.converted_type = kUint32;
  CHECK(matches(column, Value::of(6), {}));
  column = text_column("a", "b");
  column.order = 0;
  column.old_bounds = true;
  CHECK(matches(column, binary("c"), {}));
}

TEST("filter: a row group of nulls only has no value in any range") {
  const std::int32_t number = 5;
  Column column = column_of(made::kInt32, number, number);
  column.repetition = made::kOptional;
  column.nulls = 10;
  CHECK(!matches(column, {}, {}));
  column.nulls = 9;
  CHECK(matches(column, {}, {}));
}
