// Page indexes and bloom filters: what they say, rows found by them, and those that are wrong.
#include <iterator>

#include "base/xxhash64.h"
#include "made_rows.h"
#include "microparquet/bloom_filter.h"
#include "microparquet/decoders.h"
#include "microparquet/page_filter.h"
#include "microparquet/page_index.h"
#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/names.h"
#include "written_file.h"

using made::Bytes;
using made::Column;
using made::kPageRows;
using microparquet::IndexedPage;
using microparquet::MemoryFile;
using microparquet::PageIndex;
using written::mix;

namespace {

alignas(8) std::byte arena[4096];
alignas(8) std::byte index_memory[4096];

constexpr std::int32_t kRows = made::kChunkRows;

// The columns: numbers; numbers with a null in every third row and none but nulls in the second page; and 100 to 103
// from a dictionary.
std::int32_t value_of(std::size_t column, std::int32_t row) {
  if (column == 1 && (row % 3 == 0 || row / kPageRows[1] == 1)) return -1;
  return column == 2 ? 100 + row / 5 % 4 : row;
}

// A number of an index that is wrong by `by`.
struct Lie {
  enum class In : std::uint8_t {
    kNothing,
    kOffset,
    kBytes,
    kFirstRow,
    kPages,
    kNullPage,
    kNullCount,
    kMinValues
  } in;
  std::int32_t page;
  std::int64_t by;
};
constexpr Lie kNoLie = {Lie::In::kNothing, 0, 0};

// Pages of a column while they are made.
struct Places {
  std::int64_t offsets[20];
  std::int32_t count = 0;
};

void make_pages(made::File& made, std::size_t number, Column& column, Places& places) {
  made::make_pages(made, value_of, number, column,
                   [&] { places.offsets[places.count++] = static_cast<std::int64_t>(made.bytes().size()); });
  places.offsets[places.count] = static_cast<std::int64_t>(made.bytes().size());
}

std::int64_t told(std::int64_t number, const Lie& lie, Lie::In in, std::int32_t page) {
  return lie.in == in && lie.page == page ? number + lie.by : number;
}

Bytes offset_index(std::size_t number, const Places& places, const Lie& lie) {
  Bytes out;
  out.list(1, 12, static_cast<std::uint32_t>(told(places.count, lie, Lie::In::kPages, 0)));
  for (std::int32_t i = 0; i < places.count; ++i) {
    out.i64(1, told(places.offsets[i], lie, Lie::In::kOffset, i));
    out.i32(2, told(places.offsets[i + 1] - places.offsets[i], lie, Lie::In::kBytes, i));
    out.i64(3, told(std::int64_t{i} * kPageRows[number], lie, Lie::In::kFirstRow, i)).end();
  }
  out.end();
  return out;
}

struct PageValues {
  std::int32_t nulls = 0;
  std::int32_t min = -1;
  std::int32_t max = -1;
};

PageValues values_of_page(std::size_t number, std::int32_t page) {
  PageValues values;
  for (std::int32_t row = page * kPageRows[number]; row < (page + 1) * kPageRows[number] && row < kRows;
       ++row) {
    const std::int32_t value = value_of(number, row);
    if (value == -1) {
      ++values.nulls;
      continue;
    }
    if (values.min == -1 || value < values.min) values.min = value;
    if (value > values.max) values.max = value;
  }
  return values;
}

void add_bounds(Bytes& out, int field, std::size_t number, const Places& places, const Lie& lie) {
  const auto size =
      static_cast<std::uint32_t>(field == 2 ? told(places.count, lie, Lie::In::kMinValues, 0) : places.count);
  out.list(field, 8, size);
  for (std::int32_t i = 0; i < places.count; ++i) {
    const PageValues values = values_of_page(number, i);
    if (values.min == -1) {
      out.varint(0);
    } else {
      out.varint(4).little(static_cast<std::uint32_t>(field == 2 ? values.min : values.max), 4);
    }
  }
}

Bytes column_index(std::size_t number, const Places& places, const Lie& lie) {
  Bytes out;
  out.list(1, 2, static_cast<std::uint32_t>(places.count));
  for (std::int32_t i = 0; i < places.count; ++i) {
    const bool null = (values_of_page(number, i).min == -1) != (told(0, lie, Lie::In::kNullPage, i) != 0);
    out.byte(null ? 1 : 2);
  }
  add_bounds(out, 2, number, places, lie);
  add_bounds(out, 3, number, places, lie);
  out.i32(4, 0).list(5, 6, static_cast<std::uint32_t>(places.count));
  for (std::int32_t i = 0; i < places.count; ++i)
    out.zigzag(told(values_of_page(number, i).nulls, lie, Lie::In::kNullCount, i));
  out.end();
  return out;
}

void no_edit(Column&) {}

// The lie is in each column's index; `edit` changes where the footer says that it lies.
void make_file(made::File& made, const Lie& lie, void (*edit)(Column&)) {
  Column columns[3];
  columns[1].name = "n";
  columns[2].name = "d";
  Places places[3];
  for (std::size_t i = 0; i < 3; ++i) make_pages(made, i, columns[i], places[i]);
  for (std::size_t i = 0; i < 3; ++i) {
    const Bytes bounds = column_index(i, places[i], lie);
    columns[i].column_index = static_cast<std::int64_t>(made.bytes().size());
    columns[i].column_index_bytes = static_cast<std::int64_t>(bounds.size());
    made.bytes().append(bounds);
    const Bytes pages = offset_index(i, places[i], lie);
    columns[i].offset_index = static_cast<std::int64_t>(made.bytes().size());
    columns[i].offset_index_bytes = static_cast<std::int64_t>(pages.size());
    made.bytes().append(pages);
    edit(columns[i]);
  }
  made.footer(columns, kRows);
}

constexpr const microparquet::Decoder* kDecoders[] = {&microparquet::kPlainFixedDecoder,
                                                      &microparquet::kFixedDictionaryDecoder};

class CountedReads final : public support::ForwardingFile {
 public:
  CountedReads(microparquet::File& file, std::uint32_t fails_at)
      : ForwardingFile(file), fails_at_(fails_at) {}
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    if (++reads == fails_at_) return Status::kIoError;
    bytes += out.size();
    return ForwardingFile::read_at(offset, out);
  }
  void start(std::uint32_t fails_at) {
    reads = 0;
    bytes = 0;
    fails_at_ = fails_at;
  }
  std::uint32_t reads = 0;
  std::uint64_t bytes = 0;

