// Structs and arrays in, the same rows out; and the levels of both by a model.
#include "microparquet/static_nested_writer.h"

#include <array>
#include <cstring>
#include <optional>

#include "hybrid_view.h"
#include "microparquet/codecs.h"
#include "microparquet/decoders.h"
#include "microparquet/detail/array_encoder.h"
#include "microparquet/detail/deep_levels.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/static_nested_reader.h"
#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::MemoryFile;
using microparquet::Text;
using microparquet::detail::ArrayEncoder;
using microparquet::detail::ColumnPlan;
using microparquet::detail::ColumnWriter;
using microparquet::detail::DeepLevels;

namespace {

struct NestedPlace {
  std::int16_t x, y;
};
struct NestedFix {
  double latitude;
  std::optional<float> height;
  std::optional<NestedPlace> place;
};
struct NestedRow {
  std::int64_t time;
  std::optional<NestedFix> fix;
  NestedPlace place;
  std::array<float, 33> spectrum;
  std::array<NestedPlace, 8> burst;
  std::array<bool, 5> bits;
  std::array<Text<4>, 2> names;
  std::array<std::int32_t, 1> one;
};
inline constexpr auto kNestedSchema = microparquet::schema(
    microparquet::column("time", &NestedRow::time),
    microparquet::group(
        "fix", &NestedRow::fix, microparquet::column("lat", &NestedFix::latitude),
        microparquet::column("height", &NestedFix::height),
        microparquet::group("place", &NestedFix::place, microparquet::column("x", &NestedPlace::x))),
    microparquet::group("place", &NestedRow::place, microparquet::column("x", &NestedPlace::x),
                        microparquet::column("y", &NestedPlace::y)),
    microparquet::list("spectrum", &NestedRow::spectrum).with_page_bytes(1024),
    microparquet::list("burst", &NestedRow::burst, microparquet::column("x", &NestedPlace::x),
                       microparquet::column("y", &NestedPlace::y))
        .with_compressor(microparquet::kLz4RawCompressor)
        .with_page_bytes(1024),
    microparquet::list("bits", &NestedRow::bits), microparquet::list("names", &NestedRow::names),
    microparquet::list("one", &NestedRow::one));
inline constexpr const microparquet::Decompressor* kNestedDecompressors[] = {
    &microparquet::kLz4RawDecompressor};
inline constexpr ReaderOptions kNestedOptions = [] {
  ReaderOptions options;
  options.buffer_bytes = 4096;
  options.decompressors = kNestedDecompressors;
  return options;
}();
microparquet::StaticWriter<kNestedSchema> nested_writer;
microparquet::StaticReader<kNestedSchema, kNestedOptions> nested_reader;

NestedRow nested_row(std::uint32_t i) {
  NestedRow row = {};
  row.time = i;
  if (i % 3 != 0) {
    row.fix.emplace();
    row.fix->latitude = i * 0.5;
    if (i % 4 != 0) row.fix->height = static_cast<float>(i);
    if (i % 5 != 0) row.fix->place = NestedPlace{static_cast<std::int16_t>(i), 0};
  }
  row.place = {static_cast<std::int16_t>(i), static_cast<std::int16_t>(i + 1)};
  for (std::size_t k = 0; k < row.spectrum.size(); ++k) row.spectrum[k] = static_cast<float>(i + k);
  for (std::size_t k = 0; k < row.burst.size(); ++k) {
    row.burst[k] = {static_cast<std::int16_t>(k), static_cast<std::int16_t>(i)};
  }
  for (std::size_t k = 0; k < row.bits.size(); ++k) row.bits[k] = (i + k) % 3 == 0;
  row.names[0] = written::part("abcd", i % 4);
  row.names[1] = written::part("wxyz", (i + 1) % 5);
  row.one[0] = static_cast<std::int32_t>(i * i);
  return row;
}

void check_nested_row(const NestedRow& found, std::uint32_t i) {
  const NestedRow row = nested_row(i);
  CHECK_EQ(found.time, row.time);
  REQUIRE(found.fix.has_value() == row.fix.has_value());
  if (row.fix && found.fix) {
    CHECK(found.fix->latitude == row.fix->latitude);
    CHECK(found.fix->height == row.fix->height);
    REQUIRE(found.fix->place.has_value() == row.fix->place.has_value());
    if (row.fix->place && found.fix->place) CHECK_EQ(found.fix->place->x, row.fix->place->x);
  }
  CHECK(found.place.x == row.place.x && found.place.y == row.place.y);
  CHECK(found.spectrum == row.spectrum);
  for (std::size_t k = 0; k < row.burst.size(); ++k) {
    CHECK(found.burst[k].x == row.burst[k].x && found.burst[k].y == row.burst[k].y);
  }
  CHECK(found.bits == row.bits);
  CHECK(std::string_view(found.names[0]) == std::string_view(row.names[0]));
  CHECK(std::string_view(found.names[1]) == std::string_view(row.names[1]));
  CHECK(found.one == row.one);
}

void check_nested_file(MemoryFile& file, std::uint32_t rows) {
  REQUIRE_EQ(nested_reader.open(file), Status::kOk);
  NestedRow row = {};
  for (std::uint32_t i = 0; i < rows; ++i) {
    REQUIRE_EQ(nested_reader.next(row), Status::kOk);
    check_nested_row(row, i);
  }
  CHECK_EQ(nested_reader.next(row), Status::kEnd);
}

}  // namespace

