// Tests the parts that a program gives a reader, and the questions it asks beside rows: decoders,
// decompressors, buffers, files in memory, rows by number, and failures.
#include <cstring>

#include "made_file.h"
#include "microparquet/dictionary_decoder.h"
#include "microparquet/port/memory_image.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"
#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/names.h"

using made::Bytes;
using made::Column;
using made::Page;
using microparquet::Batch;
using microparquet::CodecId;
using microparquet::ColumnChoice;
using microparquet::Decoder;
using microparquet::Decompressor;
using microparquet::Dictionary;
using microparquet::EncodingId;
using microparquet::FailureReason;
using microparquet::MemoryFile;
using microparquet::MemoryImage;
using microparquet::PageInput;

namespace {

alignas(8) std::byte arena[8192];
constexpr std::int32_t kRleDictionary = 8;

Page page_of(std::int64_t values, std::int32_t type = made::kDataPage, std::int32_t encoding = made::kPlain) {
  Page page;
  page.type = type;
  page.values = values;
  page.encoding = encoding;
  return page;
}

Bytes int32s(std::int32_t first, std::int32_t count, std::int32_t step = 1) {
  Bytes bytes;
  for (std::int32_t i = 0; i < count; ++i) bytes.little(static_cast<std::uint32_t>(first + i * step), 4);
  return bytes;
}

// A column of `pages` pages of `rows` rows, numbered from 0.
void numbered(made::File& made, std::int32_t pages, std::int32_t rows) {
  Column column;
  column.values = std::int64_t{pages} * rows;
  made.begin_column(column);
  for (std::int32_t i = 0; i < pages; ++i) made.page(page_of(rows), int32s(i * rows, rows).view());
  made.end_column(column);
  made.footer({&column, 1}, column.values);
}

// Indices as runs of equal ones, each a byte: a part of RLE_DICTIONARY, enough to see what a decoder is
// given.
class RunsOfIndices final : public microparquet::DictionaryDecoder {
 public:
  struct State {
    std::uint32_t left;
    std::uint32_t index;
  };
  constexpr RunsOfIndices()
      : DictionaryDecoder({EncodingId::kPlainDictionary, EncodingId::kRleDictionary}, Type::kInt32,
                          sizeof(State)) {}