 private:
  std::uint32_t fails_at_;
};

struct Opened {
  made::File made;
  MemoryFile memory;
  CountedReads file;
  ReaderOptions options;
  Reader reader;

  explicit Opened(const Lie& lie, void (*edit)(Column&) = &no_edit)
      : memory((make_file(made, lie, edit), made.open())), file(memory, 0) {
    options.buffer_bytes = 160;
    options.footer_bytes = 64;
    options.decoders = kDecoders;
    CHECK_EQ(reader.open(file, options, arena), Status::kOk);
    CHECK_EQ(reader.choose_all(), Status::kOk);
  }

  void check_row(std::int32_t row) {
    REQUIRE_EQ(reader.next_row(), Status::kOk);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int32_t expected = value_of(i, row);
      REQUIRE_EQ(reader.cell(i).null(), expected == -1);
      if (expected != -1) CHECK_EQ(reader.cell(i).as<std::int32_t>(), expected);
    }
  }
};

constexpr Lie kLies[] = {
    {Lie::In::kOffset, 0, 1},    {Lie::In::kOffset, 3, -1},   {Lie::In::kOffset, 5, 1000},
    {Lie::In::kBytes, 2, 1},     {Lie::In::kBytes, 4, -1},    {Lie::In::kFirstRow, 0, 1},
    {Lie::In::kFirstRow, 1, -7}, {Lie::In::kFirstRow, 3, -1}, {Lie::In::kFirstRow, 3, 2},
    {Lie::In::kFirstRow, 4, 50}, {Lie::In::kPages, 0, 1},     {Lie::In::kPages, 0, -1}};

}  // namespace

TEST("page index: places, rows and bounds of pages") {
  Opened opened(kNoLie);
  PageIndex index(index_memory);
  CHECK_EQ(index.read(opened.reader, 0), Status::kWrongState);
  REQUIRE_EQ(opened.reader.next_row_group(), Status::kOk);
  for (std::uint32_t column = 0; column < 3; ++column) {
    REQUIRE_EQ(index.read(opened.reader, column), Status::kOk);
    const Span<const IndexedPage> pages = index.pages();
    const std::int32_t step = kPageRows[column];
    REQUIRE_EQ(pages.size(), static_cast<std::size_t>((kRows + step - 1) / step));
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const auto number = static_cast<std::int32_t>(i);
      const PageValues values = values_of_page(column, number);
      CHECK_EQ(pages[i].first_row, static_cast<std::uint64_t>(number * step));
      CHECK_EQ(pages[i].rows,
               static_cast<std::uint64_t>(kRows - number * step < step ? kRows - number * step : step));
      CHECK_EQ(pages[i].only_nulls, values.min == -1);
      CHECK_EQ(pages[i].null_count, static_cast<std::uint64_t>(values.nulls));
      REQUIRE_EQ(pages[i].has_bounds, values.min != -1);
      std::int32_t bound = 0;
      if (pages[i].has_bounds) CHECK(microparquet::bound_as(pages[i].min, bound) && bound == values.min);
      if (pages[i].has_bounds) CHECK(microparquet::bound_as(pages[i].max, bound) && bound == values.max);
      bool confirmed = false;
      CHECK_EQ(index.confirm(opened.reader, i, confirmed), Status::kOk);
      CHECK(confirmed);
    }
  }
  CHECK_EQ(index.read(opened.reader, 3), Status::kInvalidArgument);
  for (std::int32_t row = 0; row < kRows; ++row) opened.check_row(row);  // the reader has stayed where it was
}

