// Reading only some rows of row groups: by rows, by columns, and what is not read then.
#include "made_rows.h"
#include "microparquet/decoders.h"
#include "microparquet/filter.h"
#include "microparquet/row_filter.h"
#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/names.h"
#include "written_file.h"

using made::Bytes;
using made::Column;
using microparquet::Batch;
using microparquet::MemoryFile;
using microparquet::RowRange;
using microparquet::RowRanges;
using microparquet::SelectedColumn;
using microparquet::SelectedRows;
using written::mix;

namespace {

alignas(8) std::byte arena[4096];

constexpr std::int32_t kRows = made::kChunkRows;  // of each row group
constexpr std::int32_t kRowGroups = 3;

// The columns: numbers, numbers with a null in every third row, and 100 to 103 from a dictionary.
std::int32_t value_of(std::size_t column, std::int32_t row) {
  if (column == 1 && row % 3 == 0) return -1;
  return column == 2 ? 100 + row / 5 % 4 : row;
}

// The same chunks in each row group.
void make_file(made::File& made) {
  Column columns[3];
  columns[1].name = "n";
  columns[2].name = "d";
  for (std::size_t i = 0; i < 3; ++i) made::make_pages(made, value_of, i, columns[i], [] {});
  Bytes footer;
  footer.i32(1, 1).list(2, 12, 4);
  made::root(footer, 3);
  for (const Column& column : columns) made::leaf(footer, column);
  footer.i64(3, std::int64_t{kRows} * kRowGroups).list(4, 12, kRowGroups);
  for (std::int32_t i = 0; i < kRowGroups; ++i) made::row_group(footer, columns, kRows);
  made.end_with(footer.end());
}

constexpr const microparquet::Decoder* kDecoders[] = {&microparquet::kPlainFixedDecoder,
                                                      &microparquet::kFixedDictionaryDecoder};

ReaderOptions options_of(std::uint32_t buffer_bytes) {
  ReaderOptions options;
  options.buffer_bytes = buffer_bytes;
  options.decoders = kDecoders;
  return options;
}

// Fails every `period`-th read; 0: none.
class Flaky final : public support::ForwardingFile {
 public:
  Flaky(microparquet::File& file, std::uint32_t period) : ForwardingFile(file), period_(period) {}

  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    ++reads_;
    return period_ != 0 && reads_ % period_ == 0 ? Status::kIoError : ForwardingFile::read_at(offset, out);
  }
  void start(std::uint32_t period) { period_ = period; }

 private:
  std::uint32_t period_;
  std::uint32_t reads_ = 0;
};

// Selects up to four ranges of each row group, as random as `seed`; some are empty or reach beyond the row
// group.
struct RandomRanges {
  std::uint32_t seed;
  RowRange ranges[kRowGroups][4];

  explicit RandomRanges(std::uint32_t number) : seed(number) {
    for (std::uint32_t group = 0; group < kRowGroups; ++group) {
      std::uint32_t at = 0;
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t random = mix(seed, group * 4 + i);
        at += random % 50;
        ranges[group][i].begin = at;
        at += random / 64 % 3 == 0 ? random / 256 % 40 : random / 256 % 3;
        ranges[group][i].end = at;
      }
    }
  }
  bool has(std::int32_t group, std::int32_t row) const {
    for (const RowRange& range : ranges[group]) {
      const auto number = static_cast<std::uint64_t>(row);
      if (range.begin <= number && number < range.end) return true;
    }
    return false;
  }
};

class RandomFilter final : public microparquet::RowFilter {
 public:
  explicit RandomFilter(const RandomRanges& ranges) : ranges_(ranges) {}
  Status select(Reader& reader, RowRanges& rows) const override {
    for (const RowRange& range : ranges_.ranges[reader.row_group()]) rows.add(range);
    return Status::kOk;
  }

 private:
  const RandomRanges& ranges_;
};

// Asks again after kIoError, as often as it comes.
template <typename Call>
Status repeat(Call call) {
  Status status = call();
  while (status == Status::kIoError) status = call();
  return status;
}

bool row_is(const Reader& reader, std::int32_t row) {
  for (std::size_t i = 0; i < reader.chosen(); ++i) {
    const microparquet::Cell cell = reader.cell(i);
    const std::int32_t value = value_of(i, row);
    if (cell.null() ? value != -1 : cell.as<std::int32_t>() != value) return false;
  }
  return true;
}

// All selected rows come, in order, and no others.
void check_rows(Reader& reader, const RandomRanges& ranges) {
  const RandomFilter filter(ranges);
  RowRange places[4];
  SelectedRows selected(reader, filter, places);
  for (std::int32_t group = 0; group < kRowGroups; ++group) {
    for (std::int32_t row = 0; row < kRows; ++row) {
      if (!ranges.has(group, row)) continue;
      REQUIRE_EQ(repeat([&] { return selected.next(); }), Status::kOk);
      CHECK_EQ(reader.row_group(), static_cast<std::uint32_t>(group));
      CHECK_EQ(repeat([&] { return selected.next(); }), Status::kOk);  // stays there
      REQUIRE_EQ(repeat([&] { return reader.next_row(); }), Status::kOk);
      if (!CHECK(row_is(reader, row))) return;
    }
  }
  CHECK_EQ(repeat([&] { return selected.next(); }), Status::kEnd);
  CHECK_EQ(selected.next(), Status::kEnd);
}

