// Levels in the deprecated BIT_PACKED encoding, on files made by hand.
#include "microparquet/decoders.h"

#include <cstring>
#include <string_view>

#include "made_items.h"
#include "microparquet/failure.h"
#include "microparquet/port/memory_image.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"
#include "support/check.h"
#include "support/names.h"

using made::Bytes;
using made::Column;
using made::Expected;
using made::kNone;
using made::Page;
using microparquet::ColumnChoice;
using microparquet::FailureReason;
using microparquet::Item;
using microparquet::MemoryFile;
using microparquet::Reader;
using microparquet::ReaderOptions;
using microparquet::Span;
using microparquet::Status;

namespace {

constexpr std::int32_t kDeltaByteArray = 7;
constexpr std::int32_t kUncompressed = 0;
constexpr std::int32_t kLz4Raw = 7;
constexpr std::uint32_t kBuffer = 512;

alignas(8) std::byte bit_packed_arena[8192];

// Copies the page's bytes as they are.
class AsStored final : public microparquet::Decompressor {
 public:
  constexpr AsStored() : Decompressor(microparquet::CodecId::kLz4Raw) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte>) const override {
    if (in.size() != out.size()) return Status::kCorrupt;
    std::memcpy(out.data(), in.data(), in.size());
    return Status::kOk;
  }
};
constexpr AsStored kAsStored;
constexpr const microparquet::Decompressor* kDecompressors[] = {&kAsStored};

ReaderOptions reading(std::uint32_t buffer_bytes = kBuffer) {
  ReaderOptions options;
  options.buffer_bytes = buffer_bytes;
  options.decoders = microparquet::kAllDecoders;
  options.decompressors = kDecompressors;
  options.bit_packed_levels = &microparquet::read_bit_packed_levels;
  return options;
}

// Packs levels as the format's description has them: back to back, each from its most significant bit on.
Bytes packed(Span<const Expected> items, std::uint8_t Expected::* level, unsigned width) {
  Bytes bytes;
  unsigned byte = 0;
  unsigned bits = 0;
  for (const Expected& item : items) {
    for (unsigned bit = width; bit-- != 0;) {
      byte = byte << 1 | (item.*level >> bit & 1U);
      if (++bits % 8 == 0) bytes.byte(byte & 0xFF);
    }
  }
  return bits % 8 == 0 ? bytes : bytes.byte(byte << (8 - bits % 8) & 0xFF);
}

Bytes& add_values(Bytes& body, Span<const Expected> items) {
  for (const Expected& item : items)
    if (item.value != kNone) body.little(static_cast<std::uint32_t>(item.value), 4);
  return body;
}

// Ten rows of an optional column, the last group of levels not a whole one.
constexpr Expected kTenRows[] = {{0, 1, 5}, {0, 0, kNone}, {0, 1, 6}, {0, 1, 7},     {0, 0, kNone},
                                 {0, 1, 8}, {0, 1, 9},     {0, 1, 1}, {0, 0, kNone}, {0, 1, 2}};

void make_file(made::File& made, Column& column, const Page& page, const Bytes& body, std::int64_t rows,
               int pages = 1) {
  column.values = page.values * pages;
  made.begin_column(column);
  for (int i = 0; i < pages; ++i) made.page(page, body.view());
  made.end_column(column);
  made.footer({&column, 1}, rows * pages);
}

Page page_of(Span<const Expected> items) {
  Page page;
  page.values = static_cast<std::int64_t>(items.size());
  page.level_encoding = made::kBitPacked;
  return page;
}

void make_ten_rows(made::File& made, int pages = 1, std::int32_t codec = 0) {
  Column column;
  column.repetition = made::kOptional;
  column.codec = codec;
  Bytes body = packed(kTenRows, &Expected::definition, 1);
  make_file(made, column, page_of(kTenRows), add_values(body, kTenRows), 10, pages);
}

void expect_item(const Item& item, const Expected& expected) {
  CHECK_EQ(item.repetition, expected.repetition);
  CHECK_EQ(item.definition, expected.definition);
  CHECK_EQ(item.cell.null() ? kNone : item.cell.as<std::int32_t>(), expected.value);
}

constexpr ColumnChoice kChoice[] = {{0, 0}};

