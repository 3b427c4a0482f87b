// Columns of lists, item by item, on files made by hand: what the format allows, and what it does not.
#include "made_items.h"
#include "microparquet/port/memory_image.h"
#include "microparquet/reader.h"
#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/names.h"

using made::add_page;
using made::Bytes;
using made::Column;
using made::Expected;
using made::kNone;
using made::Page;
using made::runs_of;
using microparquet::ColumnChoice;
using microparquet::Item;
using microparquet::MemoryFile;

namespace {

// [1, 2], [], [3]
constexpr Expected kThreeRows[] = {{0, 1, 1}, {1, 1, 2}, {0, 0, kNone}, {0, 1, 3}};

alignas(8) std::byte items_arena[8192];

Column repeated_column(std::int64_t values) {
  Column column;
  column.repetition = made::kRepeated;
  column.values = values;
  return column;
}

// A file of one repeated column, with one page.
void make_page(made::File& made, Span<const Expected> items, std::int64_t rows,
               std::int32_t type = made::kDataPage, std::int64_t page_rows = -2) {
  Column column = repeated_column(static_cast<std::int64_t>(items.size()));
  made.begin_column(column);
  add_page(made, type, items, page_rows);
  made.end_column(column);
  made.footer({&column, 1}, rows);
}

constexpr ColumnChoice kFirst[] = {{0, 0}};

// Opens the file in an arena that just suffices, and goes to its row group.
Status open_items(Reader& reader, microparquet::File& file, const ReaderOptions& options) {
  const std::size_t bytes = Reader::required_bytes_of_items(1, 1, options);
  Status status = reader.open(file, options, {items_arena, bytes});
  if (status == Status::kOk) status = reader.choose_items(kFirst);
  return status == Status::kOk ? reader.next_row_group() : status;
}

void check_item(std::size_t i, const Item& item, Span<const Expected> expected) {
  REQUIRE(i < expected.size());
  CHECK_EQ(item.repetition, expected[i].repetition);
  CHECK_EQ(item.definition, expected[i].definition);
  CHECK_EQ(item.cell.null() ? kNone : item.cell.as<std::int32_t>(), expected[i].value);
}

void expect_one_by_one(Reader& reader, Span<const Expected> expected, Status end) {
  Item item;
  std::size_t count = 0;
  Status status = reader.next_item(0, item);
  for (; status == Status::kOk; status = reader.next_item(0, item)) check_item(count++, item, expected);
  CHECK_EQ(status, end);
  CHECK_EQ(count, expected.size());
  CHECK_EQ(reader.next_item(0, item), end);
}

void expect_batches(Reader& reader, std::size_t places, Span<const Expected> expected, Status end) {
  std::int32_t values[16];
  std::uint8_t definition[16];
  std::uint8_t repetition[16];
  microparquet::Batch<std::int32_t> batch(Span<std::int32_t>(values, places), definition, repetition);
  std::size_t count = 0;
  Status status = reader.next_items(0, batch);
  for (; status == Status::kOk; status = reader.next_items(0, batch)) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < batch.level_count; ++i) {
      Item item;
      item.repetition = repetition[i];
      item.definition = definition[i];
      if (definition[i] == 1) item.cell = {reinterpret_cast<const std::byte*>(values + value++), 4};
      check_item(count++, item, expected);
    }
    CHECK_EQ(value, batch.value_count);
  }
  CHECK_EQ(status, end);
  CHECK_EQ(count, expected.size());
}

// Reads the file by all ways, through small buffers too, in which a page is read in pieces.
void expect_items(made::File& made, Span<const Expected> expected, Status end = Status::kEnd) {
  for (const std::uint32_t buffer_bytes : {64U, 2048U}) {
    ReaderOptions options;
    options.buffer_bytes = buffer_bytes;
    for (const std::size_t places : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{16}}) {
      MemoryFile file = made.open();
      Reader reader;
      REQUIRE(open_items(reader, file, options) == Status::kOk);
      if (places == 0) {
        expect_one_by_one(reader, expected, end);
      } else {
        expect_batches(reader, places, expected, end);
      }
    }
  }
}

}  // namespace

