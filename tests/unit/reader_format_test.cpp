// The reader on files made by hand: what the format allows, and what it does not.
#include <cstring>

#include "made_file.h"
#include "microparquet/reader.h"
#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/names.h"

using made::Bytes;
using made::Column;
using made::Page;
using microparquet::CodecId;
using microparquet::Decompressor;
using microparquet::MemoryFile;

namespace {

alignas(8) std::byte arena[8192];

// An arena as large as `options` say for one column, so that its buffer is no larger.
Span<std::byte> arena_for(const ReaderOptions& options, std::size_t columns = 1) {
  return {arena, Reader::required_bytes(columns, columns, options)};
}

constexpr ReaderOptions buffer_of(std::uint32_t bytes) {
  ReaderOptions options;
  options.buffer_bytes = bytes;
  return options;
}

Bytes int32s(std::int32_t first, std::int32_t count) {
  Bytes bytes;
  for (std::int32_t i = 0; i < count; ++i) bytes.little(static_cast<std::uint32_t>(first + i), 4);
  return bytes;
}

// Levels of a V1 page: their length, then what `runs` holds.
Bytes levels_v1(const Bytes& runs) {
  Bytes bytes;
  return bytes.little(runs.size(), 4).append(runs);
}

// Reads all rows of the first column, which are to be 0, 1, 2 ... where they are not null, and says what came
// last.
struct Outcome {
  Status status = Status::kOk;
  std::int32_t rows = 0;
  std::int32_t nulls = 0;
  bool right = true;
};

Outcome read_rows(Reader& reader) {
  Outcome outcome;
  while ((outcome.status = reader.next_row()) == Status::kOk) {
    const microparquet::Cell cell = reader.cell(0);
    if (cell.null()) {
      ++outcome.nulls;
    } else {
      outcome.right = outcome.right && cell.as<std::int32_t>() == outcome.rows;
    }
    ++outcome.rows;
  }
  return outcome;
}

Outcome read_batches(Reader& reader) {
  Outcome outcome;
  std::int32_t values[7];
  std::uint8_t levels[7];
  outcome.status = reader.next_row_group();
  const std::uint8_t present = reader.max_definition_level(0);
  while (outcome.status == Status::kOk) {
    microparquet::Batch<std::int32_t> batch(values, levels);
    outcome.status = reader.next_batch(0, batch);
    std::size_t next = 0;
    for (std::size_t i = 0; outcome.status == Status::kOk && i < batch.level_count; ++i, ++outcome.rows) {
      if (present != 0 && levels[i] != present) {
        ++outcome.nulls;
      } else {
        outcome.right = outcome.right && values[next++] == outcome.rows;
      }
    }
    outcome.right = outcome.right && next == batch.value_count;
  }
  return outcome;
}

Outcome read_runs(Reader& reader) {
  Outcome outcome;
  microparquet::ColumnRun run;
  outcome.status = reader.next_row_group();
  while (outcome.status == Status::kOk && (outcome.status = reader.next_run(0, run)) == Status::kOk) {
    for (std::size_t i = 0; i < run.rows; ++i, ++outcome.rows) {
      if (run.null()) {
        ++outcome.nulls;
      } else {
        outcome.right = outcome.right && run.value<std::int32_t>(i) == outcome.rows;
      }
    }
  }
  return outcome;
}

// Opens the file, and reads its first column by all ways through buffers of two sizes; `check` takes each
// outcome.
template <typename Check>
void read_all_ways(made::File& made, const ReaderOptions& options, Check check) {
  for (const std::uint32_t buffer_bytes : {64U, 2048U}) {
    ReaderOptions used = options;
    used.buffer_bytes = buffer_bytes;
    for (auto* read : {&read_rows, &read_batches, &read_runs}) {
      MemoryFile file = made.open();
      Reader reader;
      // The file is opened again in an arena whose buffer is no larger than said.
      Status status = reader.open(file, used, arena);
      if (status == Status::kOk) {
        status = reader.open(file, used, {arena, Reader::required_bytes(reader.columns(), 1, used)});
      }
      const std::uint32_t first[] = {0};
      if (status == Status::kOk) status = reader.choose(first);
      Outcome outcome;
      outcome.status = status;
      if (status == Status::kOk) outcome = read(reader);
      check(outcome);
    }
  }
}

void expect_status(made::File& made, Status status, const ReaderOptions& options = {}) {
  read_all_ways(made, options, [&](const Outcome& outcome) { CHECK_EQ(outcome.status, status); });
}

void expect_rows(made::File& made, std::int32_t rows, std::int32_t nulls, const ReaderOptions& options = {}) {
  read_all_ways(made, options, [&](const Outcome& outcome) {
    CHECK_EQ(outcome.status, Status::kEnd);
    CHECK_EQ(outcome.rows, rows);
    CHECK_EQ(outcome.nulls, nulls);
    CHECK(outcome.right);
  });
}

// A file of one INT32 column with one page.
void make_one_page(made::File& made, Column column, Page page, const Bytes& body) {
  column.values = column.values != 0 ? column.values : page.values;
  made.begin_column(column);
  made.page(page, body.view());
  made.end_column(column);
  made.footer({&column, 1}, column.values);
}

Page page_of(std::int64_t values, std::int32_t type = made::kDataPage) {
  Page page;
  page.type = type;
  page.values = values;
  return page;
}

Column optional_column() {
  Column column;
  column.repetition = made::kOptional;
  return column;
}

// An optional column with levels `runs` for `rows` rows, and values for `values` of them.
void make_levels(made::File& made, std::int64_t rows, const Bytes& runs, const Bytes& values) {
  make_one_page(made, optional_column(), page_of(rows), levels_v1(runs).append(values));
}

}  // namespace

