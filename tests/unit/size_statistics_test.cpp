// Tests the size statistics of column chunks in footers and of pages in indexes.
#include "microparquet/size_statistics.h"

#include "made_file.h"
#include "microparquet/page_index.h"
#include "microparquet/reader.h"
#include "support/check.h"
#include "support/names.h"

using made::Bytes;
using made::Column;
using microparquet::MemoryFile;
using microparquet::SizeStatistics;

namespace {

alignas(8) std::byte arena[4096];

struct Read {
  Status status = Status::kOk;
  SizeStatistics sizes;
  std::uint64_t memory[4] = {77, 77, 77, 77};
};

// Reads the statistics of a column of texts, one of which is null.
Read read(const Bytes& structure, std::size_t places = 4) {
  made::File made;
  Column column;
  column.type = made::kByteArray;
  column.repetition = made::kOptional;
  column.values = 3;
  column.sizes = &structure;
  made.begin_column(column);
  made.page({}, {});
  made.end_column(column);
  made.footer({&column, 1}, 3);
  MemoryFile file = made.open();
  Reader reader;
  Read result;
  CHECK_EQ(reader.open(file, microparquet::kDefaultReaderOptions, arena), Status::kOk);
  CHECK_EQ(size_statistics(reader, 0, {result.memory, places}, result.sizes), Status::kWrongState);
  CHECK_EQ(reader.next_row_group(), Status::kOk);
  CHECK_EQ(size_statistics(reader, 1, {result.memory, places}, result.sizes), Status::kInvalidArgument);
  result.status = size_statistics(reader, 0, {result.memory, places}, result.sizes);
  if (result.status == Status::kOutOfMemory) CHECK_EQ(reader.needed_bytes(), 3 * sizeof(std::uint64_t));
  return result;
}

// A list of levels, as in footers and indexes.
Bytes levels(int field, std::initializer_list<std::int64_t> items) {
  Bytes out;
  out.list(field, 6, static_cast<std::uint32_t>(items.size()));
  for (const std::int64_t item : items) out.zigzag(item);
  return out;
}

void expect_nothing(const SizeStatistics& sizes) {
  CHECK(!sizes.has_byte_array_bytes);
  CHECK(sizes.definition.empty());
  CHECK(sizes.repetition.empty());
}

void expect_nothing(const Read& found) {
  CHECK_EQ(found.status, Status::kOk);
  expect_nothing(found.sizes);
}

struct ReadPages {
  Status status = Status::kOk;
  SizeStatistics pages[2];
  std::uint64_t memory[7] = {77, 77, 77, 77, 77, 77, 77};
};

// Reads those of a column of texts that may be null, in two pages: three numbers of levels each. `edit`
// changes the places of the indexes.
template <typename Edit>
ReadPages read_edited(const Bytes& offset_index, const Bytes& column_index, std::size_t places,
                      const Edit& edit) {
  made::File made;
  Column column;
  column.type = made::kByteArray;
  column.repetition = made::kOptional;
  column.values = 6;
  made.begin_column(column);
  made.page({}, {});
  made.end_column(column);
  column.offset_index = static_cast<std::int64_t>(made.bytes().size());
  column.offset_index_bytes = static_cast<std::int64_t>(offset_index.size());
  made.bytes().append(offset_index);
  column.column_index = static_cast<std::int64_t>(made.bytes().size());
  column.column_index_bytes = static_cast<std::int64_t>(column_index.size());
  made.bytes().append(column_index);
  edit(column);
  made.footer({&column, 1}, 6);
  MemoryFile file = made.open();
  Reader reader;
  ReadPages result;
  const microparquet::Span<std::uint64_t> memory(result.memory, places);
  CHECK_EQ(reader.open(file, microparquet::kDefaultReaderOptions, arena), Status::kOk);
  CHECK_EQ(page_size_statistics(reader, 0, memory, result.pages), Status::kWrongState);
  CHECK_EQ(reader.next_row_group(), Status::kOk);
  CHECK_EQ(page_size_statistics(reader, 1, memory, result.pages), Status::kInvalidArgument);
  result.status = page_size_statistics(reader, 0, memory, result.pages);
  if (result.status == Status::kOutOfMemory) CHECK_EQ(reader.needed_bytes(), 6 * sizeof(std::uint64_t));
  CHECK_EQ(page_size_statistics(reader, 0, {}, {}), Status::kOk);
  CHECK_EQ(result.memory[6], 77U);
  alignas(8) std::byte memory_of_index[256];
  CHECK_EQ(microparquet::PageIndex(memory_of_index).read(reader, 0), Status::kEnd);  // of no pages
  return result;
}

ReadPages read_pages(const Bytes& offset_index, const Bytes& column_index, std::size_t places = 6) {
  return read_edited(offset_index, column_index, places, [](Column&) {});
}

void expect_nothing(const ReadPages& found) {
  CHECK_EQ(found.status, Status::kOk);
  for (const SizeStatistics& page : found.pages) expect_nothing(page);
}

}  // namespace

