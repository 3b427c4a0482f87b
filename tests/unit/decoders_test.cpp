// The decoders and decompressors that read_all.h names, and what they say of bad pages.
#include "microparquet/read_all.h"

#include <cstring>
#include <string_view>

#include "made_file.h"
#include "support/check.h"
#include "support/names.h"

using made::Bytes;
using made::Column;
using made::Page;
using microparquet::Decompressor;
using microparquet::MemoryFile;

namespace {

alignas(8) std::byte arena[8192];
constexpr std::int32_t kRleDictionary = 8;
constexpr std::int32_t kValues = 5;

Page page_of(std::int64_t values, std::int32_t encoding, std::int32_t type = made::kDataPage) {
  Page page;
  page.values = values;
  page.encoding = encoding;
  page.type = type;
  return page;
}

// Reads a required column of `kValues` values in one page; puts the values, as bytes, into `out`.
Status read_page(made::File& made, Column& column, Bytes& out) {
  made.end_column(column);
  made.footer({&column, 1}, kValues);
  MemoryFile file = made.open();
  ReaderOptions options;
  options.decoders = microparquet::kAllDecoders;
  options.decompressors = microparquet::kAllDecompressors;
  Reader reader;
  Status status = reader.open(file, options, arena);
  if (status == Status::kOk) status = reader.choose_all();
  CHECK_EQ(status, Status::kOk);
  while (status == Status::kOk && (status = reader.next_row()) == Status::kOk)
    out.text(reader.cell(0).text());
  CHECK_EQ(reader.next_row(), status);
  return status;
}

Status read_page(std::int32_t type, std::int32_t encoding, const Bytes& body, Bytes& out) {
  made::File made;
  Column column;
  column.type = type;
  column.values = kValues;
  made.begin_column(column);
  made.page(page_of(kValues, encoding), body.view());
  return read_page(made, column, out);
}

// Reads indices with a dictionary of the numbers 7 and 8.
Status read_indices(const Bytes& body, Bytes& out) {
  made::File made;
  Column column;
  column.values = kValues;
  made.begin_column(column);
  column.dictionary = column.begin;
  made.page(page_of(2, made::kPlain, made::kDictionaryPage), Bytes().little(7, 4).little(8, 4).view());
  made.page(page_of(kValues, kRleDictionary), body.view());
  return read_page(made, column, out);
}

Bytes delta_header(std::uint64_t block, std::uint64_t miniblocks, std::uint64_t values, std::int64_t first) {
  return Bytes().varint(block).varint(miniblocks).varint(values).zigzag(first);
}

Status decompress(const Decompressor& decompressor, const Bytes& in, std::size_t bytes,
                  std::string_view expected = {}) {
  static std::byte out[300];
  const microparquet::Span<const std::byte> from(reinterpret_cast<const std::byte*>(in.view().data()),
                                                 in.size());
  const Status status = decompressor.decompress(from, microparquet::Span<std::byte>(out, bytes), {});
  if (status == Status::kOk) CHECK_EQ(std::string_view(reinterpret_cast<const char*>(out), bytes), expected);
  return status;
}

}  // namespace

TEST("deltas: numbers of two bits, which wrap") {
  // Differences 1, 2, 0, 3 above the least one, -1: 2^31 - 2, 2^31 - 2, 2^31 - 1, 2^31 - 2, -2^31.
  Bytes body = delta_header(128, 4, kValues, 0x7FFFFFFE);
  body.zigzag(-1).byte(2).byte(0).byte(0).byte(0).byte(1 | 2 << 2 | 0 << 4 | 3 << 6);
  for (int i = 0; i < 7; ++i) body.byte(0);
  Bytes values;
  CHECK_EQ(read_page(made::kInt32, made::kDelta, body, values), Status::kEnd);
  Bytes expected;
  for (const std::uint64_t value : {0x7FFFFFFEU, 0x7FFFFFFEU, 0x7FFFFFFFU, 0x7FFFFFFEU, 0x80000000U})
    expected.little(value, 4);
  CHECK_EQ(values.view(), expected.view());
}