template <typename File>
Status open_items(Reader& reader, File& file, const ReaderOptions& options) {
  Status status = reader.open(file, options, bit_packed_arena);
  if (status == Status::kOk) status = reader.choose_items(kChoice);
  return status == Status::kOk ? reader.next_row_group() : status;
}

// Reads the items of the file, as many times as there are pages.
template <typename File>
void expect_items(File& file, const ReaderOptions& options, Span<const Expected> items, int pages = 1) {
  Reader reader;
  REQUIRE(open_items(reader, file, options) == Status::kOk);
  Item item;
  for (int page = 0; page < pages; ++page) {
    for (const Expected& expected : items) {
      REQUIRE(reader.next_item(0, item) == Status::kOk);
      expect_item(item, expected);
    }
  }
  CHECK_EQ(reader.next_item(0, item), Status::kEnd);
}

Status first_item(made::File& made, const ReaderOptions& options) {
  MemoryFile file = made.open();
  Reader reader;
  Status status = open_items(reader, file, options);
  if (status != Status::kOk) return status;
  Item item;
  status = reader.next_item(0, item);
  CHECK_EQ(reader.next_item(0, item), status);
  return status;
}

}  // namespace

TEST("BIT_PACKED levels: bits as the format's description shows them") {
  // The numbers 0 to 7 are the levels of a leaf below six groups that may be absent.
  constexpr unsigned kNodes = 7;
  Bytes schema;
  for (unsigned i = 1; i < kNodes; ++i) schema.i32(3, made::kOptional).binary(4, "g").i32(5, 1).end();
  Column column;
  column.repetition = made::kOptional;
  column.values = 8;
  made::leaf(schema, column);
  made::File made;
  made.begin_column(column);
  Page page;
  page.values = 8;
  page.level_encoding = made::kBitPacked;
  Bytes body;
  made.page(page, body.byte(0b00000101).byte(0b00111001).byte(0b01110111).little(42, 4).view());
  made.end_column(column);
  Bytes footer;
  footer.i32(1, 1).list(2, 12, kNodes + 1);
  made::root(footer, 1);
  footer.append(schema).i64(3, 8).list(4, 12, 1);
  made::row_group(footer, {&column, 1}, 8);
  footer.end();
  made.end_with(footer);
  MemoryFile file = made.open();
  Expected expected[8];
  for (std::uint8_t i = 0; i < 8; ++i) expected[i] = {0, i, i == 7 ? 42 : kNone};
  expect_items(file, reading(), expected);
}

TEST("BIT_PACKED levels: pages in a buffer, compressed, and in memory") {
  constexpr int kPages = 3;
  for (const std::int32_t codec : {kUncompressed, kLz4Raw}) {
    made::File made;
    make_ten_rows(made, kPages, codec);
    for (const std::uint32_t buffer_bytes : {128U, 512U, 4096U}) {
      MemoryFile file = made.open();
      expect_items(file, reading(buffer_bytes), kTenRows, kPages);
      microparquet::MemoryImage image({made.bytes().data(), made.bytes().size()});
      expect_items(image, reading(buffer_bytes), kTenRows, kPages);
    }
  }
}

TEST("BIT_PACKED levels: rows, batches, and rows gone to") {
  made::File made;
  make_ten_rows(made, 2);
  MemoryFile file = made.open();
  const ReaderOptions options = reading();
  Reader reader;
  REQUIRE(reader.open(file, options, bit_packed_arena) == Status::kOk);
  REQUIRE(reader.choose_all() == Status::kOk);
  for (const std::uint64_t row : {0U, 7U, 13U, 19U}) {
    REQUIRE(reader.seek_row(row) == Status::kOk);
    REQUIRE(reader.next_row() == Status::kOk);
    CHECK_EQ(reader.cell(0).as<std::int32_t>(), kTenRows[row % 10].value);
  }
  CHECK_EQ(reader.next_row(), Status::kEnd);

  REQUIRE(reader.choose_all() == Status::kOk);
  REQUIRE(reader.next_row_group() == Status::kOk);
  std::int32_t values[20];
  std::uint8_t levels[20];
  microparquet::Batch<std::int32_t> batch(values, levels);
  std::size_t rows = 0;
  for (Status status = reader.next_batch(0, batch); status != Status::kEnd;
       status = reader.next_batch(0, batch)) {
    REQUIRE(status == Status::kOk);
    std::size_t value = 0;
    for (std::size_t i = 0; i < batch.level_count; ++i, ++rows) {
      const Expected& expected = kTenRows[rows % 10];
      REQUIRE(levels[i] == expected.definition);
      if (levels[i] == 1) CHECK_EQ(values[value++], expected.value);
    }
  }
  CHECK_EQ(rows, 20U);
}

