// Structs in, and the same file as by the other ways of appending.
#include "microparquet/static_writer.h"

#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

#include "microparquet/port/memory_file.h"
#include "microparquet/rolling.h"
#include "microparquet/sorting.h"
#include "support/check.h"
#include "support/file_view.h"
#include "support/names.h"
#include "wide_row.h"
#include "written_file.h"

using microparquet::ColumnData;
using microparquet::MemoryFile;

namespace {

using wide::Row;
inline constexpr auto kSchema = wide::schema_with(microparquet::column("name", &Row::name));
constexpr std::size_t kColumns = decltype(kSchema)::kColumns;

inline constexpr SortingColumn kByTime[] = {{0, false, false}};
constexpr Options make_options(std::uint32_t page_bytes, std::uint32_t row_group_rows,
                               const microparquet::Layout& layout) {
  Options options;
  options.page_bytes = page_bytes;
  options.whole_sectors = page_bytes % 512 == 0;
  options.row_group_rows = row_group_rows;
  options.row_group_bytes = row_group_rows == 0 ? 24 << 10 : 0;
  options.layout = &layout;
  options.sorting = microparquet::sorted_by(kByTime);
  return options;
}
constexpr Options on_cache_lines(Options options) {
  options.transfer_align = 32;
  return options;
}
inline constexpr Options kSector = make_options(512, 0, microparquet::kInPlace);
inline constexpr Options kOnLines = on_cache_lines(kSector);
inline constexpr Options kTiny = make_options(256, 100, microparquet::kInPlace);
inline constexpr Options kForward = make_options(256, 0, microparquet::kForward);

microparquet::StaticWriter<kSchema, kSector> sector_writer;
microparquet::StaticWriter<kSchema, kTiny> tiny_writer;
microparquet::StaticWriter<kSchema, kForward> forward_writer;

constexpr char kText[] = "strings of up to forty-two bytes, this long";

// Nulls by pattern: none, all, now and then, in runs.
bool is_null(unsigned pattern, std::uint32_t i, std::uint32_t column) {
  switch (pattern) {
    case 0: return false;
    case 1: return true;
    case 2: return written::mix(i, column) % 3 == 0;
    default: return written::mix(i / 20, column) % 2 == 0;
  }
}

Row make_row(std::uint32_t i, unsigned pattern) {
  const std::uint32_t random = written::mix(i);
  Row row = {};
  row.time = 1000 + i * 10;
  row.flag = (random & 1) != 0;
  row.small = static_cast<std::int8_t>(random);
  row.medium = static_cast<std::uint16_t>(random >> 3);
  row.large = random;
  row.huge = static_cast<std::uint64_t>(random) << 32 | i;
  row.x = static_cast<float>(random % 1000);
  row.y = -static_cast<double>(random);
  std::memcpy(row.bytes.data(), &random, 4);
  row.name = std::string_view(kText + random % 20, random % 13);
  row.text = std::string_view(kText, random % sizeof kText);
  if (!is_null(pattern, i, 1)) row.temperature = row.x * 2;
  if (!is_null(pattern, i, 2)) row.on = (random & 2) != 0;
  if (!is_null(pattern, i, 3)) row.note = written::part(row.text, row.text.size() / 2);
  row.nested.inner[1] = -static_cast<std::int32_t>(i);
  return row;
}

Value fixed(const Row& row) {
  return Value::of_fixed({reinterpret_cast<const char*>(row.bytes.data()), row.bytes.size()});
}

// One row as values; `row` must stay.
void to_values(const Row& row, Value (&values)[kColumns]) {
  const Value all[kColumns] = {
      Value::of(row.time),
      Value::of(row.flag),
      Value::of(static_cast<std::int32_t>(row.small)),
      Value::of(static_cast<std::int32_t>(row.medium)),
      Value::of(static_cast<std::int32_t>(row.large)),
      Value::of(static_cast<std::int64_t>(row.huge)),
      Value::of(row.x),
      Value::of(row.y),
      fixed(row),
      Value::of_bytes(row.name),
      Value::of_bytes(row.text),
      row.temperature ? Value::of(*row.temperature) : Value(),
      row.on ? Value::of(*row.on) : Value(),
      row.note ? Value::of_bytes(*row.note) : Value(),
      Value::of(row.nested.inner[1]),
  };
  for (std::size_t i = 0; i < kColumns; ++i) values[i] = all[i];
}

constexpr std::uint32_t kRows = 700;
constexpr std::uint32_t kMaxBatch = 250;

// A batch of rows as columns.
struct Batch {
  Row rows[kMaxBatch];
  std::byte values[kColumns][kMaxBatch * 8];
  std::string_view views[kColumns][kMaxBatch];
  std::uint8_t valid[kColumns][kMaxBatch];
  ColumnData columns[kColumns];
};
Batch batch;

void fill_batch(std::uint32_t first, std::uint32_t count, unsigned pattern) {
  for (std::uint32_t i = 0; i < count; ++i) {
    batch.rows[i] = make_row(first + i, pattern);
    Value values[kColumns];
    to_values(batch.rows[i], values);
    for (std::size_t c = 0; c < kColumns; ++c) {
      const Field& field = kSchema.fields[c];
      const std::uint32_t width = microparquet::value_bytes(field.type, field.type_length);
      const bool is_fixed = field.type == microparquet::Type::kFixedLenByteArray;
      const void* const value =
          is_fixed ? static_cast<const void*>(values[c].bytes.data()) : &values[c].int64;
      batch.valid[c][i] = values[c].null ? 0 : 1;
      batch.views[c][i] = values[c].bytes;
      if (width != 0) std::memcpy(batch.values[c] + i * width, value, width);
      batch.columns[c].values = width != 0 ? static_cast<const void*>(batch.values[c]) : batch.views[c];
      const bool optional = field.repetition == microparquet::Repetition::kOptional;
      batch.columns[c].valid = optional && pattern != 0 ? batch.valid[c] : nullptr;
    }
  }
}

template <typename StaticWriter>
bool write_structs(StaticWriter& writer, MemoryFile& file, unsigned pattern) {
  bool ok = writer.open(file) == Status::kOk;
  for (std::uint32_t i = 0; i < kRows && ok; ++i) ok = writer.append(make_row(i, pattern)) == Status::kOk;
  return ok && writer.rows() == kRows && writer.close() == Status::kOk;
}

bool write_values(const Options& options, MemoryFile& file, unsigned pattern) {
  Writer writer;
  bool ok = writer.open(file, kSchema, options, written::arena_memory()) == Status::kOk;
  for (std::uint32_t i = 0; i < kRows && ok; ++i) {
    const Row row = make_row(i, pattern);
    Value values[kColumns];
    to_values(row, values);
    ok = writer.append(values) == Status::kOk;
  }
  return ok && writer.close() == Status::kOk;
}

bool write_batches(const Options& options, MemoryFile& file, unsigned pattern, std::uint32_t size) {
  Writer writer;
  bool ok = writer.open(file, kSchema, options, written::arena_memory()) == Status::kOk;
  for (std::uint32_t i = 0; i < kRows && ok; i += size) {
    const std::uint32_t count = kRows - i < size ? kRows - i : size;
    fill_batch(i, count, pattern);
    ok = writer.append_columns(batch.columns, count) == Status::kOk;
  }
  return ok && writer.close() == Status::kOk;
}

bool same(const MemoryFile& a, const MemoryFile& b) {
  return a.contents().size() == b.contents().size() &&
         std::memcmp(a.contents().data(), b.contents().data(), a.contents().size()) == 0;
}

// Decodes the columns whose values are easy to tell, and all others for soundness.
void check_rows(const view::File& file, unsigned pattern) {
  REQUIRE(file.whole());
  REQUIRE_EQ(file.rows(), kRows);
  for (std::uint32_t c = 0; c < kColumns; ++c) {
    view::Column column(file, c);
    view::Cell cell = {};
    for (std::uint32_t i = 0; i < kRows; ++i) {
      REQUIRE(column.next(cell));
      const Row row = make_row(i, pattern);
      Value values[kColumns];
      to_values(row, values);
      REQUIRE_EQ(cell.null, values[c].null);
      if (cell.null) continue;
      const bool is_text =
          !values[c].bytes.empty() || kSchema.fields[c].type == microparquet::Type::kByteArray;
      const std::string_view number(reinterpret_cast<const char*>(&values[c].int64), cell.bytes.size());
      REQUIRE_EQ(cell.bytes, is_text ? values[c].bytes : number);
    }
    CHECK(!column.next(cell) && column.sound());
  }
}

// The equal bytes of all three ways, for all patterns of nulls.
template <typename StaticWriter>
void compare_ways(StaticWriter& writer, const Options& options) {
  for (unsigned pattern = 0; pattern < 4; ++pattern) {
    MemoryFile structs(written::file_memory(0));
    REQUIRE(write_structs(writer, structs, pattern));
    check_rows(view::File(structs.contents()), pattern);
    MemoryFile values(written::file_memory(1));
    REQUIRE(write_values(options, values, pattern));
    CHECK(same(structs, values));
    for (const std::uint32_t size : {1U, 2U, 3U, 7U, 16U, 60U, 61U, 121U, 250U}) {
      MemoryFile batches(written::file_memory(1));
      REQUIRE(write_batches(options, batches, pattern, size));
      if (!same(structs, batches)) CHECK_EQ(pattern, 100 + size);  // names the batch
    }
  }
}

}  // namespace