TEST("items: lists in a page of either version") {
  for (const std::int32_t type : {made::kDataPage, made::kDataPageV2}) {
    made::File made;
    make_page(made, kThreeRows, 3, type);
    expect_items(made, kThreeRows);
  }
}

TEST("items: a row that crosses pages") {
  constexpr Expected kItems[] = {{0, 1, 1}, {1, 1, 2}, {1, 1, 3}, {0, 1, 4}, {1, 1, 5}};
  for (const std::size_t first : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
    made::File made;
    Column column = repeated_column(5);
    made.begin_column(column);
    add_page(made, made::kDataPage, {kItems, first});
    add_page(made, made::kDataPage, {kItems + first, 5 - first});
    made.end_column(column);
    made.footer({&column, 1}, 2);
    expect_items(made, kItems);
  }
}

TEST("items: pages longer than the buffer, in pieces of each of their parts") {
  Expected items[100];
  for (std::int32_t i = 0; i < 100; ++i) {
    const bool begins = i % 7 == 0;
    items[i] = {static_cast<std::uint8_t>(begins ? 0 : 1), 1, i};
  }
  for (const std::int32_t type : {made::kDataPage, made::kDataPageV2}) {
    made::File made;
    make_page(made, items, 15, type);
    expect_items(made, items);
  }
}

TEST("items: of a column that is not repeated there is one a row") {
  made::File made;
  Column column;
  column.repetition = made::kOptional;
  column.values = 3;
  Bytes levels;
  levels.byte(2).byte(1).byte(2).byte(0).byte(2).byte(1);
  Bytes body;
  body.little(levels.size(), 4).append(levels).little(7, 4).little(9, 4);
  Page page;
  page.values = 3;
  made.begin_column(column);
  made.page(page, body.view());
  made.end_column(column);
  made.footer({&column, 1}, 3);
  constexpr Expected kItems[] = {{0, 1, 7}, {0, 0, kNone}, {0, 1, 9}};
  expect_items(made, kItems);
}

TEST("items: a list that continues where none has begun is corrupt") {
  made::File made;
  constexpr Expected kFirstGoesOn[] = {{1, 1, 1}, {0, 1, 2}};
  make_page(made, kFirstGoesOn, 1);
  expect_items(made, {}, Status::kCorrupt);

  constexpr Expected kAfterEmpty[] = {{0, 0, kNone}, {1, 1, 1}};
  made::File after_empty;
  make_page(after_empty, kAfterEmpty, 1);
  expect_items(after_empty, {kAfterEmpty, 1}, Status::kCorrupt);

  constexpr Expected kEmptyGoesOn[] = {{0, 1, 1}, {1, 0, kNone}};
  made::File empty;
  make_page(empty, kEmptyGoesOn, 1);
  expect_items(empty, {kEmptyGoesOn, 1}, Status::kCorrupt);
}

TEST("items: more rows or fewer than the row group has are corrupt") {
  made::File more;
  make_page(more, kThreeRows, 2);
  expect_items(more, {kThreeRows, 3}, Status::kCorrupt);
  made::File fewer;
  make_page(fewer, kThreeRows, 4);
  expect_items(fewer, kThreeRows, Status::kCorrupt);
}

TEST("items: a page of V2 has as many rows as its header says") {
  for (const std::int64_t rows : {0, 2}) {
    made::File made;
    make_page(made, kThreeRows, 3, made::kDataPageV2, rows);
    expect_items(made, kThreeRows, Status::kCorrupt);
  }
  made::File made;
  make_page(made, kThreeRows, 3, made::kDataPageV2, 4);
  expect_items(made, {}, Status::kCorrupt);
}