void check_column(Reader& reader, std::size_t i, const RandomRanges& ranges) {
  for (std::int32_t group = 0; group < kRowGroups; ++group) {
    REQUIRE_EQ(repeat([&] { return reader.seek_row_group(static_cast<std::uint32_t>(group)); }), Status::kOk);
    SelectedColumn column(reader, i, ranges.ranges[group]);
    std::int32_t row = 0;
    std::int32_t values[9];
    std::uint8_t levels[9];
    Batch<std::int32_t> batch(values, levels);
    while (repeat([&] { return column.next_batch(batch); }) == Status::kOk) {
      CHECK_EQ(batch.places, std::size(values));
      for (; row < static_cast<std::int32_t>(column.first_row()); ++row) CHECK(!ranges.has(group, row));
      const std::int32_t* value = values;
      for (std::size_t k = 0; k < batch.level_count; ++k, ++row) {
        if (!CHECK(ranges.has(group, row))) return;
        const std::int32_t expected = value_of(i, row);
        if (i == 1) CHECK_EQ(levels[k], expected != -1 ? 1 : 0);
        if (expected != -1) CHECK_EQ(*value++, expected);
      }
    }
    for (; row < kRows; ++row) CHECK(!ranges.has(group, row));
    CHECK_EQ(column.next_batch(batch), Status::kEnd);
  }
}

void open_all(Reader& reader, microparquet::File& file, const ReaderOptions& options) {
  REQUIRE_EQ(reader.open(file, options, {arena, Reader::required_bytes(3, 3, options)}), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
}

}  // namespace

TEST("row ranges: random ones, by rows and by columns, with small buffers and a medium that fails") {
  made::File made;
  make_file(made);
  Reader reader;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const RandomRanges ranges(seed);
    const ReaderOptions options = options_of(seed % 2 == 0 ? 128 : 1024);
    MemoryFile memory = made.open();
    Flaky file(memory, 0);
    open_all(reader, file, options);
    file.start(seed % 3 == 0 ? 0 : 90 + seed);
    check_rows(reader, ranges);
    for (std::size_t i = 0; i < 3; ++i) {
      file.start(0);
      open_all(reader, file, options);
      file.start(seed % 3 == 0 ? 0 : 90 + seed);
      check_column(reader, i, ranges);
    }
  }
}

TEST("row ranges: pages outside of them are not decoded") {
  made::File made;
  make_file(made);
  MemoryFile file = made.open();
  const ReaderOptions options = options_of(128);
  Reader reader;
  open_all(reader, file, options);
  const std::uint32_t first = 0;
  REQUIRE_EQ(reader.choose({&first, 1}), Status::kOk);
  REQUIRE_EQ(reader.seek_row(1, 100), Status::kOk);
  CHECK_EQ(reader.pages_read(), 1U);
  REQUIRE_EQ(reader.next_row(), Status::kOk);
  CHECK_EQ(reader.cell(0).as<std::int32_t>(), 100);
  // Seeks on from there, to the end of a page and into the next one but one.
  REQUIRE_EQ(reader.seek_row(1, 105), Status::kOk);
  REQUIRE_EQ(reader.seek_row(1, 113), Status::kOk);
  CHECK_EQ(reader.pages_read(), 2U);
  REQUIRE_EQ(reader.next_row(), Status::kOk);
  CHECK_EQ(reader.cell(0).as<std::int32_t>(), 113);
  // Back, and by columns.
  REQUIRE_EQ(reader.seek_row(1, 3), Status::kOk);
  REQUIRE_EQ(reader.next_row(), Status::kOk);
  CHECK_EQ(reader.cell(0).as<std::int32_t>(), 3);
  REQUIRE_EQ(reader.seek_row_group(0), Status::kOk);
  REQUIRE_EQ(reader.seek_value(0, 70), Status::kOk);
  CHECK_EQ(reader.pages_read(), 3U);
  std::int32_t value[1];
  Batch<std::int32_t> batch(value);
  REQUIRE_EQ(reader.next_batch(0, batch), Status::kOk);
  CHECK_EQ(value[0], 70);
  CHECK_EQ(reader.pages_read(), 4U);
  CHECK_EQ(reader.seek_value(0, 70), Status::kInvalidArgument);
  REQUIRE_EQ(reader.seek_value(0, kRows), Status::kOk);
  CHECK_EQ(reader.next_batch(0, batch), Status::kEnd);
}