TEST("structs, values and batches give the same file, pages of a sector") {
  compare_ways(sector_writer, kSector);
}
TEST("structs, values and batches give the same file, small pages") { compare_ways(tiny_writer, kTiny); }
TEST("structs, values and batches give the same file, forward") { compare_ways(forward_writer, kForward); }

TEST("a static writer begins as zeros, and has space for no more than it needs") {
  static microparquet::StaticWriter<kSchema, kSector> writer;
  const auto* bytes = reinterpret_cast<const unsigned char*>(&writer);
  std::size_t not_zero = 0;
  for (std::size_t i = 0; i < sizeof writer; ++i) not_zero += bytes[i] != 0 ? 1U : 0U;
  CHECK_EQ(not_zero, 0U);
  CHECK(sizeof writer < Writer::required_bytes(kSchema, kSector) + sizeof(Writer) + 64);
}

TEST("a static writer on the lines of a cache takes two lines more, and writes the same file") {
  using OnLines = microparquet::StaticWriter<kSchema, kOnLines>;
  static_assert(alignof(OnLines) == 32);
  static_assert(sizeof(OnLines) <= sizeof(microparquet::StaticWriter<kSchema, kSector>) + 64);
  static OnLines writer;
  compare_ways(writer, kOnLines);
}

TEST("a static writer keeps to its own memory") {
  static struct {
    std::byte before[64];
    microparquet::StaticWriter<kSchema, kTiny> writer;
    std::byte behind[64];
  } guarded;
  MemoryFile file(written::file_memory());
  REQUIRE(write_structs(guarded.writer, file, 2));
  std::size_t touched = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    touched += guarded.before[i] != std::byte{0} || guarded.behind[i] != std::byte{0} ? 1U : 0U;
  }
  CHECK_EQ(touched, 0U);
}

