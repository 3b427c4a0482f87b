// PLAIN of every type: page bodies by hand from Encodings.md.
#include <string_view>

#include "support/check.h"
#include "written_file.h"

using microparquet::Field;
using microparquet::Status;
using microparquet::Value;

namespace {

// The body of the one page of a column.
std::string_view body(const view::File& file, std::uint32_t column) {
  const view::Struct meta = file.column(0, column);
  const view::Struct header(file.bytes().data() + meta.integer(view::id::kDataPageOffset));
  return {reinterpret_cast<const char*>(header.end()), static_cast<std::size_t>(header.integer(3))};
}

}  // namespace

TEST("PLAIN of every type") {
  using namespace std::string_view_literals;
  const Field fields[] = {
      microparquet::boolean_field("b"),  microparquet::int32_field("i"),
      microparquet::int64_field("l"),    microparquet::float_field("f"),
      microparquet::double_field("d"),   microparquet::byte_array_field("s"),
      microparquet::fixed_field("x", 3), microparquet::float16_field("h"),
  };
  written::File file(fields);
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (int i = 0; i < 10; ++i) {
    const Value row[] = {
        Value::of(i == 0 || i == 2 || i == 9),
        Value::of(i - 1),
        Value::of(std::int64_t{-2}),
        Value::of(1.0F),
        Value::of(-2.0),
        Value::of_bytes(i == 1 ? "" : "hi"),
        Value::of_fixed("xyz"),
        Value::of_fixed("\x00\x3C"sv),
    };
    REQUIRE_EQ(file.writer.append(row), Status::kOk);
  }
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  const view::File view = file.view();
  REQUIRE(view.whole());
  CHECK_EQ(body(view, 0), "\x05\x02"sv);
  CHECK_EQ(written::part(body(view, 1), 0, 12), "\xFF\xFF\xFF\xFF\x00\x00\x00\x00\x01\x00\x00\x00"sv);
  CHECK_EQ(body(view, 1).size(), 40U);
  CHECK_EQ(written::part(body(view, 2), 0, 9), "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE"sv);
  CHECK_EQ(written::part(body(view, 3), 0, 5), "\x00\x00\x80\x3F\x00"sv);
  CHECK_EQ(written::part(body(view, 4), 0, 9), "\x00\x00\x00\x00\x00\x00\x00\xC0\x00"sv);
  CHECK_EQ(written::part(body(view, 5), 0, 16), "\x02\x00\x00\x00hi\x00\x00\x00\x00\x02\x00\x00\x00hi"sv);
  CHECK_EQ(written::part(body(view, 6), 0, 6), "xyzxyz"sv);
  CHECK_EQ(written::part(body(view, 7), 0, 4), "\x00\x3C\x00\x3C"sv);
}

TEST("levels stand before the values, after their length") {
  using namespace std::string_view_literals;
  const Field fields[] = {microparquet::int32_field("i").as_optional(),
                          microparquet::boolean_field("b").as_optional(),
                          microparquet::string_field("s").as_optional()};
  written::File file(fields);
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (int i = 0; i < 4; ++i) {
    const Value row[] = {i == 1 ? Value() : Value::of(i), i == 3 ? Value() : Value::of(true), Value()};
    REQUIRE_EQ(file.writer.append(row), Status::kOk);
  }
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  const view::File view = file.view();
  CHECK_EQ(body(view, 0), "\x02\x00\x00\x00\x03\x0D\x00\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00"sv);
  CHECK_EQ(body(view, 1), "\x02\x00\x00\x00\x03\x07\x07"sv);
  CHECK_EQ(view.statistics(0, 0).integer(view::id::kNullCount), 1);
  CHECK_EQ(view.statistics(0, 1).integer(view::id::kNullCount), 1);
  CHECK_EQ(view.statistics(0, 2).integer(view::id::kNullCount), 4);
  CHECK(!view.statistics(0, 2).has(view::id::kMinValue));
  view::Column nothing(view, 2);
  view::Cell cell = {};
  int nulls = 0;
  while (nothing.next(cell)) nulls += cell.null ? 1 : 0;
  CHECK(nothing.sound());
  CHECK_EQ(nulls, 4);
}
