// Tests the promises of the writer to its caller: rows in, row groups, key-values, and a status for every
// misuse.
#include "microparquet/writer.h"

#include <cstring>
#include <string_view>

#include "microparquet/detail/check.h"
#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::ColumnData;
using microparquet::MemoryFile;

namespace {

constexpr Field kTwo[] = {microparquet::int32_field("n"), microparquet::string_field("text").as_optional()};

Status append(Writer& writer, int number, std::string_view text = "text") {
  const Value row[] = {Value::of(number), Value::of_bytes(text)};
  return writer.append(row);
}

// The rows of each row group, as digits; "3 2 " is two row groups.
std::string_view row_groups(const view::File& file) {
  static char text[64];
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < file.row_groups() && at + 4 < sizeof text; ++i) {
    const std::int64_t rows = file.row_group(i).integer(view::id::kGroupRows);
    if (rows >= 10) text[at++] = static_cast<char>('0' + rows / 10 % 10);
    text[at++] = static_cast<char>('0' + rows % 10);
    text[at++] = ' ';
  }
  return {text, at};
}

// The first column holds 0, 1, 2 ... and as many as the footer says.
void check_numbers(const view::File& file, int rows) {
  CHECK(file.whole());
  CHECK_EQ(file.rows(), rows);
  view::Column column(file, 0);
  view::Cell cell = {};
  for (int i = 0; i < rows; ++i) {
    std::int32_t number = -1;
    REQUIRE(column.next(cell) && cell.bytes.size() == sizeof number);
    std::memcpy(&number, cell.bytes.data(), sizeof number);
    REQUIRE_EQ(number, i);
  }
  CHECK(!column.next(cell) && column.sound());
}

}  // namespace

TEST("a file without rows is whole when it is opened, and when it is closed") {
  for (const Options& options :
       {written::in_place(512), written::in_place(256), written::forward(512, 4096)}) {
    written::File file(kTwo, options);
    REQUIRE_EQ(file.opened(), Status::kOk);
    check_numbers(file.view(), 0);
    CHECK_EQ(file.writer.rows(), 0U);
    REQUIRE_EQ(file.writer.close(), Status::kOk);
    check_numbers(file.view(), 0);
    CHECK_EQ(file.view().row_groups(), 0U);
    CHECK_EQ(file.writer.file_bytes(), file.view().bytes().size());
  }
}

TEST("rows are counted as they come") {
  written::File file(kTwo, written::in_place(512, 10));
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (int i = 0; i < 25; ++i) {
    CHECK_EQ(file.writer.rows(), static_cast<unsigned>(i));
    REQUIRE_EQ(append(file.writer, i), Status::kOk);
  }
  CHECK_EQ(file.writer.rows(), 25U);
  CHECK_EQ(file.writer.row_groups(), 2U);
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  CHECK_EQ(file.writer.rows(), 25U);
  CHECK_EQ(file.writer.row_groups(), 3U);
  check_numbers(file.view(), 25);
  CHECK_EQ(row_groups(file.view()), "10 10 5 ");
}

TEST("a row group ends on request, and not without rows") {
  written::File file(kTwo, written::in_place(512));
  REQUIRE_EQ(file.opened(), Status::kOk);
  CHECK_EQ(file.writer.end_row_group(), Status::kOk);
  for (int i = 0; i < 5; ++i) {
    REQUIRE_EQ(append(file.writer, i), Status::kOk);
    if (i == 2) CHECK_EQ(file.writer.end_row_group(), Status::kOk);
    if (i == 2) CHECK_EQ(file.writer.end_row_group(), Status::kOk);
  }
  CHECK_EQ(file.writer.end_row_group(), Status::kOk);
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  check_numbers(file.view(), 5);
  CHECK_EQ(row_groups(file.view()), "3 2 ");
}