TEST("reader: one page of required values") {
  made::File made;
  make_one_page(made, {}, page_of(100), int32s(0, 100));
  expect_rows(made, 100, 0);
}

TEST("reader: pages of other kinds, empty pages and several pages in a chunk") {
  made::File made;
  Column column;
  column.values = 30;
  made.begin_column(column);
  made.page(page_of(3, made::kDictionaryPage), int32s(7, 3).view());
  made.page(page_of(0, made::kIndexPage), "index");
  made.page(page_of(10), int32s(0, 10).view());
  made.page(page_of(0), "");
  made.page(page_of(0, made::kDataPageV2), "");
  made.page(page_of(20, made::kDataPageV2), int32s(10, 20).view());
  made.end_column(column);
  column.dictionary = column.begin;
  made.footer({&column, 1}, 30);
  expect_rows(made, 30, 0);
}

TEST("reader: page headers with long varints and extensions") {
  made::File made;
  Page page = page_of(50);
  page.varint_bytes = 5;
  page.extension_bytes = 300;
  make_one_page(made, {}, page, int32s(0, 50));
  expect_rows(made, 50, 0);
}

TEST("reader: levels in runs of equal and of packed ones") {
  made::File made;
  Bytes runs;
  runs.varint(3 << 1).byte(1).varint(5 << 1).byte(0);    // 3 values, 5 nulls
  runs.varint(1 << 1 | 1).byte(0xFF).varint(0).byte(1);  // 8 values, an empty run
  runs.varint(2 << 1 | 1).byte(0).byte(0x01);            // 8 nulls, 1 value, padding
  Bytes values = int32s(0, 3);
  values.append(int32s(8, 8)).append(int32s(24, 1));
  make_levels(made, 25, runs, values);
  expect_rows(made, 25, 13);
}

TEST("reader: packed levels may continue after the page's rows, as long as they are there") {
  made::File padded;
  Bytes runs;
  runs.varint(32 << 1 | 1).byte(0xFF);
  for (int i = 1; i < 32; ++i) runs.byte(0);
  make_levels(padded, 5, runs, int32s(0, 5));
  expect_rows(padded, 5, 0);

  made::File cut;
  Bytes too_few;
  too_few.varint(32 << 1 | 1).byte(0xFF);
  make_levels(cut, 5, too_few, int32s(0, 5));
  expect_status(cut, Status::kCorrupt);
}

TEST("reader: the last run of equal levels may continue after the page's rows") {
  for (const std::uint64_t header : {11ULL << 1, 0xFFFFFFFEULL}) {
    made::File made;
    make_levels(made, 10, Bytes().varint(3 << 1).byte(0).varint(header).byte(1), int32s(3, 7));
    expect_rows(made, 10, 3);
  }
}

TEST("reader: levels that are too few, too large or no levels at all") {
  const auto corrupt = [](const Bytes& runs) {
    made::File made;
    make_levels(made, 10, runs, int32s(0, 10));
    expect_status(made, Status::kCorrupt);
  };
  corrupt(Bytes().varint(9 << 1).byte(1));
  corrupt(Bytes().varint(10 << 1).byte(2));
  corrupt(Bytes().varint(10 << 1));
  corrupt(Bytes().varint(1 << 1 | 1).byte(0xFF));
  corrupt(Bytes());
  corrupt(Bytes().byte(0xFF).byte(0xFF).byte(0xFF).byte(0xFF).byte(0xFF).byte(0x01).byte(1));
  corrupt(Bytes().varint(0xFFFFFFFF).byte(1));

  made::File longer_than_page;
  Bytes body;
  body.little(1000, 4).varint(10 << 1).byte(1).append(int32s(0, 10));
  make_one_page(longer_than_page, optional_column(), page_of(10), body);
  expect_status(longer_than_page, Status::kCorrupt);
}

TEST("reader: eight zeros may follow the values of a page, and nothing else") {
  // Each body is made in place: the smallest board's stack holds few.
  const auto expect = [](const Bytes& rest, Status status) {
    for (const bool is_optional : {false, true}) {
      Bytes body;
      if (is_optional) body.little(2, 4).varint(50 << 1).byte(1);  // levels: one run
      for (unsigned i = 0; i < 50; ++i) body.little(i, 4);
      made::File made;
      make_one_page(made, is_optional ? optional_column() : Column(), page_of(50), body.append(rest));
      if (status == Status::kEnd) {
        expect_rows(made, 50, 0);
      } else {
        expect_status(made, status);
      }
    }
  };
  Bytes rest;
  expect(rest.little(0, 8), Status::kEnd);
  rest.clear();
  expect(rest.little(0, 7).byte(1), Status::kCorrupt);
  rest.clear();
  expect(rest.byte(1).little(0, 7), Status::kCorrupt);
  for (const int zeros : {1, 4, 7, 9, 16}) {
    rest.clear();
    for (int i = 0; i < zeros; ++i) rest.byte(0);
    expect(rest, Status::kCorrupt);
  }
}

TEST("reader: a page of nulls only") {
  made::File made;
  make_levels(made, 1000, Bytes().varint(1000 << 1).byte(0), {});
  expect_rows(made, 1000, 1000);
}