TEST("deltas: pages that cannot be") {
  const auto status_of = [](const Bytes& body) {
    Bytes values;
    return read_page(made::kInt32, made::kDelta, body, values);
  };
  CHECK_EQ(status_of(Bytes()), Status::kCorrupt);
  CHECK_EQ(status_of(delta_header(128, 4, kValues + 1, 0)), Status::kCorrupt);
  CHECK_EQ(status_of(delta_header(128, 4, kValues - 1, 0)), Status::kCorrupt);
  CHECK_EQ(status_of(delta_header(128, 0, kValues, 0)), Status::kCorrupt);
  CHECK_EQ(status_of(delta_header(0, 4, kValues, 0)), Status::kCorrupt);
  CHECK_EQ(status_of(delta_header(128, 3, kValues, 0)), Status::kCorrupt);
  CHECK_EQ(status_of(delta_header(128, 8, kValues, 0)), Status::kCorrupt);
  CHECK_EQ(status_of(delta_header(std::uint64_t{1} << 40, 4, kValues, 0)), Status::kCorrupt);
  CHECK_EQ(status_of(delta_header(32 * 33, 33, kValues, 0)), Status::kUnsupported);
  // A block that is cut off, widths that are, and a miniblock.
  CHECK_EQ(status_of(delta_header(128, 4, kValues, 0)), Status::kCorrupt);
  CHECK_EQ(status_of(delta_header(128, 4, kValues, 0).zigzag(0).byte(2)), Status::kCorrupt);
  CHECK_EQ(status_of(delta_header(128, 4, kValues, 0).zigzag(0).byte(9).byte(0).byte(0).byte(0).byte(1)),
           Status::kCorrupt);
  // Wider than any number.
  Bytes wide = delta_header(128, 4, kValues, 0).zigzag(0).byte(65).byte(0).byte(0).byte(0);
  for (int i = 0; i < 300; ++i) wide.byte(0);
  CHECK_EQ(status_of(wide), Status::kCorrupt);
}

// DuckDB does not let those of unsigned numbers wrap.
TEST("deltas: differences that are wider than the numbers") {
  // 2^32 - 1, -(2^32 - 1), 0 and 0 above the least one, in 33 bits each.
  Bytes body = delta_header(128, 4, kValues, 0).zigzag(-0xFFFFFFFFLL).byte(33).byte(0).byte(0).byte(0);
  body.little(0x1FFFFFFFE, 8).little(0xFFFFFFFFULL << 2 | 0xFFFFFFFFULL << 35, 8).little(7, 8);
  for (int i = 0; i < 108; ++i) body.byte(0);
  Bytes values;
  CHECK_EQ(read_page(made::kInt32, made::kDelta, body, values), Status::kEnd);
  Bytes expected;
  for (const std::uint64_t value : {0U, 0xFFFFFFFFU, 0U, 0U, 0U}) expected.little(value, 4);
  CHECK_EQ(values.view(), expected.view());
}

// Levels of V2 are not compressed, and some writers store nothing after them where all rows are null.
TEST("V2: a compressed page without values") {
  constexpr std::int32_t kSnappy = 1;
  const Bytes levels = Bytes().varint(kValues << 1).byte(0);
  for (const std::string_view values : {std::string_view(), std::string_view("\0", 1)}) {
    made::File made;
    Column column;
    column.repetition = made::kOptional;
    column.codec = kSnappy;
    column.values = kValues;
    made.begin_column(column);
    Page page = page_of(kValues, made::kPlain, made::kDataPageV2);
    page.definition_bytes = static_cast<std::int64_t>(levels.size());
    page.uncompressed = page.definition_bytes;
    made.page(page, Bytes().append(levels).text(values).view());
    Bytes out;
    CHECK_EQ(read_page(made, column, out), Status::kEnd);
    CHECK_EQ(out.size(), 0U);
  }
}

// fastparquet ends its pages with eight zeros.
TEST("eight zeros may follow booleans") {
  const auto status_of = [](const Bytes& rest) {
    Bytes values;
    const Status status = read_page(made::kBoolean, made::kPlain, Bytes().byte(0b10011).append(rest), values);
    if (status == Status::kEnd) CHECK_EQ(values.view(), std::string_view("\1\1\0\0\1", 5));
    return status;
  };
  CHECK_EQ(status_of(Bytes()), Status::kEnd);
  CHECK_EQ(status_of(Bytes().little(0, 8)), Status::kEnd);
  CHECK_EQ(status_of(Bytes().little(0, 7)), Status::kCorrupt);
  CHECK_EQ(status_of(Bytes().little(0, 8).byte(0)), Status::kCorrupt);
  CHECK_EQ(status_of(Bytes().little(0, 7).byte(1)), Status::kCorrupt);
}