TEST("a row group ends when it is old, over the end of the clock") {
  Options options = written::in_place(512);
  options.row_group_ms = 1000;
  written::File file(kTwo, options);
  REQUIRE_EQ(file.opened(), Status::kOk);
  std::uint32_t now = 0xFFFFFFFFU - 1500;  // wraps after 1,501 ms
  CHECK_EQ(file.writer.tick(now), Status::kOk);
  for (int i = 0; i < 30; ++i) {
    REQUIRE_EQ(append(file.writer, i), Status::kOk);
    now += 100;
    CHECK_EQ(file.writer.tick(now), Status::kOk);
  }
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  check_numbers(file.view(), 30);
  CHECK_EQ(row_groups(file.view()), "10 10 10 ");
}

TEST("time without rows ends nothing, and a row group's age counts from its first row") {
  Options options = written::in_place(512);
  options.row_group_ms = 1000;
  written::File file(kTwo, options);
  REQUIRE_EQ(file.opened(), Status::kOk);
  CHECK_EQ(file.writer.tick(5), Status::kOk);
  CHECK_EQ(file.writer.tick(100000), Status::kOk);
  CHECK_EQ(file.writer.row_groups(), 0U);
  REQUIRE_EQ(append(file.writer, 0), Status::kOk);
  CHECK_EQ(file.writer.tick(100999), Status::kOk);
  CHECK_EQ(file.writer.row_groups(), 0U);
  CHECK_EQ(file.writer.tick(101000), Status::kOk);
  CHECK_EQ(file.writer.row_groups(), 1U);
  REQUIRE_EQ(file.writer.close(), Status::kOk);
}

TEST("a row group ends when an extent is full") {
  Options options = written::in_place(512);
  options.row_group_bytes = 4096;
  written::File file(kTwo, options);
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (int i = 0; i < 2000; ++i) REQUIRE_EQ(append(file.writer, i), Status::kOk);
  CHECK(file.writer.row_groups() > 3);
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  check_numbers(file.view(), 2000);
}

TEST("key-values: set, replaced, set late, and no more than there is space for") {
  written::File file(kTwo, written::in_place(512));
  REQUIRE_EQ(file.opened(), Status::kOk);
  CHECK_EQ(file.writer.set_key_value("a", "1"), Status::kOk);
  CHECK_EQ(file.writer.set_key_value("b", "2"), Status::kOk);
  CHECK_EQ(file.writer.set_key_value("a", "3"), Status::kOk);
  REQUIRE_EQ(append(file.writer, 0), Status::kOk);
  CHECK_EQ(file.writer.set_key_value("c", ""), Status::kOk);
  CHECK_EQ(file.writer.set_key_value("d", "4"), Status::kOk);
  CHECK_EQ(file.writer.set_key_value("e", "5"), Status::kOutOfMemory);
  CHECK_EQ(file.writer.set_key_value("d", "6"), Status::kOk);
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  CHECK_EQ(file.writer.set_key_value("a", "7"), Status::kWrongState);
  const view::File view = file.view();
  check_numbers(view, 1);
  CHECK_EQ(view.key_values(), 4U);
  CHECK_EQ(view.key_value("a"), "3");
  CHECK_EQ(view.key_value("b"), "2");
  CHECK_EQ(view.key_value("d"), "6");
  CHECK_EQ(view.footer().list(view::id::kKeyValues).structure(2).text(1), "c");
  CHECK(view.footer().list(view::id::kKeyValues).structure(2).has(2));
}

TEST("key-values longer than what is kept for them") {
  static char value[3000];
  std::memset(value, 'v', sizeof value);
  written::File file(kTwo, written::in_place(512, 7));
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (int i = 0; i < 20; ++i) REQUIRE_EQ(append(file.writer, i), Status::kOk);
  CHECK_EQ(file.writer.set_key_value("long", {value, sizeof value}), Status::kOk);
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  check_numbers(file.view(), 20);
  CHECK_EQ(file.view().key_value("long").size(), sizeof value);
}