TEST("row ranges: what may be asked, and when") {
  made::File made;
  make_file(made);
  MemoryFile file = made.open();
  const ReaderOptions options = options_of(128);
  Reader reader;
  CHECK_EQ(reader.seek_row(0, 0), Status::kWrongState);
  open_all(reader, file, options);
  CHECK_EQ(reader.seek_value(0, 0), Status::kWrongState);
  CHECK_EQ(reader.seek_row(kRowGroups, 0), Status::kInvalidArgument);
  CHECK_EQ(reader.seek_row(0, kRows), Status::kInvalidArgument);
  REQUIRE_EQ(reader.seek_row(0, 5), Status::kOk);
  CHECK_EQ(reader.seek_value(0, 6), Status::kWrongState);  // it is being read by rows
  REQUIRE_EQ(reader.seek_row_group(2), Status::kOk);
  CHECK_EQ(reader.seek_value(3, 0), Status::kInvalidArgument);
  CHECK_EQ(reader.seek_value(0, kRows + 1), Status::kInvalidArgument);
  std::int64_t wrong[1];
  Batch<std::int64_t> batch(wrong);
  const RowRange all = {0, kRows};
  CHECK_EQ(SelectedColumn(reader, 0, {&all, 1}).next_batch(batch), Status::kInvalidArgument);
}

TEST("row ranges: a damaged page costs the ranges that need it, and no others") {
  made::File made;
  make_file(made);
  constexpr std::size_t kThirdPageOfFirstColumn = 4 + 2 * (7 * 4 + 20);
  made.bytes().data()[kThirdPageOfFirstColumn + 40] ^= std::byte{1};
  MemoryFile file = made.open();
  const ReaderOptions options = options_of(1024);
  Reader reader;
  open_all(reader, file, options);
  REQUIRE_EQ(reader.seek_row(0, 60), Status::kOk);
  REQUIRE_EQ(reader.next_row(), Status::kOk);
  CHECK(row_is(reader, 60));
  Status status = Status::kOk;
  std::int32_t row = 0;
  REQUIRE_EQ(reader.seek_row(0, 0), Status::kOk);
  while (status == Status::kOk && row < kRows) {
    status = reader.next_row();
    row += status == Status::kOk ? 1 : 0;
  }
  CHECK_EQ(status, Status::kCorrupt);
  CHECK(row > 0 && row < 30);
  CHECK_EQ(reader.next_row(), Status::kCorrupt);
  REQUIRE_EQ(reader.seek_row(0, 60), Status::kOk);
  REQUIRE_EQ(reader.next_row(), Status::kOk);
  CHECK(row_is(reader, 60));
}

TEST("row ranges: of row groups that a filter matches") {
  made::File made;
  make_file(made);
  MemoryFile file = made.open();
  const ReaderOptions options = options_of(128);
  Reader reader;
  open_all(reader, file, options);
  class Second final : public microparquet::RowGroupFilter {
   public:
    Status may_match(Reader& of, bool& match) const override {
      match = of.row_group() == 1;
      return Status::kOk;
    }
  };
  const Second second;
  const microparquet::RowsOfRowGroups filter(second);
  RowRange places[1];
  SelectedRows selected(reader, filter, places);
  std::int32_t rows = 0;
  while (selected.next() == Status::kOk) {
    CHECK_EQ(reader.row_group(), 1U);
    REQUIRE_EQ(reader.next_row(), Status::kOk);
    CHECK(row_is(reader, rows++));
  }
  CHECK_EQ(rows, kRows);
}

TEST("row ranges: without a place left the rows between two count as in them") {
  RowRange places[2];
  RowRanges rows(places);
  rows.add({3, 3});
  CHECK_EQ(rows.ranges().size(), 0U);
  rows.add({1, 3});
  rows.add({3, 4});
  REQUIRE_EQ(rows.ranges().size(), 1U);
  CHECK_EQ(rows.ranges()[0].end, 4U);
  rows.add({6, 7});
  rows.add({9, 12});
  REQUIRE_EQ(rows.ranges().size(), 2U);
  CHECK(rows.ranges()[1].begin == 6 && rows.ranges()[1].end == 12);
  rows.clear();
  const RowRange a[] = {{0, 10}, {20, 30}};
  const RowRange b[] = {{5, 6}, {8, 22}, {30, 40}};
  RowRange more[4];
  RowRanges both(more);
  both.add_both(a, b);
  REQUIRE_EQ(both.ranges().size(), 3U);
  CHECK(both.ranges()[0].begin == 5 && both.ranges()[0].end == 6);
  CHECK(both.ranges()[1].begin == 8 && both.ranges()[1].end == 10);
  CHECK(both.ranges()[2].begin == 20 && both.ranges()[2].end == 22);
  rows.add_both(a, b);
  REQUIRE_EQ(rows.ranges().size(), 2U);
  CHECK(rows.ranges()[1].begin == 8 && rows.ranges()[1].end == 22);
}