TEST("items: levels above their greatest are corrupt") {
  constexpr Expected kRepetition[] = {{0, 1, 1}, {2, 1, 2}};
  made::File repetition;
  make_page(repetition, kRepetition, 1);
  expect_items(repetition, {kRepetition, 1}, Status::kCorrupt);
  constexpr Expected kDefinition[] = {{0, 1, 1}, {0, 2, 2}};
  made::File definition;
  make_page(definition, kDefinition, 2);
  expect_items(definition, {kDefinition, 1}, Status::kCorrupt);
}

TEST("items: streams of levels that end too early, or are longer than the page") {
  for (const std::int64_t wrong : {0, 2, 1000}) {
    made::File made;
    Column column = repeated_column(4);
    made.begin_column(column);
    Bytes levels = runs_of(kThreeRows, &Expected::repetition);
    Page page;
    page.values = 4;
    Bytes body;
    body.little(static_cast<std::uint64_t>(wrong), 4).append(levels);
    made.page(page, body.view());
    made.end_column(column);
    made.footer({&column, 1}, 3);
    for (const std::uint32_t buffer_bytes : {64U, 2048U}) {
      ReaderOptions options;
      options.buffer_bytes = buffer_bytes;
      MemoryFile file = made.open();
      Reader reader;
      REQUIRE(open_items(reader, file, options) == Status::kOk);
      Item item;
      Status status = Status::kOk;
      for (int i = 0; i < 5 && status == Status::kOk; ++i) status = reader.next_item(0, item);
      CHECK_EQ(status, Status::kCorrupt);
    }
  }
}

TEST("items: no call for rows takes them") {
  made::File made;
  make_page(made, kThreeRows, 3);
  MemoryFile file = made.open();
  const ReaderOptions options;
  Reader reader;
  REQUIRE(open_items(reader, file, options) == Status::kOk);
  std::int32_t values[4];
  std::uint8_t levels[4];
  microparquet::Batch<std::int32_t> batch(values, levels, levels);
  microparquet::ColumnRun run;
  CHECK_EQ(reader.next_batch(0, batch), Status::kInvalidArgument);
  CHECK_EQ(reader.next_batch(0, static_cast<microparquet::AnyBatch&>(batch)), Status::kUnsupported);
  CHECK_EQ(reader.next_run(0, run), Status::kUnsupported);
  CHECK_EQ(reader.skip_value(0), Status::kUnsupported);
  CHECK_EQ(reader.seek_value(0, 1), Status::kUnsupported);
  expect_one_by_one(reader, kThreeRows, Status::kEnd);
  CHECK_EQ(reader.next_row(), Status::kWrongState);
  REQUIRE(reader.seek_row_group(0) == Status::kOk);
  CHECK_EQ(reader.next_row(), Status::kUnsupported);
  const std::uint32_t first[] = {0};
  CHECK_EQ(reader.choose(first), Status::kUnsupported);
}

TEST("items: begin again with the row group") {
  made::File made;
  make_page(made, kThreeRows, 3);
  MemoryFile file = made.open();
  const ReaderOptions options;
  Reader reader;
  REQUIRE(open_items(reader, file, options) == Status::kOk);
  Item item;
  for (int taken = 0; taken < 4; ++taken) {
    for (int i = 0; i < taken; ++i) CHECK_EQ(reader.next_item(0, item), Status::kOk);
    REQUIRE(reader.seek_row_group(0) == Status::kOk);
    expect_one_by_one(reader, kThreeRows, Status::kEnd);
    REQUIRE(reader.seek_row_group(0) == Status::kOk);
  }
}

