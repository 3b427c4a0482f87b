// DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY as they are read, and what comes of pages that cannot be.
#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "made_file.h"
#include "microparquet/read_all.h"
#include "support/check.h"
#include "support/names.h"

using made::Bytes;
using made::Column;
using made::Page;
using microparquet::Batch;
using microparquet::MemoryFile;

namespace {

alignas(8) std::byte arena[8192];
constexpr std::int32_t kDeltaLength = 6;
constexpr std::int32_t kDeltaBytes = 7;
using Numbers = std::initializer_list<std::int32_t>;
using Texts = std::initializer_list<std::string_view>;

// Adds numbers in DELTA_BINARY_PACKED, with steps of less than 256, and as many as a miniblock has at most.
Bytes& add_packed(Bytes& out, Numbers numbers) {
  const std::int32_t* const first = numbers.begin();
  const std::size_t count = numbers.size();
  out.varint(128).varint(4).varint(count).zigzag(count != 0 ? *first : 0);
  if (count < 2) return out;
  std::int32_t least = first[1] - first[0];
  for (std::size_t i = 2; i < count; ++i) least = std::min(least, first[i] - first[i - 1]);
  out.zigzag(least).byte(8).byte(0).byte(77).byte(0);  // widths that are not needed may be anything
  for (std::size_t i = 1; i <= 32; ++i)
    out.byte(i < count ? static_cast<unsigned>(first[i] - first[i - 1] - least) : 0xEE);
  return out;
}

// The page that is being made: one at a time.
Bytes& empty_body() {
  static Bytes body;
  body.clear();
  return body;
}
Bytes& lengths_and(Numbers lengths, std::string_view bytes) {
  return add_packed(empty_body(), lengths).text(bytes);
}
Bytes& prefixes_and(Numbers prefixes, Numbers lengths, std::string_view bytes) {
  return add_packed(add_packed(empty_body(), prefixes), lengths).text(bytes);
}

// A column of one page in a file.
struct OnePage {
  std::int32_t type = made::kByteArray;
  std::int32_t encoding = kDeltaLength;
  std::int64_t values = 5;
  std::int32_t type_length = 0;