  std::uint64_t index_bytes(std::uint32_t count) const override { return count; }
  Status begin_dictionary(PageInput, const Dictionary& dictionary) const override {
    for (std::byte& byte : dictionary.index) byte = std::byte{0x77};
    return dictionary.values.size() == dictionary.count * 4 ? Status::kOk : Status::kCorrupt;
  }
  Status begin_page(PageInput page, std::uint32_t) const override {
    page.state<State>() = {};
    if (page.dictionary() == nullptr) return Status::kCorrupt;
    const Status status = page.load(1);
    if (status != Status::kOk) return status;
    if (*page.data() != std::byte{8}) return Status::kUnsupported;
    page.take(1);
    return Status::kOk;
  }
  Status next(PageInput page) const override {
    State& state = page.state<State>();
    const Dictionary& dictionary = *page.dictionary();
    if (state.left == 0) {
      const Status status = page.load(2);
      if (status != Status::kOk) return status;
      state.left = static_cast<std::uint32_t>(page.data()[0]) >> 1;
      state.index = static_cast<std::uint32_t>(page.data()[1]);
      if (state.left == 0 || state.index >= dictionary.count) return Status::kCorrupt;
      page.take(2);
    }
    --state.left;
    page.show(dictionary.values.data() + state.index * 4, 4);
    return Status::kOk;
  }
  Status read(PageInput page, void* out, std::uint32_t, std::uint32_t& stored) const override {
    const Status status = next(page);
    if (status == Status::kOk) std::memcpy(out, page.shown(), 4);
    stored = 1;
    return status;
  }
  Status skip(PageInput page) const override { return next(page); }
};
constexpr RunsOfIndices kRunsOfIndices;
constexpr const Decoder* kWithDictionary[] = {&microparquet::kPlainFixedDecoder, &kRunsOfIndices};

// "Compressed" by turning over each bit, through its scratch memory.
class Complement final : public Decompressor {
 public:
  constexpr Complement() : Decompressor(CodecId::kSnappy, 48) {}
  Status decompress(Span<const std::byte> in, Span<std::byte> out, Span<std::byte> scratch) const override {
    CHECK_EQ(scratch.size(), 48U);
    CHECK_EQ(reinterpret_cast<std::uintptr_t>(scratch.data()) % 8, 0U);
    if (in.size() != out.size()) return Status::kCorrupt;
    for (std::size_t i = 0; i < in.size(); ++i) {
      scratch[i % 48] = ~in[i];
      out[i] = scratch[i % 48];
    }
    return Status::kOk;
  }
};
constexpr Complement kComplement;
constexpr const Decompressor* kDecompressors[] = {&kComplement};

Bytes complement(const Bytes& raw) {
  Bytes bytes;
  for (const char c : raw.view()) bytes.byte(~static_cast<unsigned char>(c) & 0xFFU);
  return bytes;
}

// Values 100, 101, 102 in the dictionary; pages of 4 x 101, 2 x 100, then PLAIN 5 and 6, then 1 x 102.
void with_dictionary(made::File& made, bool compressed) {
  const auto stored = [&](const Bytes& raw) { return compressed ? complement(raw) : raw; };
  Column column;
  column.codec = compressed ? 1 : 0;
  column.values = 9;
  made.begin_column(column);
  column.dictionary = column.begin;
  made.page(page_of(3, made::kDictionaryPage), stored(int32s(100, 3)).view());
  made.page(page_of(6, made::kDataPage, kRleDictionary),
            stored(Bytes().byte(8).byte(8).byte(1).byte(4).byte(0)).view());
  made.page(page_of(2), stored(int32s(5, 2)).view());
  made.page(page_of(1, made::kDataPage, kRleDictionary), stored(Bytes().byte(8).byte(2).byte(2)).view());
  made.end_column(column);
  made.footer({&column, 1}, 9);
}

// A file whose reads fail: the one of a number, from 0.
class Failing final : public support::ForwardingFile {
 public:
  Failing(MemoryFile& file, int fails) : ForwardingFile(file), left_(fails) {}
  bool failed() const { return left_ < 0; }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    return left_-- == 0 ? Status::kIoError : ForwardingFile::read_at(offset, out);
  }

 private:
  int left_;
};

}  // namespace

TEST("reader: opening fails at each of its reads without a trace, and succeeds when it is repeated") {
  made::File made;
  numbered(made, 6, 20);
  ReaderOptions options;
  options.footer_bytes = 64;
  int failures = 0;
  for (;; ++failures) {
    MemoryFile file = made.open();
    Failing failing(file, failures);
    Reader reader;
    const Status status = reader.open(failing, options, arena);
    if (!failing.failed()) {
      CHECK_EQ(status, Status::kOk);
      break;
    }
    CHECK_EQ(status, Status::kIoError);
    CHECK_EQ(reader.failure().status, Status::kIoError);
    CHECK(reader.failure().reason == FailureReason::kFooter);
    CHECK_EQ(reader.next_row_group(), Status::kWrongState);
    CHECK_EQ(reader.columns(), 0U);
    CHECK_EQ(reader.rows(), 0U);
    REQUIRE_EQ(reader.open(failing, options, arena), Status::kOk);
    REQUIRE_EQ(reader.choose_all(), Status::kOk);
    CHECK_EQ(reader.rows(), 120U);
    std::int32_t row = 0;
    while (reader.next_row() == Status::kOk) CHECK_EQ(reader.cell(0).as<std::int32_t>(), row++);
    CHECK_EQ(row, 120);
  }
  CHECK(failures > 3);
}

