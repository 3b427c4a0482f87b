// What a footer says of how much there is of a column chunk's values.
#include "microparquet/size_statistics.h"

#include "made_file.h"
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

// Of a column of texts, one of which is null.
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

Bytes levels(int field, std::initializer_list<std::int64_t> items) {
  Bytes out;
  out.list(field, 6, static_cast<std::uint32_t>(items.size()));
  for (const std::int64_t item : items) out.zigzag(item);
  return out;
}

void expect_nothing(const Read& found) {
  CHECK_EQ(found.status, Status::kOk);
  CHECK(!found.sizes.has_byte_array_bytes);
  CHECK(found.sizes.definition.empty());
  CHECK(found.sizes.repetition.empty());
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