TEST("page index: the memory that is needed") {
  Opened opened(kNoLie);
  REQUIRE_EQ(opened.reader.next_row_group(), Status::kOk);
  PageIndex none({index_memory, 0});
  REQUIRE_EQ(none.read(opened.reader, 0), Status::kOutOfMemory);
  PageIndex pages_only({index_memory, static_cast<std::size_t>(opened.reader.needed_bytes())});
  REQUIRE_EQ(pages_only.read(opened.reader, 0), Status::kOutOfMemory);
  const auto needed = static_cast<std::size_t>(opened.reader.needed_bytes());
  PageIndex less({index_memory, needed - 1});
  CHECK_EQ(less.read(opened.reader, 0), Status::kOutOfMemory);
  PageIndex enough({index_memory, needed});
  CHECK_EQ(enough.read(opened.reader, 0), Status::kOk);
  PageIndex not_aligned({index_memory + 1, needed});
  CHECK_EQ(not_aligned.read(opened.reader, 0), Status::kInvalidArgument);
}

TEST("page index: what contradicts itself or the pages is not believed") {
  for (const Lie& lie : kLies) {
    Opened opened(lie);
    REQUIRE_EQ(opened.reader.next_row_group(), Status::kOk);
    PageIndex index(index_memory);
    const Status status = index.read(opened.reader, 0);
    if (status == Status::kEnd) continue;
    REQUIRE_EQ(status, Status::kOk);
    bool all = true;
    for (std::size_t i = 0; i < index.pages().size(); ++i) {
      bool confirmed = false;
      CHECK_EQ(index.confirm(opened.reader, i, confirmed), Status::kOk);
      all = all && confirmed;
    }
    CHECK(!all);
  }
}

TEST("page index: bounds go with what is said of nulls") {
  const Lie lies[] = {{Lie::In::kNullPage, 2, 1},
                      {Lie::In::kNullPage, 1, 1},
                      {Lie::In::kNullCount, 1, -1},
                      {Lie::In::kMinValues, 0, 1},
                      {Lie::In::kMinValues, 0, -1}};
  for (const Lie& lie : lies) {
    Opened opened(lie);
    REQUIRE_EQ(opened.reader.next_row_group(), Status::kOk);
    PageIndex index(index_memory);
    REQUIRE_EQ(index.read(opened.reader, 1), Status::kOk);
    for (const IndexedPage& page : index.pages())
      CHECK(!page.has_bounds && !page.only_nulls && !page.has_null_count);
  }
}

TEST("page index: rows in any order, whatever the index says") {
  for (std::size_t n = 0; n <= std::size(kLies); ++n) {
    Opened opened(n == 0 ? kNoLie : kLies[n - 1]);
    for (std::uint32_t i = 0; i < 60; ++i) {
      const auto row = static_cast<std::int32_t>(mix(9, i) % kRows);
      REQUIRE_EQ(seek_row_by_index(opened.reader, 0, static_cast<std::uint64_t>(row)), Status::kOk);
      const auto end = row + static_cast<std::int32_t>(mix(3, i) % 20);
      for (std::int32_t next = row; next < end && next < kRows; ++next) opened.check_row(next);
    }
    CHECK_EQ(seek_row_by_index(opened.reader, 0, kRows), Status::kInvalidArgument);
    CHECK_EQ(seek_row_by_index(opened.reader, 1, 0), Status::kInvalidArgument);
  }
}