TEST("reader: V2 levels have no length before them") {
  made::File made;
  Page page = page_of(10, made::kDataPageV2);
  Bytes body;
  body.varint(4 << 1).byte(1).varint(6 << 1).byte(0);
  page.definition_bytes = static_cast<std::int64_t>(body.size());
  make_one_page(made, optional_column(), page, body.append(int32s(0, 4)));
  expect_rows(made, 10, 6);

  made::File rows;
  page.repetition_bytes = 0;
  page.rows = 9;
  make_one_page(rows, optional_column(), page, body);
  expect_status(rows, Status::kCorrupt);
}

TEST("reader: repetition levels of a column without repetition are passed") {
  Bytes levels;
  levels.varint(4 << 1).byte(1).varint(6 << 1).byte(0);
  for (const std::int64_t bytes : {2, 16, 17}) {
    Page page = page_of(10, made::kDataPageV2);
    page.repetition_bytes = bytes;
    Bytes before;
    before.varint(10 << 1);
    while (before.size() < static_cast<std::size_t>(bytes)) before.byte(0);
    made::File required;
    make_one_page(required, {}, page, Bytes(before).append(int32s(0, 10)));
    bytes <= 16 ? expect_rows(required, 10, 0) : expect_status(required, Status::kCorrupt);
    page.definition_bytes = static_cast<std::int64_t>(levels.size());
    made::File optional;
    make_one_page(optional, optional_column(), page, Bytes(before).append(levels).append(int32s(0, 4)));
    bytes <= 16 ? expect_rows(optional, 10, 6) : expect_status(optional, Status::kCorrupt);
  }
  // More than the page has.
  Page page = page_of(10, made::kDataPageV2);
  page.repetition_bytes = 12;
  made::File made;
  make_one_page(made, {}, page, int32s(0, 2));
  expect_status(made, Status::kCorrupt);
}

TEST("reader: pages that are shorter or longer than their values") {
  for (const std::int32_t values : {99, 101}) {
    made::File made;
    make_one_page(made, {}, page_of(100), int32s(0, values));
    expect_status(made, Status::kCorrupt);
  }
  made::File half;
  make_one_page(half, {}, page_of(100), int32s(0, 100).byte(0));
  expect_status(half, Status::kCorrupt);
  for (const std::int32_t values : {9, 11}) {
    made::File optional;
    make_levels(optional, 10, Bytes().varint(10 << 1).byte(1), int32s(0, values));
    expect_status(optional, Status::kCorrupt);
  }
}

namespace {

// A chunk of 10 rows by the footer, in a page that says `rows` and has `values`.
void expect_corrupt_chunk(std::int32_t rows, std::int32_t values) {
  made::File made;
  Column column;
  column.values = 10;
  make_one_page(made, column, page_of(rows), int32s(0, values));
  expect_status(made, Status::kCorrupt);
}

}  // namespace

TEST("reader: fewer rows in the pages than the chunk has") { expect_corrupt_chunk(9, 9); }

namespace {

// A chunk of 20 rows in a page of 8, one of 13 or more, and `behind`, each with `body` of its first row and rows.
template <typename Body>
void make_cut(made::File& made, Column column, std::int32_t type, std::int32_t rows, std::int32_t behind,
              Body body) {
  column.values = 20;
  made.begin_column(column);
  std::int32_t first = 0;
  for (const std::int32_t count : {std::int32_t{8}, rows, behind}) {
    if (count == 0) continue;
    Page page = page_of(count, type);
    const Bytes bytes = body(first, count, page);
    made.page(page, bytes.view());
    first += count;
  }
  made.end_column(column);
  made.footer({&column, 1}, 20);
}

// Every third row is null.
Bytes thirds(std::int32_t first, std::int32_t count, bool packed) {
  Bytes runs;
  Bytes values;
  if (packed) runs.varint((static_cast<std::uint64_t>(count) + 7) / 8 << 1 | 1);
  unsigned bits = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    const bool value = (first + i) % 3 != 2;
    if (value) values.append(int32s(first + i, 1));
    bits |= (value ? 1U : 0U) << (i % 8);
    if (!packed) {
      runs.varint(1 << 1).byte(value ? 1 : 0);
    } else if (i % 8 == 7 || i + 1 == count) {
      runs.byte(bits);
      bits = 0;
    }
  }
  return levels_v1(runs).append(values);
}

}  // namespace

TEST("reader: the last page may have more rows than are left in its chunk") {
  for (const std::int32_t type : {made::kDataPage, made::kDataPageV2}) {
    for (const std::int32_t rows : {13, 300}) {
      for (const std::int32_t behind : {0, 5}) {
        made::File made;
        make_cut(made, {}, type, rows, behind,
                 [](std::int32_t first, std::int32_t count, Page&) { return int32s(first, count); });
        expect_rows(made, 20, 0);
      }
    }
  }
  for (const bool packed : {false, true}) {
    for (const std::int32_t rows : {13, 100}) {
      made::File made;
      make_cut(made, optional_column(), made::kDataPage, rows, 0,
               [&](std::int32_t first, std::int32_t count, Page&) { return thirds(first, count, packed); });
      expect_rows(made, 20, 6);
    }
  }
}

TEST("reader: optional columns have no such page before others: wrong numbers are not told from padding") {
  made::File made;
  make_cut(made, optional_column(), made::kDataPage, 13, 5,
           [](std::int32_t first, std::int32_t count, Page&) { return thirds(first, count, true); });
  expect_status(made, Status::kCorrupt);
}

TEST("reader: a page that has more rows than its chunk has the bytes of all of them") {
  expect_corrupt_chunk(11, 10);
}