TEST("no call belongs before open, nor after close") {
  Writer writer;
  const Value row[] = {Value::of(1), Value::of_bytes("x")};
  for (int i = 0; i < 2; ++i) {
    CHECK_EQ(writer.append(row), Status::kWrongState);
    std::int32_t numbers[] = {1};
    std::string_view texts[] = {"x"};
    const ColumnData columns[] = {{numbers, nullptr}, {texts, nullptr}};
    CHECK_EQ(writer.append_columns(columns, 1), Status::kWrongState);
    CHECK_EQ(writer.end_row_group(), Status::kWrongState);
    CHECK_EQ(writer.tick(1), Status::kWrongState);
    CHECK_EQ(writer.set_key_value("k", "v"), Status::kWrongState);
    CHECK_EQ(writer.close(), Status::kWrongState);
    if (i != 0) break;
    MemoryFile file(written::file_memory());
    const Options options = written::in_place(512);
    REQUIRE_EQ(writer.open(file, kTwo, options, written::arena_memory()), Status::kOk);
    CHECK_EQ(writer.open(file, kTwo, options, written::arena_memory()), Status::kWrongState);
    CHECK_EQ(append(writer, 0), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    check_numbers(view::File(file.contents()), 1);
  }
}

TEST("an encoding or statistics of another type are refused, not followed") {
  static std::byte storage[4096];
  MemoryFile file{Span<std::byte>(storage)};
  alignas(8) static std::byte arena[16384];
  Writer writer;
  Field fields[] = {microparquet::int32_field("n")};
  const Options options = {};
  fields[0].encoder = &microparquet::kPlainByteArray;
  CHECK_EQ(writer.open(file, fields, options, arena), Status::kInvalidArgument);
  fields[0] = microparquet::string_field("s");
  fields[0].bounds = &microparquet::kInt64Bounds;
  CHECK_EQ(writer.open(file, fields, options, arena), Status::kInvalidArgument);
  fields[0] = microparquet::fixed_field("f", 3);
  fields[0].bounds = &microparquet::kFloat16Bounds;
  CHECK_EQ(writer.open(file, fields, options, arena), Status::kInvalidArgument);
}

TEST("names have 1 to 32,767 bytes") {
  const auto sound = [](std::size_t bytes) {
    // Only the size of the name is looked at.
    const Field field = microparquet::int32_field(std::string_view("n", bytes));
    return microparquet::detail::schema_is_sound(Schema(&field, 1));
  };
  CHECK(!sound(0) && sound(1) && sound(32767) && !sound(32768));
}

TEST("a writer writes one file after another") {
  Writer writer;
  const Options options = written::in_place(512);
  for (int rows = 0; rows < 300; rows += 97) {
    MemoryFile file(written::file_memory());
    REQUIRE_EQ(writer.open(file, kTwo, options, written::arena_memory()), Status::kOk);
    for (int i = 0; i < rows; ++i) REQUIRE_EQ(append(writer, i), Status::kOk);
    if (rows == 97) {
      writer.reset();  // given up: the file is left as it was last published
      CHECK(view::File(file.contents()).whole());
      continue;
    }
    REQUIRE_EQ(writer.close(), Status::kOk);
    check_numbers(view::File(file.contents()), rows);
  }
}

TEST("a file that is not empty is left alone") {
  MemoryFile file(written::file_memory(), 1);
  Writer writer;
  const Options options = written::in_place(512);
  CHECK_EQ(writer.open(file, kTwo, options, written::arena_memory()), Status::kWrongState);
  CHECK_EQ(file.contents().size(), 1U);
}

TEST("an arena that is too small or not aligned, and one that is just large enough") {
  for (const Options& options :
       {written::in_place(512), written::in_place(256), written::forward(256, 4096)}) {
    const std::size_t needed = Writer::required_bytes(kTwo, options);
    Writer writer;
    MemoryFile file(written::file_memory());
    const Span<std::byte> arena = written::arena_memory();
    CHECK_EQ(writer.open(file, kTwo, options, arena.subspan(0, needed - 1)), Status::kOutOfMemory);
    CHECK_EQ(writer.open(file, kTwo, options, {}), Status::kOutOfMemory);
    CHECK_EQ(writer.open(file, kTwo, options, arena.subspan(4, needed)), Status::kInvalidArgument);
    CHECK_EQ(file.contents().size(), 0U);
    CHECK_EQ(writer.open(file, kTwo, options, arena.subspan(0, needed)), Status::kOk);
    CHECK_EQ(writer.close(), Status::kOk);
  }
}

TEST("nothing around the arena is touched") {
  for (const Options& options : {written::in_place(512, 50), written::in_place(256), written::in_place(128),
                                 written::forward(512, 2048)}) {
    constexpr std::size_t kGuard = 64;
    constexpr std::byte kPaint{0x5A};
    const std::size_t needed = Writer::required_bytes(kTwo, options);
    const Span<std::byte> arena = written::arena_memory();
    std::memset(arena.data(), static_cast<int>(kPaint), needed + 2 * kGuard);
    MemoryFile file(written::file_memory());
    Writer writer;
    REQUIRE_EQ(writer.open(file, kTwo, options, arena.subspan(kGuard, needed)), Status::kOk);
    for (int i = 0; i < 600; ++i) {
      REQUIRE_EQ(
          append(writer, i, written::part("twenty bytes of text", 0, static_cast<std::size_t>(i) % 21)),
          Status::kOk);
    }
    REQUIRE_EQ(writer.close(), Status::kOk);
    std::size_t touched = 0;
    for (std::size_t i = 0; i < kGuard; ++i) {
      touched += arena[i] != kPaint ? 1U : 0U;
      touched += arena[kGuard + needed + i] != kPaint ? 1U : 0U;
    }
    CHECK_EQ(touched, 0U);
    check_numbers(view::File(file.contents()), 600);
  }
}

TEST("rows that are refused leave no trace") {
  const Field fields[] = {microparquet::int32_field("n"), microparquet::string_field("text").as_optional(),
                          microparquet::fixed_field("id", 4), microparquet::string_field("name")};
  static char text[600] = {};
  written::File file(fields, written::in_place(512));
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (int i = 0; i < 100; ++i) {
    const Value good[] = {Value::of(i), Value::of_bytes("x"), Value::of_fixed("abcd"), Value::of_bytes("y")};
    Value bad[] = {good[0], good[1], good[2], good[3]};
    bad[0] = Value();
    CHECK_EQ(file.writer.append(bad), Status::kNullValue);
    bad[0] = Value::of(std::int64_t{1});
    CHECK_EQ(file.writer.append(bad), Status::kInvalidArgument);
    bad[0] = good[0];
    bad[2] = Value::of_fixed("abc");
    CHECK_EQ(file.writer.append(bad), Status::kInvalidArgument);
    bad[2] = Value::of_bytes("abcd");
    CHECK_EQ(file.writer.append(bad), Status::kInvalidArgument);
    bad[2] = good[2];
    bad[3] = Value::of_bytes({text, sizeof text});
    CHECK_EQ(file.writer.append(bad), Status::kValueTooLarge);
    bad[3] = Value();
    CHECK_EQ(file.writer.append(bad), Status::kNullValue);
    bad[3] = good[3];
    bad[1] = Value::of_bytes({text, sizeof text});
    CHECK_EQ(file.writer.append(bad), Status::kValueTooLarge);
    CHECK_EQ(file.writer.append(Span<const Value>(good, 3)), Status::kInvalidArgument);
    CHECK_EQ(file.writer.append({}), Status::kInvalidArgument);
    REQUIRE_EQ(file.writer.append(good), Status::kOk);
  }
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  check_numbers(file.view(), 100);
}

TEST("the longest string that a page takes, beside others, and one byte more") {
  for (const bool optional : {false, true}) {
    for (const Options& options :
         {written::in_place(512), written::in_place(128), written::forward(256, 2048)}) {
      const Field field =
          optional ? microparquet::string_field("s").as_optional() : microparquet::string_field("s");
      written::File file(Schema(&field, 1), options);
      REQUIRE_EQ(file.opened(), Status::kOk);
      static char text[600] = {};
      std::size_t longest = 0;
      for (std::size_t size = 0; size < sizeof text; ++size) {
        const Value row[] = {Value::of_bytes({text, size})};
        const Status status = file.writer.append(row);
        if (status == Status::kOk) {
          CHECK_EQ(longest, size == 0 ? 0 : size - 1);
          longest = size;
        } else {
          CHECK_EQ(status, Status::kValueTooLarge);
        }
      }
      CHECK(longest >= options.page_bytes - 96 && longest < options.page_bytes - 24);
      REQUIRE_EQ(file.writer.close(), Status::kOk);
      view::Column column(file.view(), 0);
      view::Cell cell = {};
      std::size_t size = 0;
      for (; column.next(cell); ++size) CHECK_EQ(cell.bytes.size(), size);
      CHECK(column.sound());
      CHECK_EQ(size, longest + 1);
    }
  }
}

TEST("a batch takes the rows before one that is refused") {
  written::File file(kTwo, written::in_place(512));
  REQUIRE_EQ(file.opened(), Status::kOk);
  static char text[600] = {};
  std::int32_t numbers[20];
  std::string_view texts[20];
  std::uint8_t valid[20];
  for (int i = 0; i < 20; ++i) {
    numbers[i] = i;
    texts[i] = i == 13 ? std::string_view(text, sizeof text) : "x";
    valid[i] = i == 7 ? 0 : 1;
  }
  const ColumnData columns[] = {{numbers, nullptr}, {texts, valid}};
  CHECK_EQ(file.writer.append_columns(columns, 20), Status::kValueTooLarge);
  CHECK_EQ(file.writer.rows(), 13U);
  const ColumnData null_number[] = {{numbers + 13, valid}, {texts, nullptr}};
  CHECK_EQ(file.writer.append_columns(null_number, 13), Status::kNullValue);
  CHECK_EQ(file.writer.rows(), 20U);
  CHECK_EQ(file.writer.append_columns(Span<const ColumnData>(columns, 1), 1), Status::kInvalidArgument);
  CHECK_EQ(file.writer.append_columns(columns, 0), Status::kOk);
  CHECK_EQ(file.writer.rows(), 20U);
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  check_numbers(file.view(), 20);
  CHECK_EQ(file.view().statistics(0, 1).integer(view::id::kNullCount), 1);
}

TEST("options out of their range") {
  const auto open_with = [](Options options) {
    written::File file(kTwo, options);
    return file.opened();
  };
  Options options = written::in_place(512);
  CHECK_EQ(open_with(options), Status::kOk);
  for (const std::uint32_t bytes : {0U, 127U, 300U, 513U, 0x20000000U}) {
    options = written::in_place(512);
    options.page_bytes = bytes;
    CHECK_EQ(open_with(options), Status::kInvalidArgument);
  }
  options.whole_sectors = false;
  options.page_bytes = 300;
  CHECK_EQ(open_with(options), Status::kInvalidArgument);
  options.page_bytes = 304;
  CHECK_EQ(open_with(options), Status::kOk);
  for (const std::uint8_t bytes : {std::uint8_t{0}, std::uint8_t{65}, std::uint8_t{255}}) {
    options = written::in_place(512);
    options.max_bound_bytes = bytes;
    CHECK_EQ(open_with(options), Status::kInvalidArgument);
  }
  const Field wide[] = {microparquet::fixed_field("x", 600)};
  written::File too_wide(wide, written::in_place(512));
  CHECK_EQ(too_wide.opened(), Status::kInvalidArgument);
  written::File wide_enough(wide, written::in_place(1024));
  CHECK_EQ(wide_enough.opened(), Status::kOk);
  CHECK_EQ(wide_enough.writer.close(), Status::kOk);
}