TEST("page index: where its place cannot be read there is none, and rows are found without it") {
  void (*const edits[])(Column&) = {[](Column& column) { column.offset_index_bytes = -1; },
                                    [](Column& column) { column.offset_index = -5; },
                                    [](Column& column) { column.column_index_bytes = -1; },
                                    [](Column& column) { column.bloom_filter = -7; },
                                    [](Column& column) { column.offset_index = 1 << 20; }};
  for (const auto& edit : edits) {
    Opened opened(kNoLie, edit);
    PageIndex index(index_memory);
    REQUIRE_EQ(opened.reader.next_row_group(), Status::kOk);
    for (std::uint32_t column = 0; column < 3; ++column)
      CHECK_EQ(index.read(opened.reader, column), Status::kEnd);
    for (std::uint32_t i = 0; i < 10; ++i) {
      const auto row = static_cast<std::int32_t>(mix(5, i) % kRows);
      REQUIRE_EQ(seek_row_by_index(opened.reader, 0, static_cast<std::uint64_t>(row)), Status::kOk);
      opened.check_row(row);
    }
  }
}

TEST("page index: headers of pages before a row are not read") {
  Opened opened(kNoLie);
  REQUIRE_EQ(opened.reader.next_row_group(), Status::kOk);
  PageIndex index(index_memory);
  REQUIRE_EQ(index.read(opened.reader, 1), Status::kOk);
  opened.made.bytes().data()[index.pages()[4].offset] = std::byte{0xFF};
  REQUIRE_EQ(seek_row_by_index(opened.reader, 0, 119), Status::kOk);
  opened.check_row(119);
  CHECK(opened.reader.pages_read() <= 4);  // each column's page, and that after the dictionary
  CHECK_EQ(opened.reader.seek_row(0, 118), Status::kCorrupt);
}

TEST("page index: rows of pages that ranges leave") {
  const Lie lies[] = {
      kNoLie, {Lie::In::kFirstRow, 3, -1}, {Lie::In::kBytes, 4, -1}, {Lie::In::kNullPage, 2, 1}};
  for (const Lie& lie : lies) {
    for (std::uint32_t i = 0; i < 40; ++i) {
      Opened opened(lie);
      const auto low = static_cast<std::int32_t>(mix(21, i) % 130);
      const auto high = low + static_cast<std::int32_t>(mix(22, i) % 30);
      microparquet::ColumnRange ranges[2];
      for (std::uint32_t column = 0; column < 2; ++column) {
        REQUIRE_EQ(make_range(opened.reader, column, Value::of(low), Value::of(high), ranges[column]),
                   Status::kOk);
      }
      microparquet::RowRange scratch[12];
      const std::size_t index_bytes = i % 5 == 4 ? 100 : sizeof index_memory;
      const microparquet::PageFilter filter({ranges, i % 2 + 1}, {index_memory, index_bytes}, scratch);
      microparquet::RowRange places[4];
      microparquet::SelectedRows selected(opened.reader, filter, places);
      std::int32_t next = 0;
      std::int32_t seen = 0;
      while (selected.next() == Status::kOk) {
        REQUIRE_EQ(opened.reader.next_row(), Status::kOk);
        const auto row = opened.reader.cell(0).as<std::int32_t>();
        for (std::int32_t left_out = next; left_out < row; ++left_out) {
          const bool wanted =
              left_out >= low && left_out <= high && (i % 2 == 0 || value_of(1, left_out) != -1);
          CHECK(!wanted);
        }
        next = row + 1;
        ++seen;
      }
      for (; next < kRows; ++next) {
        const bool wanted = next >= low && next <= high && (i % 2 == 0 || value_of(1, next) != -1);
        CHECK(!wanted);
      }
      const bool right = lie.in == Lie::In::kNothing && i % 5 != 4;
      if (right) CHECK(seen <= high - low + 1 + 2 * kPageRows[0]);
    }
  }
}

TEST("page index: a failure of the file changes nothing") {
  for (std::uint32_t fails_at = 1; fails_at < 60; ++fails_at) {
    Opened opened(kNoLie);
    opened.file.start(fails_at);
    Status status = seek_row_by_index(opened.reader, 0, 100);
    if (status == Status::kIoError) status = seek_row_by_index(opened.reader, 0, 100);
    REQUIRE_EQ(status, Status::kOk);
    opened.file.start(0);
    for (std::int32_t row = 100; row < kRows; ++row) opened.check_row(row);
  }
}

TEST("xxHash: known values") {
  const auto hash = [](std::string_view text) {
    return microparquet::util::xxhash64({reinterpret_cast<const std::byte*>(text.data()), text.size()});
  };
  CHECK_EQ(hash(""), 0xEF46DB3751D8E999U);
  CHECK_EQ(hash("a"), 0xD24EC4F1A98C6E5BU);
  CHECK_EQ(hash("abc"), 0x44BC2CF5AD770999U);
  CHECK_EQ(hash("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1U);
}