  MemoryFile file(const Bytes& body) const {
    made::File made;
    Column column;
    column.type = type;
    column.type_length = type_length;
    column.values = values;
    made.begin_column(column);
    Page page;
    page.values = values;
    page.encoding = encoding;
    made.page(page, body.view());
    made.end_column(column);
    made.footer({&column, 1}, values);
    return made.open();
  }
};

ReaderOptions all_decoders() {
  ReaderOptions options;
  options.decoders = microparquet::kAllDecoders;
  return options;
}

// The status of the first row, which every further call repeats: the reader gives out nothing of a bad page.
Status first_status(const OnePage& column, const Bytes& body) {
  MemoryFile file = column.file(body);
  const ReaderOptions options = all_decoders();
  Reader reader;
  CHECK_EQ(reader.open(file, options, arena), Status::kOk);
  CHECK_EQ(reader.choose_all(), Status::kOk);
  const Status status = reader.next_row();
  CHECK_EQ(reader.next_row(), status);
  return status;
}

void expect_rows(const OnePage& column, const Bytes& body, Texts expected) {
  MemoryFile file = column.file(body);
  const ReaderOptions options = all_decoders();
  Reader reader;
  REQUIRE_EQ(reader.open(file, options, arena), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  for (const std::string_view value : expected) {
    REQUIRE_EQ(reader.next_row(), Status::kOk);
    CHECK_EQ(reader.cell(0).text(), value);
  }
  CHECK_EQ(reader.next_row(), Status::kEnd);
}

// Skips the values up to each, and then reads it.
void expect_each_alone(const OnePage& column, const Bytes& body, Texts expected) {
  MemoryFile file = column.file(body);
  const ReaderOptions options = all_decoders();
  Reader reader;
  REQUIRE_EQ(reader.open(file, options, arena), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  for (std::size_t wanted = 0; wanted < expected.size(); ++wanted) {
    REQUIRE_EQ(reader.seek_row_group(0), Status::kOk);
    for (std::size_t i = 0; i < wanted; ++i) REQUIRE_EQ(reader.skip_row(), Status::kOk);
    REQUIRE_EQ(reader.next_row(), Status::kOk);
    CHECK_EQ(reader.cell(0).text(), expected.begin()[wanted]);
  }
}

// Reads batches of any length up to `most`: all values of one stay until the next.
void expect_batches(const OnePage& column, const Bytes& body, Texts expected, std::size_t most) {
  MemoryFile file = column.file(body);
  const ReaderOptions options = all_decoders();
  Reader reader;
  REQUIRE_EQ(reader.open(file, options, arena), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  REQUIRE_EQ(reader.next_row_group(), Status::kOk);
  std::string_view values[8];
  Batch<std::string_view> batch({values, most});
  const std::string_view* next = expected.begin();
  Status status = Status::kOk;
  while ((status = reader.next_batch(0, batch)) == Status::kOk) {
    for (const std::string_view value : batch.read()) {
      REQUIRE(next != expected.end());
      CHECK_EQ(value, *next++);
    }
  }
  CHECK_EQ(status, Status::kEnd);
  CHECK(next == expected.end());
}

void expect_values(const OnePage& column, const Bytes& body, Texts expected) {
  expect_rows(column, body, expected);
  expect_each_alone(column, body, expected);
  for (std::size_t most = 1; most <= 8; ++most) expect_batches(column, body, expected, most);
}

}  // namespace

TEST("lengths and bytes: values of any length") {
  const OnePage column;
  expect_values(column, lengths_and({5, 5, 6, 0, 6}, "HelloWorldFoobarABCDEF"),
                {"Hello", "World", "Foobar", "", "ABCDEF"});
  expect_values(column, lengths_and({0, 0, 0, 0, 0}, ""), {"", "", "", "", ""});
  expect_values({made::kByteArray, kDeltaLength, 1}, lengths_and({3}, "one"), {"one"});
}

TEST("lengths and bytes: pages that cannot be") {
  const auto status_of = [](const Bytes& body) { return first_status({}, body); };
  CHECK_EQ(status_of(lengths_and({1, 1, 1, 1, 1}, "abcde")), Status::kOk);
  CHECK_EQ(status_of(empty_body()), Status::kCorrupt);
  // More or fewer lengths than values, and bytes than lengths say.
  CHECK_EQ(status_of(lengths_and({1, 1, 1, 1}, "abcd")), Status::kCorrupt);
  CHECK_EQ(status_of(lengths_and({1, 1, 1, 1, 1, 1}, "abcdef")), Status::kCorrupt);
  CHECK_EQ(status_of(lengths_and({1, 1, 1, 1, 1}, "abcd")), Status::kCorrupt);
  CHECK_EQ(status_of(lengths_and({1, 1, 1, 1, 1}, "abcdef")), Status::kCorrupt);
  // One that is negative, though their sum is right; the last one, too.
  CHECK_EQ(status_of(lengths_and({1, -1, 3, 1, 1}, "abcde")), Status::kCorrupt);
  CHECK_EQ(status_of(lengths_and({1, 1, 1, 3, -1}, "abcde")), Status::kCorrupt);
  CHECK_EQ(status_of(lengths_and({-1, 3, 1, 1, 1}, "abcde")), Status::kCorrupt);
  // Lengths that are cut off, wherever.
  const std::size_t whole = lengths_and({0, 0, 0, 0, 0}, "").size();
  for (std::size_t bytes = 0; bytes < whole; ++bytes) {
    static char part[100];
    REQUIRE(whole <= sizeof part);
    std::copy_n(lengths_and({0, 0, 0, 0, 0}, "").view().data(), bytes, part);
    CHECK_EQ(status_of(empty_body().text({part, bytes})), Status::kCorrupt);
  }
  // A width that no length has, and a block of too many miniblocks.
  CHECK_EQ(
      status_of(empty_body().varint(128).varint(1).varint(5).zigzag(0).zigzag(0).byte(65).little(0, 600)),
      Status::kCorrupt);
  CHECK_EQ(status_of(empty_body().varint(33 * 32).varint(33).varint(5).zigzag(0)), Status::kUnsupported);
}

TEST("prefixes: values that begin as the one before") {
  const OnePage column{made::kByteArray, kDeltaBytes};
  expect_values(column, prefixes_and({0, 2, 0, 3, 8}, {4, 2, 6, 5, 0}, "axislebabbleyhood"),
                {"axis", "axle", "babble", "babyhood", "babyhood"});
  expect_values(column, prefixes_and({0, 0, 0, 0, 0}, {0, 0, 1, 0, 2}, "abc"), {"", "", "a", "", "bc"});
  expect_values(column, prefixes_and({0, 9, 9, 9, 9}, {9, 0, 0, 0, 0}, "the same!"),
                {"the same!", "the same!", "the same!", "the same!", "the same!"});
}

TEST("prefixes of fixed-width values") {
  const OnePage column{made::kFixed, kDeltaBytes, 5, 4};
  MemoryFile file = column.file(prefixes_and({0, 2, 4, 0, 3}, {4, 2, 0, 4, 1}, "axislebabyy"));
  const ReaderOptions options = all_decoders();
  Reader reader;
  REQUIRE_EQ(reader.open(file, options, arena), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  for (const char* const value : {"axis", "axle", "axle", "baby", "baby"}) {
    REQUIRE_EQ(reader.next_row(), Status::kOk);
    CHECK_EQ(reader.cell(0).text(), std::string_view(value));
  }
  CHECK_EQ(reader.next_row(), Status::kEnd);
  REQUIRE_EQ(reader.seek_row_group(0), Status::kOk);
  char values[5][4];
  microparquet::AnyBatch batch;
  batch.values = values;
  batch.places = 5;
  REQUIRE_EQ(reader.next_batch(0, batch), Status::kOk);
  CHECK_EQ(batch.value_count, 5U);
  CHECK_EQ(std::string_view(values[0], sizeof values), std::string_view("axisaxleaxlebabybaby"));
  // One of another length.
  CHECK_EQ(first_status(column, prefixes_and({0, 2, 4, 0, 3}, {4, 3, 0, 4, 1}, "axisle!babyy")),
           Status::kCorrupt);
}

TEST("prefixes: pages that cannot be") {
  const auto status_of = [](const Bytes& body) {
    return first_status({made::kByteArray, kDeltaBytes}, body);
  };
  CHECK_EQ(status_of(prefixes_and({0, 1, 2, 3, 4}, {1, 1, 1, 1, 1}, "abcde")), Status::kOk);
  CHECK_EQ(status_of(empty_body()), Status::kCorrupt);
  // Longer than the value before it, of which there is none before the first one.
  CHECK_EQ(status_of(prefixes_and({1, 1, 2, 3, 4}, {1, 1, 1, 1, 1}, "abcde")), Status::kCorrupt);
  CHECK_EQ(status_of(prefixes_and({0, 2, 2, 3, 4}, {1, 1, 1, 1, 1}, "abcde")), Status::kCorrupt);
  CHECK_EQ(status_of(prefixes_and({0, 1, 2, 3, 5}, {1, 1, 1, 1, 1}, "abcde")), Status::kCorrupt);
  CHECK_EQ(status_of(prefixes_and({0, 1, -1, 3, 4}, {1, 1, 1, 1, 1}, "abcde")), Status::kCorrupt);
  CHECK_EQ(status_of(prefixes_and({0, 1, 2, 3, 4}, {1, 1, 3, -1, 1}, "abcde")), Status::kCorrupt);
  // More or fewer of one kind than of the other, or than values, and bytes than lengths say.
  CHECK_EQ(status_of(prefixes_and({0, 1, 2, 3}, {1, 1, 1, 1, 1}, "abcde")), Status::kCorrupt);
  CHECK_EQ(status_of(prefixes_and({0, 1, 2, 3, 4}, {1, 1, 1, 1}, "abcd")), Status::kCorrupt);
  CHECK_EQ(status_of(prefixes_and({0, 1, 2, 3, 4}, {1, 1, 1, 1, 1, 1}, "abcdef")), Status::kCorrupt);
  CHECK_EQ(status_of(prefixes_and({0, 1, 2, 3}, {1, 1, 1, 1}, "abcd")), Status::kCorrupt);
  CHECK_EQ(status_of(prefixes_and({0, 1, 2, 3, 4}, {1, 1, 1, 1, 1}, "abcd")), Status::kCorrupt);
  CHECK_EQ(status_of(prefixes_and({0, 1, 2, 3, 4}, {1, 1, 1, 1, 1}, "abcdef")), Status::kCorrupt);
  CHECK_EQ(status_of(add_packed(empty_body(), {0, 1, 2, 3, 4})), Status::kCorrupt);
}

// The lengths of these values take no bytes: the reader must not look at them one by one.
TEST("two billion values in a few bytes") {
  constexpr std::uint32_t kMany = 0x7FFFFFFF;
  constexpr std::uint64_t kBlock = std::uint64_t{1} << 31;
  const auto add_zeros = [](Bytes& out) {
    out.varint(kBlock).varint(1).varint(kMany).zigzag(0).zigzag(0).byte(0);
  };
  Bytes& body = empty_body();
  add_zeros(body);
  CHECK_EQ(first_status({made::kByteArray, kDeltaLength, kMany}, body), Status::kOk);
  add_zeros(body);
  CHECK_EQ(first_status({made::kByteArray, kDeltaBytes, kMany}, body), Status::kOk);
}

TEST("a page and, of prefixes, its longest value fit in the buffer, else it says how large that must be") {
  static char text[4 * 250];
  std::fill_n(text, sizeof text, 'x');
  alignas(8) static std::byte larger[2][2560];
  for (const std::int32_t encoding : {kDeltaLength, kDeltaBytes}) {
    // Prefixes make values of 250, 500, 750 and 1,000 bytes.
    const Bytes& body = encoding == kDeltaLength
                            ? lengths_and({250, 250, 250, 250}, {text, sizeof text})
                            : prefixes_and({0, 250, 500, 750}, {250, 250, 250, 250}, {text, sizeof text});
    MemoryFile file = OnePage{made::kByteArray, encoding, 4}.file(body);
    ReaderOptions options = all_decoders();
    options.buffer_bytes = 256;
    Reader reader;
    REQUIRE_EQ(reader.open(file, options, {arena, Reader::required_bytes(1, 1, options)}), Status::kOk);
    REQUIRE_EQ(reader.choose_all(), Status::kOk);
    // The page, and then the value beside it.
    const int times = encoding == kDeltaLength ? 1 : 2;
    for (int time = 0; time < times; ++time) {
      CHECK_EQ(reader.next_row(), Status::kOutOfMemory);
      CHECK_EQ(reader.next_row(), Status::kOutOfMemory);
      const auto needed = static_cast<std::size_t>(reader.needed_bytes() + 7) & ~std::size_t{7};
      CHECK(needed >= body.size() && needed < 3 * body.size());
      REQUIRE_EQ(reader.move_buffer(0, {larger[time], needed}), Status::kOk);
    }
    for (std::size_t row = 1; row <= 4; ++row) {
      REQUIRE_EQ(reader.next_row(), Status::kOk);
      const std::size_t length = encoding == kDeltaLength ? 250 : 250 * row;
      CHECK_EQ(reader.cell(0).text(), std::string_view(text, length));
    }
    CHECK_EQ(reader.next_row(), Status::kEnd);
  }
}