TEST("BIT_PACKED levels: lists, each of the two levels in this encoding or in RLE") {
  // [1, 2], [], [3], [4]: levels of one bit.
  constexpr Expected kItems[] = {{0, 1, 1}, {1, 1, 2}, {0, 0, kNone}, {0, 1, 3}, {0, 1, 4}};
  for (unsigned which = 1; which < 4; ++which) {
    for (const std::int32_t codec : {kUncompressed, kLz4Raw}) {
      Page page = page_of(kItems);
      page.repetition_encoding = (which & 1) != 0 ? made::kBitPacked : made::kRle;
      page.level_encoding = (which & 2) != 0 ? made::kBitPacked : made::kRle;
      Bytes body;
      for (const auto level : {&Expected::repetition, &Expected::definition}) {
        const bool rle = (which & (level == &Expected::repetition ? 1U : 2U)) == 0;
        const Bytes runs = made::runs_of(kItems, level);
        if (rle) body.little(runs.size(), 4);
        body.append(rle ? runs : packed(kItems, level, 1));
      }
      made::File made;
      Column column;
      column.repetition = made::kRepeated;
      column.codec = codec;
      make_file(made, column, page, add_values(body, kItems), 4, 2);
      for (const std::uint32_t buffer_bytes : {128U, 4096U}) {
        MemoryFile file = made.open();
        expect_items(file, reading(buffer_bytes), kItems, 2);
        microparquet::MemoryImage image({made.bytes().data(), made.bytes().size()});
        expect_items(image, reading(buffer_bytes), kItems, 2);
      }
    }
  }
}

TEST("BIT_PACKED levels: beside a decoder that wants memory of its own") {
  // null, "ab", "abcd", null, "abcdef": prefixes 0, 2, 4, then lengths 2, 2, 2.
  for (const std::int32_t codec : {kUncompressed, kLz4Raw}) {
    Column column;
    column.type = made::kByteArray;
    column.repetition = made::kOptional;
    column.codec = codec;
    Page page;
    page.values = 5;
    page.encoding = kDeltaByteArray;
    page.level_encoding = made::kBitPacked;
    Bytes body;
    body.byte(0b01101000);
    body.varint(128).varint(4).varint(3).zigzag(0).zigzag(2).little(0, 4);
    body.varint(128).varint(4).varint(3).zigzag(2).zigzag(0).little(0, 4).text("abcdef");
    made::File made;
    make_file(made, column, page, body, 5, 2);
    const auto check = [](auto& file) {
      const ReaderOptions options = reading();
      Reader reader;
      REQUIRE(open_items(reader, file, options) == Status::kOk);
      for (int i = 0; i < 2; ++i) {
        for (const std::string_view expected : {"", "ab", "abcd", "", "abcdef"}) {
          Item item;
          REQUIRE(reader.next_item(0, item) == Status::kOk);
          CHECK_EQ(item.definition, expected.empty() ? 0 : 1);
          CHECK_EQ(item.cell.text(), expected);
        }
      }
    };
    MemoryFile file = made.open();
    check(file);
    microparquet::MemoryImage image({made.bytes().data(), made.bytes().size()});
    check(image);
  }
}

TEST("BIT_PACKED levels: without their reader, and in yet another encoding") {
  made::File made;
  make_ten_rows(made);
  ReaderOptions options = reading();
  options.bit_packed_levels = nullptr;
  MemoryFile file = made.open();
  Reader reader;
  REQUIRE(open_items(reader, file, options) == Status::kOk);
  Item item;
  CHECK_EQ(reader.next_item(0, item), Status::kUnsupported);
  CHECK(reader.failure().reason == FailureReason::kLevelEncoding);
  CHECK_EQ(reader.failure().number, made::kBitPacked);

  Column column;
  column.repetition = made::kOptional;
  Page page = page_of(kTenRows);
  page.level_encoding = made::kDelta;
  Bytes body = packed(kTenRows, &Expected::definition, 1);
  made::File other;
  make_file(other, column, page, add_values(body, kTenRows), 10);
  CHECK_EQ(first_item(other, reading()), Status::kUnsupported);
}