TEST("items: a wrong checksum gives nothing, and no page can be skipped") {
  made::File made;
  Column column = repeated_column(1);
  made.begin_column(column);
  Page page;
  page.values = 1;
  page.crc_error = 1;
  Bytes body;
  body.little(2, 4).byte(2).byte(0).little(2, 4).byte(2).byte(1).little(5, 4);
  made.page(page, body.view());
  made.end_column(column);
  made.footer({&column, 1}, 1);
  expect_items(made, {}, Status::kCorrupt);
  MemoryFile file = made.open();
  const ReaderOptions options;
  Reader reader;
  REQUIRE(open_items(reader, file, options) == Status::kOk);
  Item item;
  CHECK_EQ(reader.next_item(0, item), Status::kCorrupt);
  CHECK_EQ(static_cast<int>(reader.failure().reason),
           static_cast<int>(microparquet::FailureReason::kChecksum));
  std::uint64_t rows = 0;
  CHECK_EQ(reader.skip_page(0, rows), Status::kWrongState);
}

TEST("items: any read may fail, and the call be repeated") {
  constexpr Expected kItems[] = {{0, 1, 1}, {1, 1, 2}, {0, 0, kNone}, {0, 1, 3}, {1, 1, 4}, {1, 1, 5}};
  for (const std::int32_t type : {made::kDataPage, made::kDataPageV2}) {
    made::File made;
    Column column = repeated_column(12);
    made.begin_column(column);
    add_page(made, type, kItems);
    add_page(made, type, kItems);
    made.end_column(column);
    made.footer({&column, 1}, 6);
    int faults = 0;
    for (bool failed = true; failed; ++faults) {
      MemoryFile inner = made.open();
      ReaderOptions options;
      options.buffer_bytes = 64;
      options.footer_bytes = 64;
      made::FailingOnce file(inner, faults + 1);
      Reader reader;
      Status status = open_items(reader, file, options);
      if (status == Status::kIoError) status = open_items(reader, file, options);
      REQUIRE(status == Status::kOk);
      Item item;
      for (std::size_t i = 0; i < 12; ++i) {
        status = reader.next_item(0, item);
        if (status == Status::kIoError) status = reader.next_item(0, item);
        REQUIRE(status == Status::kOk);
        check_item(i % 6, item, kItems);
      }
      status = reader.next_item(0, item);
      if (status == Status::kIoError) status = reader.next_item(0, item);
      CHECK_EQ(status, Status::kEnd);
      failed = file.failed();
    }
    CHECK(faults > 5);
  }
}

TEST("items: of a file that lies in memory") {
  for (const std::int32_t type : {made::kDataPage, made::kDataPageV2}) {
    made::File made;
    make_page(made, kThreeRows, 3, type);
    const std::string_view bytes = made.bytes().view();
    microparquet::MemoryImage file({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
    Reader reader;
    const ReaderOptions options;
    REQUIRE(reader.open(file, options, items_arena) == Status::kOk);
    REQUIRE(reader.choose_items(kFirst) == Status::kOk);
    REQUIRE(reader.next_row_group() == Status::kOk);
    expect_one_by_one(reader, kThreeRows, Status::kEnd);
  }
}

TEST("items: can be passed without their values") {
  made::File made;
  make_page(made, kThreeRows, 3);
  for (unsigned passed = 0; passed < 16; ++passed) {
    MemoryFile file = made.open();
    const ReaderOptions options;
    Reader reader;
    REQUIRE(open_items(reader, file, options) == Status::kOk);
    Item item;
    for (unsigned i = 0; i < 4; ++i) {
      if ((passed >> i & 1) != 0) {
        CHECK_EQ(reader.skip_item(0), Status::kOk);
      } else {
        REQUIRE(reader.next_item(0, item) == Status::kOk);
        check_item(i, item, kThreeRows);
      }
    }
    CHECK_EQ(reader.skip_item(0), Status::kEnd);
  }
}

TEST("items: repetition levels in the deprecated encoding are refused") {
  made::File made;
  Column column = repeated_column(1);
  made.begin_column(column);
  Page page;
  page.values = 1;
  page.repetition_encoding = made::kBitPacked;
  Bytes body;
  body.little(2, 4).byte(2).byte(0).little(2, 4).byte(2).byte(1).little(5, 4);
  made.page(page, body.view());
  made.end_column(column);
  made.footer({&column, 1}, 1);
  expect_items(made, {}, Status::kUnsupported);
}