TEST("booleans in runs of both kinds") {
  Bytes values;
  const Bytes body = Bytes().little(4, 4).varint(2 << 1).byte(1).varint(1 << 1 | 1).byte(0b100);
  CHECK_EQ(read_page(made::kBoolean, made::kRle, body, values), Status::kEnd);
  CHECK_EQ(values.view(), std::string_view("\1\1\0\0\1", 5));
  values.clear();
  CHECK_EQ(read_page(made::kBoolean, made::kRle, Bytes().little(5, 4).varint(2 << 1).byte(1), values),
           Status::kCorrupt);
  CHECK_EQ(read_page(made::kBoolean, made::kRle, Bytes().little(2, 4).varint(2 << 1).byte(1), values),
           Status::kCorrupt);
  CHECK_EQ(read_page(made::kBoolean, made::kRle, Bytes().byte(1), values), Status::kCorrupt);
}

TEST("bytes of values split into streams") {
  constexpr std::int32_t kSplit = 9;
  Bytes body;
  for (unsigned byte = 0; byte < 4; ++byte) {
    for (unsigned value = 0; value < kValues; ++value) body.byte(byte << 4 | value);
  }
  Bytes values;
  CHECK_EQ(read_page(made::kInt32, kSplit, body, values), Status::kEnd);
  Bytes expected;
  for (unsigned value = 0; value < kValues; ++value) {
    for (unsigned byte = 0; byte < 4; ++byte) expected.byte(byte << 4 | value);
  }
  CHECK_EQ(values.view(), expected.view());
  CHECK_EQ(read_page(made::kInt32, kSplit, Bytes().append(body).byte(0), values), Status::kCorrupt);
  CHECK_EQ(read_page(made::kInt32, kSplit, Bytes().append(body).little(0, 4), values), Status::kCorrupt);
  CHECK_EQ(read_page(made::kInt32, kSplit, Bytes().little(0, 16), values), Status::kCorrupt);
  CHECK_EQ(read_page(made::kInt32, kSplit, Bytes(), values), Status::kCorrupt);
}

TEST("split bytes of values that are wide") {
  constexpr std::int32_t kSplit = 9;
  constexpr unsigned kWidth = 40;
  Bytes body;
  for (unsigned byte = 0; byte < kWidth; ++byte) {
    for (unsigned value = 0; value < kValues; ++value) body.byte(byte << 2 ^ value);
  }
  made::File made;
  Column column;
  column.type = made::kFixed;
  column.type_length = kWidth;
  column.values = kValues;
  made.begin_column(column);
  made.page(page_of(kValues, kSplit), body.view());
  Bytes values;
  CHECK_EQ(read_page(made, column, values), Status::kEnd);
  Bytes expected;
  for (unsigned value = 0; value < kValues; ++value) {
    for (unsigned byte = 0; byte < kWidth; ++byte) expected.byte(byte << 2 ^ value);
  }
  CHECK_EQ(values.view(), expected.view());
}

TEST("split bytes are read from a page that fits in the buffer, else it says how large that must be") {
  constexpr std::int32_t kSplit = 9;
  constexpr std::uint32_t kMany = 600;
  static Bytes body;
  body.clear();
  for (unsigned byte = 0; byte < 4; ++byte) {
    for (unsigned value = 0; value < kMany; ++value) body.byte(value >> 8 * byte & 0xFF);
  }
  made::File made;
  Column column;
  column.type = made::kInt32;
  column.values = kMany;
  made.begin_column(column);
  made.page(page_of(kMany, kSplit), body.view());
  made.end_column(column);
  made.footer({&column, 1}, kMany);
  MemoryFile file = made.open();
  ReaderOptions options;
  options.decoders = microparquet::kAllDecoders;
  Reader reader;
  REQUIRE(reader.open(file, options, {arena, 1400}) == Status::kOk);
  const microparquet::ColumnChoice choice[] = {{0, 512}};
  REQUIRE(reader.choose(choice) == Status::kOk);
  CHECK_EQ(reader.next_row(), Status::kOutOfMemory);
  CHECK(reader.needed_bytes() >= body.size() && reader.needed_bytes() < 2 * body.size());
  const std::uint64_t needed = reader.needed_bytes();
  CHECK_EQ(reader.next_row(), Status::kOutOfMemory);
  REQUIRE(needed <= sizeof arena - 1400);
  REQUIRE(reader.move_buffer(0, {arena + 1400, static_cast<std::size_t>(needed)}) == Status::kOk);
  for (std::uint32_t row = 0; row < kMany; ++row) {
    REQUIRE(reader.next_row() == Status::kOk);
    CHECK_EQ(reader.cell(0).as<std::int32_t>(), static_cast<std::int32_t>(row));
  }
  CHECK_EQ(reader.next_row(), Status::kEnd);
}