TEST("a static writer answers misuse as any writer") {
  static microparquet::StaticWriter<kSchema, kSector> writer;
  const Row row = make_row(1, 0);
  CHECK_EQ(writer.append(row), Status::kWrongState);
  CHECK_EQ(writer.close(), Status::kWrongState);
  CHECK_EQ(writer.tick(1), Status::kWrongState);
  CHECK_EQ(writer.end_row_group(), Status::kWrongState);
  CHECK_EQ(writer.set_key_value("k", "v"), Status::kWrongState);
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(writer.open(file), Status::kOk);
  CHECK_EQ(writer.open(file), Status::kWrongState);
  CHECK_EQ(writer.append(row), Status::kOk);
  static char text[600] = {};
  Row long_row = row;
  long_row.text = std::string_view(text, sizeof text);
  CHECK_EQ(writer.append(long_row), Status::kValueTooLarge);
  long_row = row;
  long_row.note = std::string_view(text, sizeof text);
  CHECK_EQ(writer.append(long_row), Status::kValueTooLarge);
  CHECK_EQ(writer.append(row), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK_EQ(writer.append(row), Status::kWrongState);
  CHECK_EQ(view::File(file.contents()).rows(), 2);
}

TEST("a text longer than its place in the struct is cut") {
  microparquet::Text<4> text;
  CHECK_EQ(std::string_view(text), "");
  text = "abcdef";
  CHECK_EQ(std::string_view(text), "abcd");
  text = "x";
  CHECK_EQ(std::string_view(text), "x");
  CHECK_EQ(microparquet::Text<4>::capacity(), 4U);
}

TEST("what a member becomes") {
  const Field* const fields = kSchema.fields.data();
  CHECK_EQ(fields[2].logical.bits, 8);
  CHECK(fields[2].logical.is_signed);
  CHECK_EQ(fields[3].logical.bits, 16);
  CHECK(!fields[3].logical.is_signed);
  CHECK_EQ(fields[5].type, microparquet::Type::kInt64);
  CHECK_EQ(fields[8].type_length, 5U);
  CHECK_EQ(fields[9].logical.kind, microparquet::LogicalKind::kString);
  CHECK_EQ(fields[11].repetition, microparquet::Repetition::kOptional);
  CHECK_EQ(fields[14].name, "inner");
}

TEST("timestamps of other units, by their own functions") {
  constexpr auto kMillis = microparquet::timestamp_ms_column("time", &Row::time);
  constexpr auto kNanos = microparquet::timestamp_ns_column("time", &Row::time, false);
  CHECK(kMillis.field.logical.unit == microparquet::TimeUnit::kMillis && kMillis.field.logical.utc);
  CHECK(kNanos.field.logical.unit == microparquet::TimeUnit::kNanos && !kNanos.field.logical.utc);
}

namespace {

struct Meanings {
  std::int32_t day;
  std::int32_t noon_ms;
  std::int64_t noon_us;
  std::optional<std::int64_t> noon_ns;
  std::int32_t cents;
  std::optional<std::int64_t> long_cents;
  std::array<std::byte, 12> longer;
  std::string_view longest;
  std::array<std::uint8_t, 2> half;
  std::array<std::uint8_t, 12> span;
  std::array<std::uint8_t, 16> id;
  std::string_view json;
};

inline constexpr auto kMeanings = microparquet::schema(
    microparquet::date_column("day", &Meanings::day),
    microparquet::time_ms_column("noon_ms", &Meanings::noon_ms),
    microparquet::time_us_column("noon_us", &Meanings::noon_us, false),
    microparquet::time_ns_column("noon_ns", &Meanings::noon_ns),
    microparquet::decimal_column("cents", &Meanings::cents, 9, 2),
    microparquet::decimal_column("long_cents", &Meanings::long_cents, 18, 3),
    microparquet::decimal_column("longer", &Meanings::longer, 28, 4),
    microparquet::decimal_column("longest", &Meanings::longest, 60, 5),
    microparquet::float16_column("half", &Meanings::half),
    microparquet::interval_column("span", &Meanings::span), microparquet::uuid_column("id", &Meanings::id),
    microparquet::text_column("json", &Meanings::json, microparquet::LogicalKind::kJson));

}  // namespace

TEST("each meaning of a column has a function of its own, which says what its field says") {
  const microparquet::Field expected[] = {
      microparquet::date_field("day"),
      microparquet::time_field("noon_ms", microparquet::TimeUnit::kMillis),
      microparquet::time_field("noon_us", microparquet::TimeUnit::kMicros, false),
      microparquet::time_field("noon_ns", microparquet::TimeUnit::kNanos).as_optional(),
      microparquet::decimal32_field("cents", 9, 2),
      microparquet::decimal64_field("long_cents", 18, 3).as_optional(),
      microparquet::decimal_fixed_field("longer", 12, 28, 4),
      microparquet::decimal_binary_field("longest", 60, 5),
      microparquet::float16_field("half"),
      microparquet::interval_field("span"),
      microparquet::uuid_field("id"),
      microparquet::text_field("json", microparquet::LogicalKind::kJson),
  };
  REQUIRE_EQ(std::size(expected), kMeanings.kColumns);
  for (std::size_t i = 0; i < kMeanings.kColumns; ++i) {
    const microparquet::Field& field = kMeanings.fields[i];
    CHECK_EQ(field.name, expected[i].name);
    CHECK_EQ(field.type, expected[i].type);
    CHECK_EQ(field.type_length, expected[i].type_length);
    CHECK_EQ(field.repetition, expected[i].repetition);
    CHECK_EQ(field.logical.kind, expected[i].logical.kind);
    CHECK_EQ(field.logical.unit, expected[i].logical.unit);
    CHECK_EQ(field.logical.utc, expected[i].logical.utc);
    CHECK_EQ(field.logical.precision, expected[i].logical.precision);
    CHECK_EQ(field.logical.scale, expected[i].logical.scale);
    CHECK(field.bounds == expected[i].bounds && field.encoder == expected[i].encoder);
  }
}

namespace {

struct Position {
  float x;
  float y;
};
struct Track : Position {
  std::int64_t time;
};
Track track_at(std::int64_t time) {
  Track track = {};
  track.time = time;
  return track;
}
inline constexpr auto kPositions =
    microparquet::schema(microparquet::column<Position>("x", [](auto& row) -> auto& { return row.x; }),
                         microparquet::column<Position>("y", [](auto& row) -> auto& { return row.y; }));
inline constexpr auto kTracks =
    microparquet::schema(microparquet::column("x", &Track::x), microparquet::column("time", &Track::time));
static_assert(std::is_same_v<decltype(kPositions)::Row, Position>);
static_assert(std::is_same_v<decltype(kTracks)::Row, Track>);

struct NoFiles final : microparquet::FileSequence {
  Status next(microparquet::File*& /*file*/) override { return Status::kNoSpace; }
};

}  // namespace

TEST("a row in braces is of the schema's struct; another struct may have it as a base") {
  static microparquet::StaticWriter<kPositions> writer;
  MemoryFile file(written::file_memory());
  NoFiles files;
  microparquet::RollingWriter<decltype(writer)> rolling(writer, files, {});
  REQUIRE_EQ(writer.open(file), Status::kOk);
  CHECK_EQ(writer.append({1.0F, 10.0F}), Status::kOk);
  CHECK_EQ(rolling.append({2.0F, 20.0F}), Status::kOk);
  Track track = track_at(7);
  track.x = 3.0F;
  CHECK_EQ(writer.append(track), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  const view::File view(file.contents());
  REQUIRE(view.whole());
  view::Column column(view, 0);
  view::Cell cell = {};
  for (const float x : {1.0F, 2.0F, 3.0F}) {
    REQUIRE(column.next(cell));
    float value = 0;
    std::memcpy(&value, cell.bytes.data(), sizeof value);
    CHECK(value == x);
  }

  static microparquet::StaticWriter<kTracks> tracks;
  MemoryFile another(written::file_memory());
  REQUIRE_EQ(tracks.open(another), Status::kOk);
  CHECK_EQ(tracks.append(track_at(7)), Status::kOk);
  CHECK_EQ(tracks.append({{5.0F, 50.0F}, 8}), Status::kOk);
  REQUIRE_EQ(tracks.close(), Status::kOk);
  CHECK_EQ(view::File(another.contents()).rows(), 2);
}

namespace {

// PLAIN of a program's own, which stores int32 values doubled.
void put_doubled(microparquet::PageBody& page, const void* values, std::uint32_t count) {
  const auto* value = static_cast<const std::int32_t*>(values);
  for (; count != 0; --count, ++value) {
    const std::int32_t doubled = *value * 2;
    page.update_bounds(&doubled, 1);
    std::memcpy(page.cursor, &doubled, sizeof doubled);
    page.cursor += sizeof doubled;
  }
}
std::uint32_t doubled_that_fit(microparquet::PageBody&, std::uint32_t free_bytes, std::uint32_t level_bytes) {
  return free_bytes / (static_cast<std::uint32_t>(sizeof(std::int32_t)) + level_bytes);
}
void finish_doubled(microparquet::EndingPage& page) {
  CHECK_EQ(page.value_count(), static_cast<std::uint32_t>(page.cursor - page.values) / 4);
  CHECK(page.encoder().finish == &finish_doubled);
}
inline constexpr microparquet::Encoder kDoubled{microparquet::EncodingId::kPlain,
                                                {microparquet::Type::kInt32},
                                                0,
                                                false,
                                                nullptr,
                                                &doubled_that_fit,
                                                nullptr,
                                                &put_doubled,
                                                &finish_doubled};

struct Count {
  std::int32_t own;
  std::int32_t plain;
  std::optional<std::int32_t> some;
};
inline constexpr auto kCounts =
    microparquet::schema(microparquet::column("own", &Count::own).with_encoder(kDoubled),
                         microparquet::column("plain", &Count::plain),
                         microparquet::column("some", &Count::some).with_encoder(kDoubled));

}  // namespace

TEST("an encoder of a program's own is called, whatever its encoding") {
  static microparquet::StaticWriter<kCounts> writer;
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(writer.open(file), Status::kOk);
  for (std::int32_t i = 0; i < 1000; ++i) {
    REQUIRE_EQ(writer.append({i, i, i % 3 == 0 ? std::nullopt : std::optional<std::int32_t>(i)}),
               Status::kOk);
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
  const view::File view(file.contents());
  REQUIRE_EQ(view.rows(), 1000);
  for (std::uint32_t column = 0; column < 2; ++column) {
    view::Column values(view, column);
    view::Cell cell = {};
    for (std::int32_t i = 0; i < 1000; ++i) {
      REQUIRE(values.next(cell));
      std::int32_t value = 0;
      REQUIRE_EQ(cell.bytes.size(), sizeof value);
      std::memcpy(&value, cell.bytes.data(), sizeof value);
      REQUIRE_EQ(value, column == 0 ? i * 2 : i);
    }
  }
}
