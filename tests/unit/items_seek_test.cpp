// Rows of a repeated column by their numbers, and what comes after a corrupt page, on files made by hand.
#include "made_items.h"
#include "microparquet/reader.h"
#include "support/check.h"
#include "support/names.h"

using made::add_page;
using made::Column;
using made::Expected;
using made::kNone;
using microparquet::ColumnChoice;
using microparquet::Item;
using microparquet::MemoryFile;

namespace {

// [1, 2], [], [3, 4, 5, 6, 7], [8], [], [9], [1, 2, 3]
constexpr Expected kItems[] = {{0, 1, 1}, {1, 1, 2}, {0, 0, kNone}, {0, 1, 3}, {1, 1, 4},
                               {1, 1, 5}, {1, 1, 6}, {1, 1, 7},     {0, 1, 8}, {0, 0, kNone},
                               {0, 1, 9}, {0, 1, 1}, {1, 1, 2},     {1, 1, 3}};
constexpr std::uint64_t kRows = 7;
constexpr std::size_t kBegins[] = {0, 2,  3,  8,
                                   9, 10, 11, std::size(kItems)};  // of each row, and after the last one
// Items at which pages begin: pages of version 1 begin within rows, too.
constexpr std::size_t kWithinRows[] = {0, 4, 6, 9, 12, std::size(kItems)};
constexpr std::size_t kBetweenRows[] = {0, 3, 8, 9, 11, std::size(kItems)};
constexpr std::size_t kPages = 5;

alignas(8) std::byte seek_arena[8192];

Span<const std::size_t> pages_of(std::int32_t type) {
  return type == made::kDataPage ? Span<const std::size_t>(kWithinRows)
                                 : Span<const std::size_t>(kBetweenRows);
}

// `corrupt`: the page with a wrong checksum; kPages: none.
void make_pages(made::File& made, std::int32_t type, std::size_t corrupt = kPages,
                std::size_t also_corrupt = kPages) {
  Column column;
  column.repetition = made::kRepeated;
  column.values = static_cast<std::int64_t>(std::size(kItems));
  const Span<const std::size_t> begins = pages_of(type);
  const Span<const Expected> items(kItems);
  made.begin_column(column);
  for (std::size_t page = 0; page < kPages; ++page) {
    const std::uint32_t error = page == corrupt || page == also_corrupt ? 1 : 0;
    add_page(made, type, items.subspan(begins[page], begins[page + 1] - begins[page]), -2, error);
  }
  made.end_column(column);
  made.footer({&column, 1}, kRows);
}

ReaderOptions options_of(std::uint32_t buffer_bytes) {
  ReaderOptions options;
  options.buffer_bytes = buffer_bytes;
  return options;
}

Status open_items(Reader& reader, microparquet::File& file, const ReaderOptions& options) {
  constexpr ColumnChoice kFirst[] = {{0, 0}};
  Status status = reader.open(file, options, {seek_arena, Reader::required_bytes_of_items(1, 1, options)});
  if (status == Status::kOk) status = reader.choose_items(kFirst);
  return status == Status::kOk ? reader.next_row_group() : status;
}

Status next_item(Reader& reader, Item& item) {
  Status status = Status::kIoError;
  while (status == Status::kIoError) status = reader.next_item(0, item);
  return status;
}

// Reads items from the `i`-th on, at most `count`; says how many there were.
std::size_t expect_from(Reader& reader, std::size_t i, std::size_t count, Status end) {
  for (std::size_t read = 0; read < count; ++read, ++i) {
    Item item;
    const Status status = next_item(reader, item);
    if (status != Status::kOk) {
      CHECK_EQ(status, end);
      return read;
    }
    if (i >= std::size(kItems)) return read;
    CHECK_EQ(item.repetition, kItems[i].repetition);
    CHECK_EQ(item.definition, kItems[i].definition);
    CHECK_EQ(item.cell.null() ? kNone : item.cell.as<std::int32_t>(), kItems[i].value);
  }
  return count;
}

// Seeks from each item to each row after it.
void expect_seeks(Reader& reader) {
  for (std::size_t from = 0; from <= std::size(kItems); ++from) {
    for (std::uint64_t row = 0; row <= kRows; ++row) {
      REQUIRE(reader.seek_row_group(0) == Status::kOk);
      REQUIRE(expect_from(reader, 0, from, Status::kEnd) == from);
      Status status = Status::kIoError;
      while (status == Status::kIoError) status = reader.seek_items(0, row);
      if (kBegins[row] < from) {
        CHECK_EQ(status, Status::kInvalidArgument);
        continue;
      }
      REQUIRE(status == Status::kOk);
      const std::size_t left = std::size(kItems) - kBegins[row];
      CHECK_EQ(expect_from(reader, kBegins[row], left + 1, Status::kEnd), left);
    }
  }
}

// Reads all, over a corrupt page: `before` items come before it, then `missing` rows are, and then comes the `after`-th.
void expect_skip(Reader& reader, std::size_t before, std::uint64_t missing, std::size_t after) {
  REQUIRE(reader.seek_row_group(0) == Status::kOk);
  std::uint64_t rows = 0;
  CHECK_EQ(reader.skip_page_of_items(0, rows), Status::kWrongState);
  CHECK_EQ(expect_from(reader, 0, before + 1, Status::kCorrupt), before);
  Status status = Status::kIoError;
  while (status == Status::kIoError) status = reader.skip_page_of_items(0, rows);
  REQUIRE(status == Status::kOk);
  CHECK_EQ(rows, missing);
  CHECK_EQ(reader.skip_page_of_items(0, rows), Status::kWrongState);
  const std::size_t left = std::size(kItems) - after;
  CHECK_EQ(expect_from(reader, after, left + 1, Status::kEnd), left);
}

// The first row that begins at the item or after it.
std::uint64_t row_at(std::size_t item) {
  std::uint64_t row = 0;
  while (kBegins[row] < item) ++row;
  return row;
}

// Reads with each page corrupt in turn.
void expect_skips(Reader& reader, std::int32_t type, std::size_t page) {
  const Span<const std::size_t> begins = pages_of(type);
  const std::uint64_t next_row = row_at(begins[page + 1]);
  expect_skip(reader, begins[page], next_row - row_at(begins[page]), kBegins[next_row]);
}

}  // namespace