TEST("size statistics: what a writer says") {
  const Read found = read(Bytes().i64(1, 1000).append(levels(3, {1, 2})).end());
  REQUIRE_EQ(found.status, Status::kOk);
  CHECK(found.sizes.has_byte_array_bytes);
  CHECK_EQ(found.sizes.byte_array_bytes, 1000U);
  REQUIRE_EQ(found.sizes.definition.size(), 2U);
  CHECK_EQ(found.sizes.definition[0], 1U);
  CHECK_EQ(found.sizes.definition[1], 2U);
  CHECK(found.sizes.repetition.empty());
}

TEST("size statistics: levels that the column does not have are left out") {
  for (const auto& items : {levels(3, {3}), levels(3, {1, 1, 1}), levels(2, {1, 2}), levels(3, {})}) {
    const Read found = read(Bytes().append(items).end());
    expect_nothing(found);
    CHECK_EQ(found.memory[3], 77U);
  }
  const Read found = read(Bytes().append(levels(2, {3})).end());
  REQUIRE_EQ(found.sizes.repetition.size(), 1U);
  CHECK_EQ(found.sizes.repetition[0], 3U);
}

TEST("size statistics: none, memory that is short, and what cannot be") {
  expect_nothing(read(Bytes().end()));
  CHECK_EQ(read(Bytes().end(), 2).status, Status::kOutOfMemory);
  CHECK_EQ(read(Bytes().end(), 3).status, Status::kOk);
  expect_nothing(read(Bytes().i64(1, -1).end()));
  expect_nothing(read(Bytes().i64(1, 5).append(levels(3, {1, -2})).end()));
  expect_nothing(read(Bytes().list(1, 6, 1).zigzag(5).end()));
}

TEST("size statistics: of pages") {
  const Bytes places =
      Bytes().list(1, 12, 2).i64(1, 4).end().i64(1, 9).end().list(2, 6, 2).zigzag(10).zigzag(20).end();
  const Bytes counts =
      Bytes().append(levels(6, {3, 2})).list(7, 6, 4).zigzag(1).zigzag(2).zigzag(0).zigzag(3);
  const ReadPages found = read_pages(places, Bytes().append(counts).end());
  REQUIRE_EQ(found.status, Status::kOk);
  constexpr std::uint64_t kDefinition[2][2] = {{1, 2}, {0, 3}};
  constexpr std::uint64_t kRepetition[] = {3, 2};
  for (std::size_t page = 0; page < 2; ++page) {
    const SizeStatistics& sizes = found.pages[page];
    CHECK(sizes.has_byte_array_bytes);
    CHECK_EQ(sizes.byte_array_bytes, 10 * (page + 1));
    REQUIRE_EQ(sizes.definition.size(), 2U);
    for (std::size_t level = 0; level < 2; ++level)
      CHECK_EQ(sizes.definition[level], kDefinition[page][level]);
    REQUIRE_EQ(sizes.repetition.size(), 1U);
    CHECK_EQ(sizes.repetition[0], kRepetition[page]);
  }
}

TEST("size statistics: lists of another number of pages are left out") {
  expect_nothing(
      read_pages(Bytes().append(levels(2, {10})).end(), Bytes().append(levels(7, {1, 2, 0})).end()));
  expect_nothing(
      read_pages(Bytes().append(levels(2, {10, 20, 30})).end(), Bytes().append(levels(6, {})).end()));
  expect_nothing(read_pages({}, {}));
  const ReadPages found = read_pages({}, Bytes().append(levels(6, {3, 3})).end());
  CHECK_EQ(found.pages[1].repetition.size(), 1U);
  CHECK(found.pages[1].definition.empty());
}

TEST("size statistics: of pages whose index cannot be, and memory that is short") {
  const Bytes places = Bytes().append(levels(2, {10, 20})).end();
  CHECK_EQ(read_pages(places, {}, 5).status, Status::kOutOfMemory);
  CHECK(read_pages(places, {}).pages[1].has_byte_array_bytes);
  expect_nothing(read_pages(Bytes().append(levels(2, {10, -20})).end(), {}));
  expect_nothing(read_pages(places, Bytes().append(levels(7, {1, 2, -1, 3})).end()));
  expect_nothing(read_pages(places, Bytes().list(7, 8, 4).end()));
  expect_nothing(read_pages(places, levels(7, {1, 2, 0, 3})));  // it does not end
}

// Lengths count from where an index ends, whatever is in the reader's window.
TEST("size statistics: an index that lies within another one") {
  Bytes inner = Bytes().field(9, 9).byte(0xF1).varint(1'000'000);
  for (int i = 0; i < 40; ++i) inner.byte(1);
  const Bytes outer = Bytes().append(levels(2, {10, 20})).binary(99, inner.view()).end();
  expect_nothing(read_edited(outer, {}, 6, [&](Column& column) {
    column.column_index = column.offset_index + static_cast<std::int64_t>(outer.size() - 1 - inner.size());
    column.column_index_bytes = 2;
  }));
}

TEST("size statistics: places of an index that cannot be") {
  const Bytes places = Bytes().append(levels(2, {10, 20})).end();
  expect_nothing(read_edited(places, {}, 6, [](Column& column) { column.offset_index_bytes = -5; }));
  expect_nothing(read_edited(places, {}, 6, [](Column& column) { column.offset_index = -5; }));
  expect_nothing(read_edited(places, {}, 6, [](Column& column) { column.offset_index += 1'000'000; }));
}