TEST(
    "reader: a chunk that ends within a page is followed by the next row group, and rows of both are found") {
  made::File made;
  Column column;
  column.values = 20;
  made.begin_column(column);
  made.page(page_of(25), int32s(0, 25).view());
  made.end_column(column);
  // The same chunk in two row groups.
  Bytes footer;
  footer.i32(1, 1).list(2, 12, 2);
  made::root(footer, 1);
  made::leaf(footer, column);
  footer.i64(3, 40).list(4, 12, 2);
  for (int i = 0; i < 2; ++i) made::row_group(footer, {&column, 1}, 20);
  made.end_with(footer.end());
  MemoryFile file = made.open();
  const ReaderOptions options = buffer_of(64);
  Reader reader;
  REQUIRE_EQ(reader.open(file, options, arena_for(options)), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  for (const std::int32_t first : {0, 19, 20, 39}) {
    REQUIRE_EQ(reader.seek_row(static_cast<std::uint64_t>(first)), Status::kOk);
    for (std::int32_t row = first; row < 40; ++row) {
      REQUIRE_EQ(row % 2 != 0 ? reader.skip_row() : reader.next_row(), Status::kOk);
      if (row % 2 == 0) CHECK_EQ(reader.cell(0).as<std::int32_t>(), row % 20);
    }
    CHECK_EQ(reader.next_row(), Status::kEnd);
  }
}

TEST("reader: wrong numbers in page headers") {
  const auto corrupt = [](Page page) {
    made::File made;
    make_one_page(made, {}, page, int32s(0, 10));
    expect_status(made, Status::kCorrupt);
  };
  Page page = page_of(10);
  page.compressed = -1;
  corrupt(page);
  page = page_of(10);
  page.uncompressed = -1;
  corrupt(page);
  page = page_of(10);
  page.uncompressed = 41;
  corrupt(page);
  page = page_of(10);
  page.compressed = page.uncompressed = 0x7FFFFFFF;
  corrupt(page);

  for (const std::int32_t type : {made::kDataPage, made::kDataPageV2}) {
    made::File negative;
    Column column;
    column.values = 10;
    make_one_page(negative, column, page_of(-1, type), int32s(0, 10));
    expect_status(negative, Status::kCorrupt);
  }
  made::File dictionary;
  Column column;
  column.values = 10;
  dictionary.begin_column(column);
  dictionary.page(page_of(-3, made::kDictionaryPage), "");
  dictionary.page(page_of(10), int32s(0, 10).view());
  dictionary.end_column(column);
  dictionary.footer({&column, 1}, 10);
  expect_status(dictionary, Status::kCorrupt);
}

TEST("reader: encodings and codecs that nobody named are unsupported") {
  made::File dictionary;
  Page page = page_of(10);
  page.encoding = made::kPlainDictionary;
  make_one_page(dictionary, {}, page, int32s(0, 10));
  expect_status(dictionary, Status::kUnsupported);

  made::File bit_packed;
  page = page_of(10);
  page.level_encoding = made::kBitPacked;
  make_one_page(bit_packed, optional_column(), page, int32s(0, 10));
  expect_status(bit_packed, Status::kUnsupported);

  made::File of_required;
  make_one_page(of_required, {}, page, int32s(0, 10));
  expect_rows(of_required, 10, 0);

  made::File snappy;
  Column column;
  column.codec = 1;
  make_one_page(snappy, column, page_of(10), int32s(0, 10));
  expect_status(snappy, Status::kUnsupported);

  made::File negative_first;  // what cannot be read is not looked at
  column.values = 10;
  make_one_page(negative_first, column, page_of(-10), int32s(0, 10));
  expect_status(negative_first, Status::kUnsupported);

  made::File repeated;
  column = {};
  column.repetition = made::kRepeated;
  make_one_page(repeated, column, page_of(10), int32s(0, 10));
  expect_status(repeated, Status::kUnsupported);
}

namespace {

// "Compressed" by turning over every bit, with one byte 0x5A before.
class Complement final : public Decompressor {
 public:
  constexpr Complement() : Decompressor(CodecId::kSnappy) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const override {
    if (in.size() != out.size() + 1 || in[0] != std::byte{0x5A}) return Status::kCorrupt;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = ~in[i + 1];
    return Status::kOk;
  }
};
constexpr Complement kComplement;
constexpr const Decompressor* kDecompressors[] = {&kComplement};

Bytes complement(std::string_view raw) {
  Bytes bytes;
  bytes.byte(0x5A);
  for (const char c : raw) bytes.byte(~static_cast<unsigned char>(c) & 0xFFU);
  return bytes;
}

}  // namespace

TEST("reader: a codec that is named decompresses pages of both versions") {
  Bytes runs;
  runs.varint(4 << 1).byte(1).varint(6 << 1).byte(0);
  const Bytes values = int32s(0, 4);
  made::File made;
  Column column = optional_column();
  column.codec = 1;
  column.values = 20;
  made.begin_column(column);
  Bytes v1 = levels_v1(runs);
  v1.append(values);
  Page page = page_of(10);
  page.uncompressed = static_cast<std::int64_t>(v1.size());
  made.page(page, complement(v1.view()).view());
  Bytes second = int32s(10, 4);
  Bytes v2 = runs;
  v2.append(complement(second.view()));
  page = page_of(10, made::kDataPageV2);
  page.definition_bytes = static_cast<std::int64_t>(runs.size());
  page.uncompressed = static_cast<std::int64_t>(runs.size() + second.size());
  made.page(page, v2.view());
  made.end_column(column);
  made.footer({&column, 1}, 20);
  ReaderOptions options;
  options.decompressors = kDecompressors;
  for (const std::uint32_t buffer_bytes : {128U, 2048U}) {
    options.buffer_bytes = buffer_bytes;
    for (auto* read : {&read_rows, &read_batches, &read_runs}) {
      MemoryFile file = made.open();
      Reader reader;
      REQUIRE_EQ(reader.open(file, options, arena_for(options)), Status::kOk);
      REQUIRE_EQ(reader.choose_all(), Status::kOk);
      const Outcome outcome = read(reader);
      CHECK_EQ(outcome.status, Status::kEnd);
      CHECK_EQ(outcome.rows, 20);
      CHECK_EQ(outcome.nulls, 12);
      CHECK(outcome.right);
      CHECK_EQ(reader.pages_checked(), 2U);
    }
  }
}

TEST("reader: a compressed page that does not fit says how large a buffer would do") {
  made::File made;
  Column column;
  column.codec = 1;
  const Bytes raw = int32s(0, 100);
  Page page = page_of(100);
  page.uncompressed = static_cast<std::int64_t>(raw.size());
  make_one_page(made, column, page, complement(raw.view()));
  ReaderOptions options = buffer_of(600);
  options.decompressors = kDecompressors;
  MemoryFile file = made.open();
  Reader reader;
  REQUIRE_EQ(reader.open(file, options, arena_for(options)), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  CHECK_EQ(reader.next_row(), Status::kOutOfMemory);
  options.buffer_bytes = static_cast<std::uint32_t>(reader.needed_bytes());
  CHECK_EQ(options.buffer_bytes, 801U);
  REQUIRE_EQ(reader.open(file, options, arena_for(options)), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  CHECK_EQ(read_rows(reader).rows, 100);
}

TEST("reader: a wrong checksum is corrupt, unless checksums are off") {
  Page page = page_of(100);
  page.crc_error = 1;
  made::File made;
  make_one_page(made, {}, page, int32s(0, 100));
  expect_status(made, Status::kCorrupt);
  // In a page that fits, no row is given out before.
  const ReaderOptions options = buffer_of(2048);
  MemoryFile file = made.open();
  Reader reader;
  REQUIRE_EQ(reader.open(file, options, arena_for(options)), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  CHECK_EQ(read_rows(reader).rows, 0);
  CHECK_EQ(reader.next_row(), Status::kCorrupt);

  ReaderOptions off;
  off.checksum = nullptr;
  expect_rows(made, 100, 0, off);

  made::File without;
  page.crc = false;
  make_one_page(without, {}, page, int32s(0, 100));
  expect_rows(without, 100, 0);
}

TEST("reader: checksums of pages that pass through the buffer in pieces, with levels and without") {
  for (const bool optional : {false, true}) {
    for (const std::uint32_t error : {0U, 0x80000000U}) {
      made::File made;
      Page page = page_of(300);
      page.crc_error = error;
      Bytes body = optional ? levels_v1(Bytes().varint(300 << 1).byte(1)) : Bytes();
      make_one_page(made, optional ? optional_column() : Column(), page, body.append(int32s(0, 300)));
      const ReaderOptions options = buffer_of(64);
      MemoryFile file = made.open();
      Reader reader;
      REQUIRE_EQ(reader.open(file, options, arena_for(options)), Status::kOk);
      REQUIRE_EQ(reader.choose_all(), Status::kOk);
      const Outcome outcome = read_rows(reader);
      CHECK_EQ(outcome.status, error == 0 ? Status::kEnd : Status::kCorrupt);
      CHECK(outcome.right);
      CHECK_EQ(outcome.rows == 300, error == 0);
      CHECK_EQ(reader.pages_checked(), error == 0 ? 1U : 0U);
      CHECK_EQ(reader.next_row(), outcome.status);
    }
  }
}

TEST("reader: what is no Parquet file, or encrypted") {
  const auto status_of = [](MemoryFile file) {
    Reader reader;
    const ReaderOptions options;
    return reader.open(file, options, arena);
  };
  made::File made;
  made.bytes().clear();
  CHECK_EQ(status_of(made.open()), Status::kNotParquet);
  made.bytes().text("PAR1PAR1");
  CHECK_EQ(status_of(made.open()), Status::kNotParquet);
  made.bytes().clear();
  made.bytes().text("just some text, longer than that");
  CHECK_EQ(status_of(made.open()), Status::kNotParquet);
  made.bytes().clear();
  made.bytes().text("PARE....").little(0, 4).text("PARE");
  CHECK_EQ(status_of(made.open()), Status::kEncrypted);
  made.bytes().clear();
  made.bytes().text("PAR1....").little(0, 4).text("PARE");
  CHECK_EQ(status_of(made.open()), Status::kEncrypted);
  made.bytes().clear();
  made.bytes().text("PAR1").little(0, 4).text("PAR1");
  CHECK_EQ(status_of(made.open()), Status::kCorrupt);
  made.bytes().clear();
  made.bytes().text("PAR1").little(1, 4).text("PAR1");
  CHECK_EQ(status_of(made.open()), Status::kCorrupt);

  for (const bool whole_column : {false, true}) {
    made::File encrypted;
    Column column;
    column.values = 10;
    column.encrypted = true;
    column.without_meta_data = whole_column;
    make_one_page(encrypted, column, page_of(10), int32s(0, 10));
    CHECK_EQ(status_of(encrypted.open()), Status::kEncrypted);
  }
  made::File footer;
  const Column column;
  footer.footer({&column, 1}, 0, true);
  CHECK_EQ(status_of(footer.open()), Status::kEncrypted);
}

TEST("reader: columns of different lengths are corrupt") {
  made::File made;
  Column columns[2];
  columns[0].values = columns[1].values = 10;
  columns[1].name = "d";
  for (Column& column : columns) {
    made.begin_column(column);
    made.page(page_of(10), int32s(0, 10).view());
    made.end_column(column);
  }
  columns[1].values = 9;
  made.footer(columns, 10);
  MemoryFile file = made.open();
  Reader reader;
  const ReaderOptions options;
  CHECK_EQ(reader.open(file, options, arena), Status::kCorrupt);
}

TEST("reader: chunks that lie elsewhere than in the data") {
  const auto corrupt = [](std::int64_t begin, std::int64_t bytes) {
    made::File made;
    Column column;
    column.values = 10;
    made.begin_column(column);
    made.page(page_of(10), int32s(0, 10).view());
    made.end_column(column);
    if (begin != 0) column.begin = begin;
    if (bytes != 0) column.bytes = bytes;
    made.footer({&column, 1}, 10);
    expect_status(made, Status::kCorrupt);
  };
  corrupt(1, 0);
  corrupt(1000000, 0);
  corrupt(INT64_MAX, 0);
  corrupt(-5, 0);
  corrupt(0, -1);
  corrupt(0, 40);
}

TEST(
    "reader: a chunk ends with its rows, also when its size reaches into the next chunk or past the footer") {
  for (const std::int64_t more : {std::int64_t{30}, std::int64_t{100000}, INT64_MAX}) {
    made::File made;
    Column columns[2];
    columns[1].name = "d";
    for (Column& column : columns) {
      column.values = 10;
      made.begin_column(column);
      made.page(page_of(10), int32s(0, 10).view());
      made.end_column(column);
    }
    columns[0].bytes = more == INT64_MAX ? more : columns[0].bytes + more;
    made.footer(columns, 10);
    expect_rows(made, 10, 0);
  }
}

namespace {

// A schema of the given elements, no rows; returns the result of opening.
Status open_schema(const Bytes& elements, std::uint32_t count) {
  Bytes footer;
  footer.i32(1, 1).list(2, 12, count).append(elements).i64(3, 0).list(4, 12, 0).end();
  made::File made;
  made.end_with(footer);
  MemoryFile file = made.open();
  Reader reader;
  const ReaderOptions options;
  return reader.open(file, options, arena);
}

Bytes leaf_of(const Column& column) {
  Bytes bytes;
  made::leaf(bytes, column);
  return bytes;
}

Bytes group_of(std::int32_t children, std::int32_t repetition = made::kRequired) {
  Bytes bytes;
  return bytes.i32(3, repetition).binary(4, "g").i32(5, children).end();
}

Bytes root_of(std::int32_t children) {
  Bytes bytes;
  made::root(bytes, children);
  return bytes;
}

}  // namespace

TEST("reader: schemas that are no trees") {
  CHECK_EQ(open_schema(root_of(0), 1), Status::kOk);
  CHECK_EQ(open_schema(root_of(1).append(leaf_of({})), 2), Status::kOk);
  CHECK_EQ(open_schema({}, 0), Status::kCorrupt);
  CHECK_EQ(open_schema(leaf_of({}), 1), Status::kCorrupt);
  CHECK_EQ(open_schema(root_of(2).append(leaf_of({})), 2), Status::kCorrupt);
  CHECK_EQ(open_schema(root_of(1).append(leaf_of({})).append(leaf_of({})), 3), Status::kCorrupt);
  CHECK_EQ(open_schema(root_of(-1), 1), Status::kCorrupt);
  Column column;
  column.type = 8;
  CHECK_EQ(open_schema(root_of(1).append(leaf_of(column)), 2), Status::kCorrupt);
  column.type = -7;
  CHECK_EQ(open_schema(root_of(1).append(leaf_of(column)), 2), Status::kCorrupt);
  column = {};
  column.repetition = 3;
  CHECK_EQ(open_schema(root_of(1).append(leaf_of(column)), 2), Status::kCorrupt);
  column = {};
  column.type = made::kFixed;
  CHECK_EQ(open_schema(root_of(1).append(leaf_of(column)), 2), Status::kCorrupt);
  Bytes unnamed;
  unnamed.i32(1, made::kInt32).i32(3, made::kRequired).end();
  CHECK_EQ(open_schema(root_of(1).append(unnamed), 2), Status::kCorrupt);
  Bytes wide;
  made::root(wide, 2000000000);
  CHECK_EQ(open_schema(wide, 1), Status::kUnsupported);
}

TEST("reader: nested schemas are shown, and too deep ones refused") {
  Bytes deep = root_of(1);
  for (int i = 0; i < 14; ++i) deep.append(group_of(1, made::kRepeated));
  Bytes deeper = deep;
  deep.append(leaf_of({}));
  CHECK_EQ(open_schema(deep, 16), Status::kOk);
  deeper.append(group_of(1)).append(leaf_of({}));
  CHECK_EQ(open_schema(deeper, 17), Status::kUnsupported);

  Bytes elements = root_of(2);
  elements.append(group_of(2, made::kOptional));
  Column column = optional_column();
  column.name = "x";
  elements.append(leaf_of(column)).append(group_of(1, made::kRepeated));
  column.name = "y";
  column.repetition = made::kRequired;
  elements.append(leaf_of(column));
  column.name = "g.x";
  elements.append(leaf_of(column));
  Bytes footer;
  footer.i32(1, 1).list(2, 12, 6).append(elements).i64(3, 0).list(4, 12, 0).end();
  made::File made;
  made.end_with(footer);
  MemoryFile file = made.open();
  Reader reader;
  const ReaderOptions options;
  REQUIRE_EQ(reader.open(file, options, arena), Status::kOk);
  CHECK_EQ(reader.columns(), 3U);
  CHECK_EQ(int{reader.max_definition_level(0)}, 2);
  CHECK_EQ(int{reader.max_definition_level(1)}, 2);
  CHECK_EQ(int{reader.max_repetition_level(1)}, 1);
  CHECK_EQ(int{reader.max_definition_level(2)}, 0);
  std::uint32_t found = 9;
  CHECK_EQ(reader.find_column("g.g.y", found), Status::kOk);
  CHECK_EQ(found, 1U);
  CHECK_EQ(reader.find_column("g.x", found), Status::kOk);
  CHECK_EQ(found, 0U);
  CHECK_EQ(reader.find_column("g", found), Status::kInvalidArgument);
  CHECK_EQ(reader.find_column("", found), Status::kInvalidArgument);
  CHECK_EQ(reader.find_column("g.g.y.", found), Status::kInvalidArgument);
  CHECK_EQ(reader.find_column("x", found), Status::kInvalidArgument);
  char name[8];
  microparquet::SchemaElement element;
  REQUIRE_EQ(reader.schema_element(4, name, element), Status::kOk);
  CHECK_EQ(element.name, "y");
  CHECK_EQ(element.depth, 3U);
  CHECK_EQ(element.column, 1U);
  const std::uint32_t repeated[] = {1};
  CHECK_EQ(reader.choose(repeated), Status::kUnsupported);
  const std::uint32_t others[] = {2, 0};
  CHECK_EQ(reader.choose(others), Status::kOk);
  CHECK_EQ(reader.next_row(), Status::kEnd);
}

TEST("reader: footers that lack what they must have, or have it twice") {
  const auto status_of = [](const Bytes& footer) {
    made::File made;
    made.end_with(footer);
    MemoryFile file = made.open();
    Reader reader;
    const ReaderOptions options;
    return reader.open(file, options, arena);
  };
  const auto footer = [](unsigned without, unsigned twice, std::int64_t rows) {
    Bytes bytes;
    const auto times = [&](unsigned field) { return field == without ? 0 : field == twice ? 2 : 1; };
    for (int i = 0; i < times(1); ++i) bytes.i32(1, 1);
    for (int i = 0; i < times(2); ++i) bytes.list(2, 12, 2).append(root_of(1)).append(leaf_of({}));
    for (int i = 0; i < times(3); ++i) bytes.i64(3, rows);
    for (int i = 0; i < times(4); ++i) bytes.list(4, 12, 0);
    return bytes.end();
  };
  CHECK_EQ(status_of(footer(0, 0, 0)), Status::kOk);
  for (unsigned field = 1; field <= 4; ++field) {
    CHECK_EQ(status_of(footer(field, 0, 0)), Status::kCorrupt);
    CHECK_EQ(status_of(footer(0, field, 0)), Status::kCorrupt);
  }
  CHECK_EQ(status_of(footer(0, 0, -1)), Status::kCorrupt);
}

TEST("reader: the rows of a file are those of its row groups, whatever the footer says") {
  for (const std::int64_t stated : {0, 10, 12}) {
    made::File made;
    Column column;
    column.values = 10;
    made.begin_column(column);
    made.page(page_of(10), int32s(0, 10).view());
    made.end_column(column);
    made.footer({&column, 1}, 10, false, stated);
    expect_rows(made, 10, 0);
    MemoryFile file = made.open();
    Reader reader;
    const ReaderOptions options;
    REQUIRE_EQ(reader.open(file, options, arena), Status::kOk);
    CHECK_EQ(reader.rows(), 10U);
    CHECK_EQ(reader.stated_rows(), static_cast<std::uint64_t>(stated));
  }
}

TEST("reader: numbers of codecs, types and encodings are not cut to a byte") {
  for (const std::int32_t codec : {256, 0x10000, 0x7FFFFFFF}) {
    made::File made;
    Column column;
    column.codec = codec;
    make_one_page(made, column, page_of(10), int32s(0, 10));
    expect_status(made, Status::kUnsupported);
    MemoryFile file = made.open();
    Reader reader;
    const ReaderOptions options;
    REQUIRE_EQ(reader.open(file, options, arena), Status::kOk);
    REQUIRE_EQ(reader.next_row_group(), Status::kOk);
    microparquet::ColumnChunkInfo info;
    REQUIRE_EQ(reader.column_chunk(0, info), Status::kOk);
    CHECK_EQ(static_cast<int>(info.codec), 255);
  }
  made::File encoded;
  Page page = page_of(10);
  page.encoding = 256;
  make_one_page(encoded, {}, page, int32s(0, 10));
  expect_status(encoded, Status::kUnsupported);
  made::File typed;
  Column column;
  column.chunk_type = 256 + made::kInt32;
  make_one_page(typed, column, page_of(10), int32s(0, 10));
  expect_status(typed, Status::kCorrupt);
}

TEST("reader: pages of types that are not known are passed over, but not a page of values of a wrong type") {
  made::File made;
  Column column;
  column.values = 10;
  made.begin_column(column);
  made.page(page_of(5, 9), "what it holds");
  made.page(page_of(10), int32s(0, 10).view());
  made.page(page_of(3, 77), "behind the rows");
  made.end_column(column);
  made.footer({&column, 1}, 10);
  expect_rows(made, 10, 0);

  made::File wrong;
  Page page = page_of(10);
  page.stated_type = 9;
  make_one_page(wrong, {}, page, int32s(0, 10));
  expect_status(wrong, Status::kCorrupt);
}

TEST("reader: values that are longer than the file need no memory") {
  made::File made;
  Column column;
  column.type = made::kFixed;
  column.type_length = 0x7FFFFFFF;
  column.repetition = made::kOptional;
  make_one_page(made, column, page_of(10), levels_v1(Bytes().varint(10 << 1).byte(0)));
  MemoryFile file = made.open();
  Reader reader;
  const ReaderOptions options;
  REQUIRE_EQ(reader.open(file, options, arena_for(options)), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  CHECK(reader.needed_bytes() <= Reader::required_bytes(1, 1, options) + 8);
  int rows = 0;
  for (; reader.next_row() == Status::kOk; ++rows) CHECK(reader.cell(0).null());
  CHECK_EQ(rows, 10);
}

TEST("reader: columns that found no memory are not chosen") {
  made::File made;
  make_one_page(made, {}, page_of(10), int32s(0, 10));
  MemoryFile file = made.open();
  Reader reader;
  const ReaderOptions options;
  REQUIRE_EQ(reader.open(file, options, {arena, 512}), Status::kOk);
  CHECK_EQ(reader.choose_all(), Status::kOutOfMemory);
  CHECK_EQ(reader.next_row_group(), Status::kOk);
  CHECK_EQ(reader.next_row(), Status::kWrongState);
}

namespace {

// Counts what is read.
class CountingFile final : public support::OwningFile<MemoryFile> {
 public:
  explicit CountingFile(made::File& made) : OwningFile(made.open()) {}
  std::size_t bytes() const { return bytes_; }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    bytes_ += out.size();
    return ForwardingFile::read_at(offset, out);
  }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace

TEST("reader: compressed pages that fit are read once, whatever was read ahead") {
  made::File made;
  Column column;
  column.codec = 1;
  column.values = 400;
  made.begin_column(column);
  for (std::int32_t first = 0; first < 400; first += 10) {
    const Bytes raw = int32s(first, 10);
    Page page = page_of(10);
    page.uncompressed = static_cast<std::int64_t>(raw.size());
    made.page(page, complement(raw.view()).view());
  }
  made.end_column(column);
  made.footer({&column, 1}, 400);
  ReaderOptions options;
  options.decompressors = kDecompressors;
  for (const std::uint32_t buffer_bytes : {200U, 512U, 1000U, 2048U, 6000U}) {
    options.buffer_bytes = buffer_bytes;
    for (auto* read : {&read_rows, &read_batches, &read_runs}) {
      CountingFile file(made);
      Reader reader;
      REQUIRE_EQ(reader.open(file, options, arena_for(options)), Status::kOk);
      REQUIRE_EQ(reader.choose_all(), Status::kOk);
      const std::size_t before = file.bytes();
      const Outcome outcome = read(reader);
      CHECK_EQ(outcome.status, Status::kEnd);
      CHECK_EQ(outcome.rows, 400);
      CHECK(outcome.right);
      // The row group's entry is read with it.
      CHECK(file.bytes() - before <= static_cast<std::size_t>(column.bytes) * 11 / 10 + 256);
    }
  }
}

TEST("reader: what open() takes is found again, however deep what nobody knows lies in the footer") {
  for (int depth = 0; depth < 12; ++depth) {
    static Bytes nested;
    nested.clear();
    for (int i = 0; i < depth; ++i) nested.begin(90);
    for (int i = 0; i < depth; ++i) nested.end();
    nested.end();
    made::File made;
    Column columns[2];
    columns[1].name = "d";
    for (Column& column : columns) {
      column.values = 3;
      column.sizes = &nested;
      made.begin_column(column);
      made.page({made::kDataPage, -1, 3}, int32s(0, 3).view());
      made.end_column(column);
    }
    Bytes footer;
    footer.i32(1, 1).list(2, 12, 3);
    made::root(footer, 2);
    for (const Column& column : columns) made::leaf(footer, column);
    footer.i64(3, 9).list(4, 12, 3);
    for (int i = 0; i < 3; ++i) made::row_group(footer, columns, 3);
    made.end_with(footer.end());
    MemoryFile file = made.open();
    Reader reader;
    const ReaderOptions options = buffer_of(128);
    const Status status = reader.open(file, options, arena);
    CHECK_EQ(status, depth < 5 ? Status::kOk : Status::kUnsupported);
    if (status != Status::kOk) continue;
    REQUIRE_EQ(reader.choose_all(), Status::kOk);
    for (const std::uint32_t row_group : {2U, 0U, 1U}) {
      REQUIRE_EQ(reader.seek_row_group(row_group), Status::kOk);
      microparquet::ColumnChunkInfo info;
      CHECK_EQ(reader.column_chunk(1, info), Status::kOk);
    }
    REQUIRE_EQ(reader.seek_row(8), Status::kOk);
    REQUIRE_EQ(reader.next_row(), Status::kOk);
    CHECK_EQ(reader.cell(1).as<std::int32_t>(), 2);
  }
}