TEST("items: rows are gone to by their numbers") {
  for (const std::int32_t type : {made::kDataPage, made::kDataPageV2}) {
    made::File made;
    make_pages(made, type);
    for (const std::uint32_t buffer_bytes : {64U, 2048U}) {
      MemoryFile file = made.open();
      const ReaderOptions options = options_of(buffer_bytes);
      Reader reader;
      REQUIRE(open_items(reader, file, options) == Status::kOk);
      CHECK_EQ(reader.seek_items(0, kRows + 1), Status::kInvalidArgument);
      CHECK_EQ(reader.seek_items(1, 0), Status::kInvalidArgument);
      expect_seeks(reader);
    }
  }
}

TEST("items: while rows are gone to any read may fail") {
  for (const std::int32_t type : {made::kDataPage, made::kDataPageV2}) {
    made::File made;
    make_pages(made, type);
    bool failed = true;
    for (int fault = 1; failed; fault += 3) {
      MemoryFile inner = made.open();
      made::FailingOnce file(inner, fault);
      const ReaderOptions options = options_of(64);
      Reader reader;
      Status status = Status::kIoError;
      while (status == Status::kIoError) status = open_items(reader, file, options);
      REQUIRE(status == Status::kOk);
      for (std::uint64_t row = 0; row <= kRows; ++row) {
        while ((status = reader.seek_row_group(0)) == Status::kIoError) {
        }
        REQUIRE(status == Status::kOk);
        while ((status = reader.seek_items(0, row)) == Status::kIoError) {
        }
        REQUIRE(status == Status::kOk);
        const std::size_t left = std::size(kItems) - kBegins[row];
        CHECK_EQ(expect_from(reader, kBegins[row], left + 1, Status::kEnd), left);
      }
      failed = file.failed();
    }
  }
}

TEST("items: a corrupt page is skipped, with the rows that it has a part of") {
  for (const std::int32_t type : {made::kDataPage, made::kDataPageV2}) {
    for (std::size_t page = 0; page < kPages; ++page) {
      made::File made;
      make_pages(made, type, page);
      for (const std::uint32_t buffer_bytes : {64U, 2048U}) {
        MemoryFile file = made.open();
        const ReaderOptions options = options_of(buffer_bytes);
        Reader reader;
        REQUIRE(open_items(reader, file, options) == Status::kOk);
        expect_skips(reader, type, page);
      }
    }
  }
}

TEST("items: of two corrupt pages without numbers of rows all is missing, with them nothing else is") {
  made::File made;
  make_pages(made, made::kDataPage, 1, 3);
  MemoryFile file = made.open();
  const ReaderOptions options = options_of(512);
  Reader reader;
  REQUIRE(open_items(reader, file, options) == Status::kOk);
  expect_skip(reader, kWithinRows[1], kRows - 3, std::size(kItems));

  made::File counted;
  make_pages(counted, made::kDataPageV2, 1, 3);
  MemoryFile counted_file = counted.open();
  REQUIRE(open_items(reader, counted_file, options) == Status::kOk);
  std::uint64_t rows = 0;
  CHECK_EQ(expect_from(reader, 0, 4, Status::kCorrupt), 3U);
  CHECK_EQ(reader.skip_page_of_items(0, rows), Status::kOk);
  CHECK_EQ(rows, 1U);
  CHECK_EQ(expect_from(reader, 8, 2, Status::kCorrupt), 1U);
  CHECK_EQ(reader.skip_page_of_items(0, rows), Status::kOk);
  CHECK_EQ(rows, 2U);
  CHECK_EQ(expect_from(reader, 11, 4, Status::kEnd), 3U);
}

TEST("items: while a corrupt page is skipped any read may fail") {
  for (const std::int32_t type : {made::kDataPage, made::kDataPageV2}) {
    made::File made;
    make_pages(made, type, 2);
    bool failed = true;
    for (int fault = 1; failed; ++fault) {
      MemoryFile inner = made.open();
      made::FailingOnce file(inner, fault);
      const ReaderOptions options = options_of(64);
      Reader reader;
      Status status = Status::kIoError;
      while (status == Status::kIoError) status = open_items(reader, file, options);
      REQUIRE(status == Status::kOk);
      while (reader.seek_row_group(0) == Status::kIoError) {
      }
      expect_skips(reader, type, 2);
      failed = file.failed();
    }
  }
}