TEST("dictionary: indices that it has, and others") {
  Bytes values;
  CHECK_EQ(read_indices(Bytes().byte(1).varint(3 << 1).byte(1).varint(1 << 1 | 1).byte(0b10), values),
           Status::kEnd);
  Bytes expected;
  for (const unsigned value : {8U, 8U, 8U, 7U, 8U}) expected.little(value, 4);
  CHECK_EQ(values.view(), expected.view());
  CHECK_EQ(read_indices(Bytes().byte(2).varint(5 << 1).byte(2), values), Status::kCorrupt);
  CHECK_EQ(read_indices(Bytes().byte(33).varint(5 << 1).byte(0), values), Status::kCorrupt);
  CHECK_EQ(read_indices(Bytes().byte(1).varint(4 << 1).byte(0), values), Status::kCorrupt);
  CHECK_EQ(read_indices(Bytes().byte(1).varint(1 << 1 | 1), values), Status::kCorrupt);
  CHECK_EQ(read_indices(Bytes(), values), Status::kCorrupt);
  // No dictionary has come.
  CHECK_EQ(read_page(made::kInt32, kRleDictionary, Bytes().byte(1).varint(5 << 1).byte(0), values),
           Status::kCorrupt);
}

TEST("dictionary: an index that it has not ends the batch before it, and every one after it") {
  struct Kind {
    std::int32_t type;
    std::int32_t bytes;  // 0: with a length
  };
  for (const Kind kind : {Kind{made::kInt32, 4}, Kind{made::kInt64, 8}, Kind{made::kInt96, 12},
                          Kind{made::kFixed, 5}, Kind{made::kByteArray, 0}}) {
    made::File made;
    Column column;
    column.type = kind.type;
    column.type_length = kind.type == made::kFixed ? kind.bytes : 0;
    column.repetition = made::kOptional;
    column.values = kValues;
    made.begin_column(column);
    column.dictionary = column.begin;
    Bytes entry;
    if (kind.bytes == 0) entry.little(0, 4);
    for (std::int32_t i = 0; i < kind.bytes; ++i) entry.byte(7);
    made.page(page_of(1, made::kPlain, made::kDictionaryPage), entry.view());
    // A value, a null and three values, of which the first is none; indices 0, 1, 0, 0.
    Bytes body = Bytes().little(2, 4).varint(1 << 1 | 1).byte(0b11101).byte(1);
    made.page(page_of(kValues, kRleDictionary), body.varint(1 << 1 | 1).byte(0b0010).view());
    made.end_column(column);
    made.footer({&column, 1}, kValues);
    MemoryFile file = made.open();
    ReaderOptions options;
    options.decoders = microparquet::kAllDecoders;
    Reader reader;
    REQUIRE_EQ(reader.open(file, options, arena), Status::kOk);
    REQUIRE_EQ(reader.choose_all(), Status::kOk);
    REQUIRE_EQ(reader.next_row_group(), Status::kOk);
    alignas(8) std::byte values[kValues * sizeof(std::string_view)];
    std::uint8_t levels[kValues];
    microparquet::AnyBatch batch;
    batch.values = values;
    batch.places = kValues;
    batch.definition_levels = levels;
    CHECK_EQ(reader.next_batch(0, batch), Status::kOk);
    CHECK_EQ(batch.level_count, 2U);
    CHECK_EQ(batch.value_count, 1U);
    for (int again = 0; again < 2; ++again) CHECK_EQ(reader.next_batch(0, batch), Status::kCorrupt);
  }
}