TEST("structs and arrays: rows come back as they were") {
  constexpr std::uint32_t kRows = 60;
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(nested_writer.open(file), Status::kOk);
  for (std::uint32_t i = 0; i < kRows; ++i) {
    REQUIRE_EQ(nested_writer.append(nested_row(i)), Status::kOk);
    if (i == 20) REQUIRE_EQ(nested_writer.checkpoint(), Status::kOk);
  }
  REQUIRE_EQ(nested_writer.close(), Status::kOk);
  check_nested_file(file, kRows);
}

TEST("structs and arrays: a file is resumed") {
  constexpr std::uint32_t kRows = 50;
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(nested_writer.open(file), Status::kOk);
  for (std::uint32_t i = 0; i < 30; ++i) {
    REQUIRE_EQ(nested_writer.append(nested_row(i)), Status::kOk);
    if (i == 19) REQUIRE_EQ(nested_writer.checkpoint(), Status::kOk);
  }
  nested_writer.reset();
  REQUIRE_EQ(nested_writer.resume(file), Status::kOk);
  REQUIRE_EQ(nested_writer.rows(), 20U);
  for (std::uint32_t i = 20; i < kRows; ++i) REQUIRE_EQ(nested_writer.append(nested_row(i)), Status::kOk);
  REQUIRE_EQ(nested_writer.close(), Status::kOk);
  check_nested_file(file, kRows);
}

namespace {

constexpr std::size_t kArrayHeader = 4096;
constexpr std::size_t kMostArrayValues = 3000;
alignas(8) std::byte array_page[kArrayHeader + 4 * kMostArrayValues];
std::uint8_t array_levels[kMostArrayValues];

// Reads a stream of levels of one bit with its length. Returns whether they are as `expected(i)` says.
template <typename Expected>
bool stream_holds(const std::byte*& at, std::size_t count, Expected expected) {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  at += sizeof bytes;
  if (!view::hybrid(at, at + bytes, 1, count, array_levels)) return false;
  at += bytes;
  for (std::size_t i = 0; i < count; ++i) {
    if (array_levels[i] != expected(i)) return false;
  }
  return true;
}

void check_array_page(std::uint32_t slots, std::uint32_t rows) {
  const ArrayEncoder encoder = microparquet::detail::array_encoder(microparquet::kPlainFixed, slots);
  ColumnPlan plan{};
  plan.encoder = &encoder;
  plan.bounds = &microparquet::kNoBounds;
  plan.shape.value_bytes = 4;
  ColumnWriter column{};
  column.plan = &plan;
  column.page = array_page;
  column.values = array_page + kArrayHeader;
  column.cursor = column.values + std::size_t{4} * rows * slots;
  column.end = array_page + sizeof array_page;
  const std::byte* const values = column.values;
  column.first_row = 1000;
  column.row_count = rows;
  encoder.finish(column);
  CHECK_EQ(column.row_count, rows * slots);
  CHECK_EQ(column.first_row + column.row_count, 1000 + rows);
  CHECK(static_cast<std::uint32_t>(values - column.values) <=
        microparquet::detail::array_level_bytes(rows, slots));
  const std::byte* at = column.values;
  CHECK(stream_holds(at, std::size_t{rows} * slots, [&](std::size_t i) { return i % slots == 0 ? 0 : 1; }));
  CHECK(stream_holds(at, std::size_t{rows} * slots, [](std::size_t) { return 1; }));
  CHECK(at == values);
}

}  // namespace

TEST("levels of arrays are those of a model") {
  for (const std::uint32_t slots : {1U, 2U, 3U, 7U, 8U, 9U, 16U, 31U, 32U, 33U, 64U, 65U, 100U, 300U}) {
    for (std::uint32_t rows = 1; rows * slots <= kMostArrayValues && rows < 80; ++rows)
      check_array_page(slots, rows);
  }
}

TEST("an array fits in a page with all its values") {
  const ArrayEncoder encoder = microparquet::detail::array_encoder(microparquet::kPlainFixed, 10);
  ColumnPlan plan{};
  plan.encoder = &encoder;
  plan.shape.value_bytes = 4;
  ColumnWriter column{};
  column.plan = &plan;
  column.page = column.values = column.cursor = array_page;
  column.end = array_page + 85;
  CHECK_EQ(encoder.values_that_fit(column, 85, 0), 2U);
  column.end = array_page;  // an extent that ends before the values
  CHECK_EQ(encoder.values_that_fit(column, 0xFFFFFFF0, 0), 0U);
}