namespace {

// The file itself, or its image, with all columns chosen.
void open_either(Reader& reader, bool in_memory, MemoryFile& file, MemoryImage& image,
                 const ReaderOptions& options, Span<std::byte> memory) {
  REQUIRE_EQ(in_memory ? reader.open(image, options, memory) : reader.open(file, options, memory),
             Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
}

}  // namespace

TEST("reader: a dictionary goes to the decoder that wants it, by rows, batches, and from memory") {
  const std::int32_t expected[] = {101, 101, 101, 101, 100, 100, 5, 6, 102};
  for (const bool compressed : {false, true}) {
    for (const bool in_memory : {false, true}) {
      for (const bool batches : {false, true}) {
        made::File made;
        with_dictionary(made, compressed);
        MemoryFile file = made.open();
        MemoryImage image(file.contents());
        ReaderOptions options;
        options.decoders = kWithDictionary;
        options.decompressors = kDecompressors;
        options.buffer_bytes = 256;
        Reader reader;
        const Span<std::byte> memory(arena, Reader::required_bytes(1, 1, options));
        open_either(reader, in_memory, file, image, options, memory);
        std::size_t row = 0;
        std::int32_t values[4];
        if (batches) REQUIRE_EQ(reader.next_row_group(), Status::kOk);
        for (Status status = Status::kOk; status == Status::kOk;) {
          Batch<std::int32_t> batch(values);
          status = batches ? reader.next_batch(0, batch) : reader.next_row();
          if (status != Status::kOk) {
            CHECK_EQ(status, Status::kEnd);
          } else if (batches) {
            for (const std::int32_t value : batch.read()) CHECK_EQ(value, expected[row++]);
          } else {
            CHECK_EQ(reader.cell(0).as<std::int32_t>(), expected[row++]);
          }
        }
        CHECK_EQ(row, std::size(expected));
        REQUIRE_EQ(reader.seek_row(8), Status::kOk);
        REQUIRE_EQ(reader.next_row(), Status::kOk);
        CHECK_EQ(reader.cell(0).as<std::int32_t>(), 102);
      }
    }
  }
}

TEST("reader: a page of indices may have more of them than are left in its chunk, also in memory") {
  made::File made;
  Column column;
  column.values = 6;
  made.begin_column(column);
  column.dictionary = column.begin;
  made.page(page_of(3, made::kDictionaryPage), int32s(100, 3).view());
  made.page(page_of(4, made::kDataPage, kRleDictionary), Bytes().byte(8).byte(8).byte(1).view());
  made.page(page_of(9, made::kDataPage, kRleDictionary), Bytes().byte(8).byte(18).byte(2).view());
  made.end_column(column);
  made.footer({&column, 1}, 6);
  MemoryFile file = made.open();
  MemoryImage image(file.contents());
  ReaderOptions options;
  options.decoders = kWithDictionary;
  Reader reader;
  for (const bool in_memory : {false, true}) {
    open_either(reader, in_memory, file, image, options, arena);
    for (const std::int32_t value : {101, 101, 101, 101, 102, 102}) {
      REQUIRE_EQ(reader.next_row(), Status::kOk);
      CHECK_EQ(reader.cell(0).as<std::int32_t>(), value);
    }
    CHECK_EQ(reader.next_row(), Status::kEnd);
  }
}

// A writer makes such files when its dictionary is full.
TEST("reader: a value that finds no place beside a dictionary or levels says how much memory would do") {
  for (const std::int32_t repetition : {made::kRequired, made::kOptional}) {
    made::File made;
    Column column;
    column.type = made::kByteArray;
    column.repetition = repetition;
    column.values = 3;
    made.begin_column(column);
    const bool with_dictionary = repetition == made::kRequired;
    static char letters[900];
    std::memset(letters, 'x', sizeof letters);
    const std::string_view entry(letters, 600);
    const std::string_view longest(letters, 700);
    const auto put = [](Bytes& body, std::string_view text) { body.little(text.size(), 4).text(text); };
    if (with_dictionary) {
      column.dictionary = column.begin;
      Bytes dictionary;
      put(dictionary, entry);
      made.page(page_of(1, made::kDictionaryPage), dictionary.view());
      made.page(page_of(1, made::kDataPage, kRleDictionary), Bytes().byte(0).varint(1 << 1).view());
    }
    Bytes body;
    if (!with_dictionary) {
      body.little(2, 4).varint(3 << 1).byte(1);
      put(body, entry);
    }
    put(body, longest);
    put(body, "y");
    made.page(page_of(with_dictionary ? 2 : 3), body.view());
    made.end_column(column);
    made.footer({&column, 1}, 3);
    MemoryFile file = made.open();
    ReaderOptions options;
    options.decoders = microparquet::kAllDecoders;
    options.buffer_bytes = 720;
    Reader reader;
    const std::size_t first = Reader::required_bytes(1, 1, options);
    REQUIRE_EQ(reader.open(file, options, {arena, first}), Status::kOk);
    REQUIRE_EQ(reader.choose_all(), Status::kOk);
    std::size_t used = first;
    std::size_t buffer = options.buffer_bytes;
    for (const std::string_view expected : {entry, longest, std::string_view("y")}) {
      Status status = reader.next_row();
      while (status == Status::kValueTooLarge || status == Status::kOutOfMemory) {
        const auto needed = static_cast<std::size_t>(reader.needed_bytes() + 7) & ~std::size_t{7};
        REQUIRE(needed > buffer);
        REQUIRE(used + needed <= sizeof arena);
        REQUIRE_EQ(reader.move_buffer(0, {arena + used, needed}), Status::kOk);
        used += needed;
        buffer = needed;
        status = reader.next_row();
      }
      REQUIRE_EQ(status, Status::kOk);
      CHECK_EQ(reader.cell(0).text(), expected);
    }
    CHECK(used > first);
    CHECK_EQ(reader.next_row(), Status::kEnd);
  }
}

TEST("reader: a dictionary that does not fit says how much memory would do, and fits in that") {
  made::File made;
  Column column;
  column.values = 2;
  made.begin_column(column);
  column.dictionary = column.begin;
  made.page(page_of(100, made::kDictionaryPage), int32s(0, 100).view());
  made.page(page_of(2, made::kDataPage, kRleDictionary), Bytes().byte(8).byte(4).byte(99).view());
  made.end_column(column);
  made.footer({&column, 1}, 2);
  MemoryFile file = made.open();
  ReaderOptions options;
  options.decoders = kWithDictionary;
  options.buffer_bytes = 128;
  Reader reader;
  REQUIRE_EQ(reader.open(file, options, {arena, Reader::required_bytes(1, 1, options)}), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  CHECK_EQ(reader.next_row(), Status::kOutOfMemory);
  CHECK(reader.failure().reason == FailureReason::kDictionaryPage);
  const std::uint64_t needed = reader.needed_bytes();
  CHECK(needed > 500 && needed < 700);
  alignas(8) static std::byte memory[1024];
  REQUIRE_EQ(reader.move_buffer(0, {memory, static_cast<std::size_t>(needed)}), Status::kOk);
  REQUIRE_EQ(reader.next_row(), Status::kOk);
  CHECK_EQ(reader.cell(0).as<std::int32_t>(), 99);
  // Moved once more, dictionary and page come along.
  REQUIRE_EQ(reader.move_buffer(0, Span<std::byte>(memory).subspan(0, 0)), Status::kInvalidArgument);
  alignas(8) static std::byte more[1032];
  REQUIRE_EQ(reader.move_buffer(0, more), Status::kOk);
  std::memset(memory, 0, sizeof memory);
  REQUIRE_EQ(reader.next_row(), Status::kOk);
  CHECK_EQ(reader.cell(0).as<std::int32_t>(), 99);
  CHECK_EQ(reader.next_row(), Status::kEnd);
}

// Reads rows, with a longer buffer each time that one is asked for, up to a status that no buffer changes.
Status read_with_growing_buffers(Reader& reader, Span<std::byte> memory, std::size_t bytes) {
  for (;;) {
    const Status status = reader.next_row();
    if (status == Status::kOk) continue;
    if (status != Status::kOutOfMemory) return status;
    const auto needed = static_cast<std::size_t>(reader.needed_bytes() + 7) & ~std::size_t{7};
    if (!CHECK(needed > bytes && needed <= memory.size())) return status;
    bytes = needed;
    if (!CHECK_EQ(reader.move_buffer(0, memory.subspan(0, needed)), Status::kOk)) return status;
    memory = memory.subspan(needed, memory.size() - needed);
  }
}

TEST("reader: a chunk has one dictionary, and a second one is no reason for a longer buffer") {
  for (const std::uint32_t buffer_bytes : {300U, 400U, 600U, 800U, 1200U}) {
    for (const int entries : {1, 60, 85, 110, 200}) {
      made::File made;
      Column column;
      column.values = 4;
      made.begin_column(column);
      column.dictionary = column.begin;
      for (const int size : {60, entries}) {
        made.page(page_of(size, made::kDictionaryPage), int32s(0, size).view());
        made.page(page_of(2, made::kDataPage, kRleDictionary), Bytes().byte(8).byte(4).byte(0).view());
      }
      made.end_column(column);
      made.footer({&column, 1}, 4);
      MemoryFile file = made.open();
      ReaderOptions options;
      options.decoders = kWithDictionary;
      options.buffer_bytes = buffer_bytes;
      Reader reader;
      REQUIRE_EQ(reader.open(file, options, {arena, Reader::required_bytes(1, 1, options)}), Status::kOk);
      REQUIRE_EQ(reader.choose_all(), Status::kOk);
      alignas(8) static std::byte memory[8192];
      CHECK_EQ(read_with_growing_buffers(reader, memory, buffer_bytes), Status::kCorrupt);
      CHECK(reader.failure().reason == FailureReason::kDictionaryPage);
    }
  }
}

TEST("reader: rows by number, over pages and their middles") {
  made::File made;
  numbered(made, 7, 9);
  for (const std::uint32_t buffer_bytes : {64U, 1024U}) {
    MemoryFile file = made.open();
    ReaderOptions options;
    options.buffer_bytes = buffer_bytes;
    Reader reader;
    REQUIRE_EQ(reader.open(file, options, {arena, Reader::required_bytes(1, 1, options)}), Status::kOk);
    CHECK_EQ(reader.seek_row(0), Status::kWrongState);
    REQUIRE_EQ(reader.choose_all(), Status::kOk);
    CHECK_EQ(reader.seek_row(63), Status::kInvalidArgument);
    for (std::int32_t first = 62; first >= 0; --first) {
      REQUIRE_EQ(reader.seek_row(static_cast<std::uint64_t>(first)), Status::kOk);
      for (std::int32_t row = first; row < 63; ++row) {
        REQUIRE_EQ(reader.next_row(), Status::kOk);
        CHECK_EQ(reader.cell(0).as<std::int32_t>(), row);
      }
      CHECK_EQ(reader.next_row(), Status::kEnd);
    }
  }
}

TEST("reader: a file in memory is shown where it lies, its checksums compared") {
  made::File made;
  numbered(made, 3, 10);
  MemoryFile file = made.open();
  MemoryImage image(file.contents());
  ReaderOptions options;
  Reader reader;
  REQUIRE_EQ(reader.open(image, options, arena), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  REQUIRE_EQ(reader.next_row_group(), Status::kOk);
  microparquet::ColumnRun run;
  std::int32_t row = 0;
  while (reader.next_run(0, run) == Status::kOk) {
    CHECK(run.data >= file.contents().begin() && run.data < file.contents().end());
    CHECK_EQ(run.rows, 10U);
    for (std::uint32_t i = 0; i < run.rows; ++i) CHECK_EQ(run.value<std::int32_t>(i), row++);
  }
  CHECK_EQ(row, 30);
  CHECK_EQ(reader.pages_checked(), 3U);

  const std::size_t value = made.bytes().view().find(int32s(1, 2).view());
  REQUIRE(value != std::string_view::npos);
  made.bytes().data()[value] ^= std::byte{4};
  REQUIRE_EQ(reader.open(image, options, arena), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  Status status = Status::kOk;
  while (status == Status::kOk) status = reader.next_row();
  CHECK_EQ(status, Status::kCorrupt);
  CHECK(reader.failure().reason == FailureReason::kChecksum);
}

TEST("reader: what failed is said with its column, place and number") {
  made::File made;
  Column columns[2];
  columns[0].name = "a";
  columns[1].name = "b";
  std::uint64_t second_page = 0;
  for (Column& column : columns) {
    column.values = 4;
    made.begin_column(column);
    made.page(page_of(2), int32s(0, 2).view());
    second_page = made.bytes().size();
    const bool second = &column == &columns[1];
    made.page(page_of(2, made::kDataPage, second ? made::kDelta : made::kPlain), int32s(2, 2).view());
    made.end_column(column);
  }
  made.footer(columns, 4);
  MemoryFile file = made.open();
  ReaderOptions options;
  Reader reader;
  CHECK_EQ(reader.failure().status, Status::kOk);
  REQUIRE_EQ(reader.open(file, options, arena), Status::kOk);
  const std::uint32_t reversed[] = {1, 0};
  REQUIRE_EQ(reader.choose(reversed), Status::kOk);
  CHECK_EQ(reader.next_row(), Status::kOk);
  CHECK_EQ(reader.next_row(), Status::kOk);
  CHECK_EQ(reader.next_row(), Status::kUnsupported);
  const microparquet::Failure failure = reader.failure();
  CHECK_EQ(failure.status, Status::kUnsupported);
  CHECK(failure.reason == FailureReason::kEncoding);
  CHECK_EQ(failure.number, made::kDelta);
  CHECK_EQ(failure.column, 1U);
  CHECK_EQ(failure.offset, second_page);

  // Choosing columns clears the failure: there may be fewer columns then.
  REQUIRE_EQ(reader.choose({reversed + 1, 1}), Status::kOk);
  CHECK_EQ(reader.failure().status, Status::kOk);
  CHECK_EQ(reader.next_row(), Status::kOk);
  CHECK_EQ(reader.failure().status, Status::kOk);
}

TEST("reader: a buffer for each column") {
  made::File made;
  Column columns[3];
  for (Column& column : columns) {
    column.values = 10;
    made.begin_column(column);
    made.page(page_of(10), int32s(0, 10).view());
    made.end_column(column);
  }
  made.footer(columns, 10);
  MemoryFile file = made.open();
  ReaderOptions options;
  options.buffer_bytes = 64;
  Reader reader;
  const ColumnChoice choices[] = {{2, 1024}, {0}, {1}};
  REQUIRE_EQ(reader.open(file, options, arena), Status::kOk);
  REQUIRE_EQ(reader.choose(choices), Status::kOk);
  const auto needed = static_cast<std::size_t>(reader.needed_bytes());
  CHECK_EQ(needed, Reader::required_bytes(3, 3, options) + 1024 - 64);
  REQUIRE_EQ(reader.open(file, options, {arena, needed - 1}), Status::kOk);
  CHECK_EQ(reader.choose(choices), Status::kOutOfMemory);
  CHECK_EQ(reader.needed_bytes(), needed);
  const ColumnChoice twice[] = {{0}, {0}};
  CHECK_EQ(reader.choose(twice), Status::kInvalidArgument);
  const ColumnChoice short_one[] = {{0, 63}};
  CHECK_EQ(reader.choose(short_one), Status::kInvalidArgument);
  REQUIRE_EQ(reader.open(file, options, {arena, needed}), Status::kOk);
  REQUIRE_EQ(reader.choose(choices), Status::kOk);
  CHECK_EQ(reader.chosen_column(0), 2U);
  for (std::int32_t row = 0; row < 10; ++row) {
    REQUIRE_EQ(reader.next_row(), Status::kOk);
    for (std::size_t i = 0; i < 3; ++i) CHECK_EQ(reader.cell(i).as<std::int32_t>(), row);
  }
  CHECK_EQ(reader.next_row(), Status::kEnd);
}