// A dictionary of one entry has indices of 0 bits (Encodings.md): neither kind of run has bytes after its
// header.
TEST("dictionary: indices of no bits are all the first entry") {
  constexpr unsigned kOfEqualOnes = 3 << 1;
  constexpr unsigned kPacked = 1 << 1 | 1;
  Bytes expected;
  for (int i = 0; i < kValues; ++i) expected.little(7, 4);
  for (const Bytes& runs :
       {Bytes().varint(5 << 1), Bytes().varint(kPacked), Bytes().varint(kOfEqualOnes).varint(kPacked),
        Bytes().varint(2 << 1).varint(kOfEqualOnes)}) {
    Bytes values;
    CHECK_EQ(read_indices(Bytes().byte(0).text(runs.view()), values), Status::kEnd);
    CHECK_EQ(values.view(), expected.view());
  }
  Bytes values;
  CHECK_EQ(read_indices(Bytes().byte(0).varint(kOfEqualOnes), values), Status::kCorrupt);
  CHECK_EQ(read_indices(Bytes().byte(0), values), Status::kCorrupt);
}

TEST("SNAPPY: literals and copies, and pages that cannot be") {
  const Decompressor& snappy = microparquet::kSnappyDecompressor;
  const Bytes good = Bytes().varint(12).byte(2 << 2).text("abc").byte(1 | (9 - 4) << 2).byte(3);
  CHECK_EQ(decompress(snappy, good, 12, "abcabcabcabc"), Status::kOk);
  CHECK_EQ(decompress(snappy, Bytes().varint(0), 0, ""), Status::kOk);
  CHECK_EQ(decompress(snappy, good, 11), Status::kCorrupt);
  CHECK_EQ(decompress(snappy, Bytes(), 0), Status::kCorrupt);
  // Longer than the page, or than the input; back before its beginning, or not back at all.
  CHECK_EQ(decompress(snappy, Bytes().varint(3).byte(3 << 2).text("abcd"), 3), Status::kCorrupt);
  CHECK_EQ(decompress(snappy, Bytes().varint(9).byte(8 << 2).text("abcd"), 9), Status::kCorrupt);
  CHECK_EQ(decompress(snappy, Bytes().varint(9).byte(63 << 2).little(0xFFFFFFFF, 4), 9), Status::kCorrupt);
  CHECK_EQ(decompress(snappy, Bytes().varint(9).byte(0).text("a").byte(2 | 7 << 2).little(2, 2), 9),
           Status::kCorrupt);
  CHECK_EQ(decompress(snappy, Bytes().varint(9).byte(0).text("a").byte(3 | 7 << 2).little(0, 4), 9),
           Status::kCorrupt);
  CHECK_EQ(decompress(snappy, Bytes().varint(9).byte(0).text("a").byte(1), 9), Status::kCorrupt);
}

TEST("LZ4_RAW: literals and copies, and pages that cannot be") {
  const Decompressor& lz4 = microparquet::kLz4RawDecompressor;
  const Bytes good = Bytes().byte(3 << 4 | (9 - 4)).text("abc").little(3, 2).byte(1 << 4).text("d");
  CHECK_EQ(decompress(lz4, good, 13, "abcabcabcabcd"), Status::kOk);
  // 4, 15, 255 and 2 bytes more are copied.
  static char same[1 + 4 + 15 + 255 + 2];
  std::memset(same, 'a', sizeof same);
  const Bytes long_copy = Bytes().byte(1 << 4 | 15).text("a").little(1, 2).byte(255).byte(2).byte(0);
  CHECK_EQ(decompress(lz4, long_copy, sizeof same, {same, sizeof same}), Status::kOk);
  CHECK_EQ(decompress(lz4, good, 12), Status::kCorrupt);
  CHECK_EQ(decompress(lz4, good, 14), Status::kCorrupt);
  CHECK_EQ(decompress(lz4, Bytes().byte(4 << 4).text("abc"), 4), Status::kCorrupt);
  CHECK_EQ(decompress(lz4, Bytes().byte(1 << 4).text("a").little(2, 2), 5), Status::kCorrupt);
  CHECK_EQ(decompress(lz4, Bytes().byte(1 << 4).text("a").little(0, 2), 5), Status::kCorrupt);
  CHECK_EQ(decompress(lz4, Bytes().byte(1 << 4).text("a").byte(1), 5), Status::kCorrupt);
  CHECK_EQ(decompress(lz4, Bytes().byte(15 << 4).byte(255), 5), Status::kCorrupt);
}