TEST("BIT_PACKED levels: pages that cannot be") {
  Column column;
  column.repetition = made::kOptional;
  made::File made;
  make_file(made, column, page_of(kTenRows), Bytes().byte(0), 10);  // eight levels for ten rows
  CHECK_EQ(first_item(made, reading()), Status::kCorrupt);

  // A column below a group that may be absent, so that a level may be 3 and must not.
  Bytes schema;
  schema.i32(3, made::kOptional).binary(4, "g").i32(5, 1).end();
  column.values = 4;
  made::leaf(schema, column);
  made::File high;
  high.begin_column(column);
  Page page;
  page.values = 4;
  page.level_encoding = made::kBitPacked;
  high.page(page, Bytes().byte(0b11000000).view());
  high.end_column(column);
  Bytes footer;
  footer.i32(1, 1).list(2, 12, 3);
  made::root(footer, 1);
  footer.append(schema).i64(3, 4).list(4, 12, 1);
  made::row_group(footer, {&column, 1}, 4);
  footer.end();
  high.end_with(footer);
  CHECK_EQ(first_item(high, reading()), Status::kCorrupt);
}

TEST("BIT_PACKED levels: a page that does not fit beside them says how large the buffer must be") {
  constexpr std::int64_t kRows = 1000;
  Column column;
  column.repetition = made::kOptional;
  Page page;
  page.values = kRows;
  page.level_encoding = made::kBitPacked;
  Bytes body;
  for (int i = 0; i < kRows / 8; ++i) body.byte(0xF0);
  for (int i = 0; i < kRows / 2; ++i) body.little(static_cast<std::uint64_t>(i), 4);
  made::File made;
  make_file(made, column, page, body, kRows);
  MemoryFile file = made.open();
  const ReaderOptions options = reading(64);
  Reader reader;
  const std::size_t bytes = Reader::required_bytes(1, 1, options);
  REQUIRE(reader.open(file, options, {bit_packed_arena, bytes}) == Status::kOk);
  REQUIRE(reader.choose_all() == Status::kOk);
  CHECK_EQ(reader.next_row(), Status::kOutOfMemory);
  alignas(8) static std::byte more[4096];
  for (Status status = Status::kOutOfMemory; status == Status::kOutOfMemory;) {
    REQUIRE(reader.needed_bytes() <= sizeof more);
    REQUIRE(reader.move_buffer(0, {more, static_cast<std::size_t>(reader.needed_bytes() + 7) &
                                             ~std::size_t{7}}) == Status::kOk);
    status = reader.next_row();
    CHECK(status == Status::kOk || status == Status::kOutOfMemory);
  }
  CHECK_EQ(reader.cell(0).as<std::int32_t>(), 0);
  for (std::int32_t row = 1; row < kRows; ++row) {
    REQUIRE(reader.next_row() == Status::kOk);
    REQUIRE(reader.cell(0).null() == (row % 8 >= 4));
    if (row % 8 < 4) CHECK_EQ(reader.cell(0).as<std::int32_t>(), row / 8 * 4 + row % 8);
  }
  CHECK_EQ(reader.next_row(), Status::kEnd);
}

TEST("BIT_PACKED levels: a read that fails is repeated") {
  for (int fail_at = 1;; ++fail_at) {
    made::File made;
    make_ten_rows(made, 2);
    MemoryFile memory = made.open();
    made::FailingOnce file(memory, fail_at);
    const ReaderOptions options = reading(128);
    Reader reader;
    Status status = Status::kIoError;
    while (status == Status::kIoError) {
      status = reader.open(file, options, bit_packed_arena);
      if (status == Status::kOk) status = reader.choose_all();
    }
    REQUIRE(status == Status::kOk);
    for (std::size_t row = 0; row < 20; ++row) {
      while ((status = reader.next_row()) == Status::kIoError) {
      }
      REQUIRE(status == Status::kOk);
      CHECK_EQ(reader.cell(0).null() ? kNone : reader.cell(0).as<std::int32_t>(), kTenRows[row % 10].value);
    }
    if (!file.failed()) break;
  }
}