namespace {

// A page of levels of which each comes often and seldom, below each maximum.
void check_deep_page(std::uint8_t highest) {
  constexpr std::uint32_t kCount = 200;
  const DeepLevels levels(highest);
  ColumnPlan plan{};
  plan.encoder = &microparquet::kPlainFixed;
  plan.levels = &levels;
  plan.shape.value_bytes = 4;
  plan.page_bytes = sizeof array_page;
  plan.header_bytes = 64;
  microparquet::detail::LevelEncoder encoder{};
  ColumnWriter column{};
  column.plan = &plan;
  column.levels = &encoder;
  column.page = array_page;
  column.values = column.cursor = array_page + plan.header_bytes;
  column.end = array_page + sizeof array_page;
  std::uint8_t expected[kCount];
  std::uint32_t nulls = 0;
  REQUIRE(levels.prepare_rows(column, kCount) == kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const std::uint32_t random = written::mix(i / (1 + i / 20 % 12), highest);
    expected[i] = static_cast<std::uint8_t>(random % (highest + 1U));
    nulls += expected[i] != highest ? 1U : 0U;
    levels.put(column, expected[i], 1);
    if (expected[i] == highest) column.cursor += 4;
  }
  const std::byte* const values = column.values;
  levels.finish(column);
  CHECK_EQ(column.nulls, nulls);
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, column.values, sizeof bytes);
  const std::byte* const at = column.values + sizeof bytes;
  CHECK(at + bytes == values);
  REQUIRE(view::hybrid(at, at + bytes, levels.bit_width(), kCount, array_levels));
  for (std::uint32_t i = 0; i < kCount; ++i) CHECK_EQ(array_levels[i], expected[i]);
}

}  // namespace

TEST("levels of optional structs are those of a model") {
  for (std::uint8_t highest = 2; highest <= 14; ++highest) check_deep_page(highest);
}

namespace {

struct LongArray {
  std::array<std::int64_t, 20> values;
  std::array<Text<200>, 3> texts;
};
inline constexpr auto kLongArray = microparquet::schema(microparquet::list("values", &LongArray::values),
                                                        microparquet::list("texts", &LongArray::texts));
microparquet::StaticWriter<kLongArray> long_writer;

}  // namespace

// A row that fits in no page is refused as it is, and the next one is taken.
TEST("an array of texts that fits in no page is refused") {
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(long_writer.open(file), Status::kOk);
  char letters[200];
  std::memset(letters, 'a', sizeof letters);
  LongArray row = {};
  for (Text<200>& text : row.texts) text = std::string_view(letters, sizeof letters);
  CHECK_EQ(long_writer.append(row), Status::kValueTooLarge);
  CHECK_EQ(long_writer.rows(), 0U);
  row.texts[0] = std::string_view("b");
  row.texts[1] = std::string_view("c");
  CHECK_EQ(long_writer.append(row), Status::kOk);
  CHECK_EQ(long_writer.rows(), 1U);
  CHECK_EQ(long_writer.close(), Status::kOk);
}

namespace {

inline constexpr Options kNestedTailed = [] {
  Options options;
  options.layout = &microparquet::kInPlaceTailed;
  return options;
}();
microparquet::StaticWriter<kNestedSchema, kNestedTailed> tailed_writer;

// The cost of each checkpoint is no more than is promised for as many row groups.
template <const auto& kOptions, typename Writer>
void check_checkpoint_costs(Writer& writer) {
  constexpr auto kColumns = microparquet::written_columns<kNestedSchema, kOptions>();
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(writer.open(file), Status::kOk);
  for (std::uint32_t i = 0; i < 60; ++i) {
    REQUIRE_EQ(writer.append(nested_row(i)), Status::kOk);
    CHECK(writer.checkpoint_sectors() <=
          microparquet::max_checkpoint_sectors(kColumns, kOptions, writer.row_groups() + 1));
    if (i % 7 == 6) REQUIRE_EQ(writer.checkpoint(), Status::kOk);
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
}

}  // namespace

TEST("structs and arrays: a checkpoint costs no more than durability.h says") {
  check_checkpoint_costs<microparquet::kDefaultOptions>(nested_writer);
  check_checkpoint_costs<kNestedTailed>(tailed_writer);
  constexpr auto kColumns = microparquet::written_columns<kNestedSchema>();
  static_assert(kColumns.head_bytes > microparquet::format::footer_head_bytes(kColumns.columns));
  constexpr microparquet::LogRate kRate{36000, 300, 100, 0};
  static_assert(microparquet::loss_bound(kColumns, microparquet::kDefaultOptions, kRate, 100).ms < 700'000);
}
