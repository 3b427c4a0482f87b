// Reads with the reader all that the writer writes: structs, batches, runs, and the footer's contents.
#include <cstring>
#include <optional>
#include <string_view>

#include "microparquet/filter.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/port/memory_image.h"
#include "microparquet/sorting.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "support/check.h"
#include "support/names.h"
#include "wide_row.h"
#include "written_file.h"

using microparquet::Batch;
using microparquet::ColumnRange;
using microparquet::ColumnRun;
using microparquet::ColumnStatistics;
using microparquet::LogicalKind;
using microparquet::MemoryFile;

namespace {

using wide::Row;
inline constexpr auto kSchema = wide::schema_with(microparquet::string_column("name", &Row::name));
constexpr std::size_t kColumns = decltype(kSchema)::kColumns;
enum Place : std::uint32_t {
  kTime,
  kFlag,
  kSmall,
  kMedium,
  kLarge,
  kHuge,
  kX,
  kY,
  kBytes,
  kName,
  kText,
  kTemperature
};

constexpr Options make_options() {
  Options options;
  options.page_bytes = 512;
  options.row_group_rows = 150;
  return options;
}
inline constexpr Options kOptions = make_options();

constexpr int kRows = 500;
constexpr std::string_view kTexts[] = {"", "a", "some text",
                                       "a rather long text, longer than the others are"};

Row row_at(int i) {
  Row row = {};
  row.time = 1700000000000000 + i * 1000;
  row.flag = i % 3 == 0;
  row.small = static_cast<std::int8_t>(i - 128);
  row.medium = static_cast<std::uint16_t>(65535 - i);
  row.large = 4000000000U + static_cast<std::uint32_t>(i);
  row.huge = ~std::uint64_t{0} - static_cast<std::uint64_t>(i);
  row.x = static_cast<float>(i) * 0.25F;
  row.y = i * -1e100;
  for (std::size_t k = 0; k < row.bytes.size(); ++k)
    row.bytes[k] = static_cast<std::uint8_t>(i + static_cast<int>(k));
  row.name = kTexts[i % 3];
  row.text = kTexts[(i + 1) % 4];
  if (i % 4 != 1) row.temperature = static_cast<float>(i) / 8;
  if (i % 5 != 0) row.on = i % 2 == 0;
  if (i % 7 < 3) row.note = kTexts[i % 4];
  row.nested.inner[1] = -i;
  return row;
}

bool equal(const Row& a, const Row& b) {
  return a.time == b.time && a.flag == b.flag && a.small == b.small && a.medium == b.medium &&
         a.large == b.large && a.huge == b.huge && a.x == b.x && a.y == b.y && a.bytes == b.bytes &&
         std::string_view(a.name) == std::string_view(b.name) && a.text == b.text &&
         a.temperature == b.temperature && a.on == b.on && a.note == b.note &&
         a.nested.inner[1] == b.nested.inner[1];
}

std::byte file_memory[400 * 1024];
alignas(8) std::byte arena[64 * 1024];
microparquet::StaticWriter<kSchema, kOptions> writer;
microparquet::StaticReader<kSchema> log_reader;

// The rows of row_at(), in four row groups.
MemoryFile written_file() {
  static std::size_t size = 0;
  if (size == 0) {
    MemoryFile file(file_memory);
    bool right = writer.open(file) == Status::kOk &&
                 writer.set_key_value("device", "left foot") == Status::kOk &&
                 writer.set_key_value("empty", "") == Status::kOk;
    for (int i = 0; i < kRows; ++i) right = right && writer.append(row_at(i)) == Status::kOk;
    right = right && writer.close() == Status::kOk;
    if (!CHECK(right)) return MemoryFile(file_memory);
    size = file.contents().size();
  }
  return MemoryFile(file_memory, size);
}

constexpr ReaderOptions kReaderOptions = {};

// A reader with all columns chosen.
void open_all(Reader& reader, MemoryFile& file) {
  REQUIRE_EQ(reader.open(file, kReaderOptions, arena), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
}

}  // namespace

TEST("reader: structs come back as they were written") {
  MemoryFile file = written_file();
  REQUIRE_EQ(log_reader.open(file), Status::kOk);
  Row row = {};
  for (int i = 0; i < kRows; ++i) {
    REQUIRE_EQ(log_reader.next(row), Status::kOk);
    REQUIRE(equal(row, row_at(i)));
  }
  CHECK_EQ(log_reader.next(row), Status::kEnd);
  CHECK_EQ(log_reader.next(row), Status::kEnd);
  CHECK_EQ(log_reader.reader().pages_checked(), log_reader.reader().pages_read());
  CHECK(log_reader.reader().pages_checked() >= 4 * kColumns);
}

TEST("reader: structs of a file in memory are taken from where they lie") {
  MemoryFile written = written_file();
  const Span<const std::byte> bytes = written.contents();
  microparquet::MemoryImage image(bytes);
  const auto* const begin = reinterpret_cast<const char*>(bytes.data());
  REQUIRE_EQ(log_reader.open(image), Status::kOk);
  Row row = {};
  for (int i = 0; i < kRows; ++i) {
    REQUIRE_EQ(log_reader.next(row), Status::kOk);
    REQUIRE(equal(row, row_at(i)));
    CHECK(row.text.data() >= begin && row.text.data() + row.text.size() <= begin + bytes.size());
  }
  CHECK_EQ(log_reader.next(row), Status::kEnd);
  CHECK_EQ(log_reader.reader().pages_checked(), log_reader.reader().pages_read());
  // Opened once more, by the same reader, through its buffers.
  REQUIRE_EQ(log_reader.open(written), Status::kOk);
  REQUIRE_EQ(log_reader.next(row), Status::kOk);
  CHECK(equal(row, row_at(0)));
  CHECK(row.text.data() < begin || row.text.data() >= begin + bytes.size());
}

TEST("reader: from the beginning of any row group, and rows skipped") {
  MemoryFile file = written_file();
  REQUIRE_EQ(log_reader.open(file), Status::kOk);
  Row row = {};
  for (const std::uint32_t group : {3U, 0U, 2U, 2U}) {
    REQUIRE_EQ(log_reader.seek_row_group(group), Status::kOk);
    CHECK_EQ(log_reader.skip(), Status::kOk);
    REQUIRE_EQ(log_reader.next(row), Status::kOk);
    CHECK(equal(row, row_at(static_cast<int>(group) * 150 + 1)));
  }
  CHECK_EQ(log_reader.seek_row_group(4), Status::kInvalidArgument);
  // Skips the rest of the row group, and the next one.
  for (int i = 302; i < kRows; ++i) REQUIRE_EQ(log_reader.skip(), Status::kOk);
  CHECK_EQ(log_reader.skip(), Status::kEnd);
}

namespace {

struct Other {
  double y;
  std::optional<float> x;
  std::uint16_t small;
  float temperature;
};
inline constexpr auto kOther =
    microparquet::schema(microparquet::column("y", &Other::y), microparquet::column("x", &Other::x));
inline constexpr auto kNarrow = microparquet::schema(microparquet::column("small", &Other::small));
inline constexpr auto kRequired =
    microparquet::schema(microparquet::column("temperature", &Other::temperature));
inline constexpr auto kMissing = microparquet::schema(microparquet::column("z", &Other::y));
inline constexpr auto kWrongType = microparquet::schema(microparquet::column("x", &Other::y));
inline constexpr ReaderOptions kDefault = {};

template <const auto& kAny>
using WideReader = microparquet::StaticReader<kAny, kDefault, kColumns>;

}  // namespace

TEST("reader: some columns of a file, by their names") {
  MemoryFile file = written_file();
  static WideReader<kOther> reader;
  REQUIRE_EQ(reader.open(file), Status::kOk);
  Other row = {};
  for (int i = 0; i < kRows; ++i) {
    REQUIRE_EQ(reader.next(row), Status::kOk);
    REQUIRE(row.y == row_at(i).y && row.x == row_at(i).x);
  }
  CHECK_EQ(reader.next(row), Status::kEnd);
  static microparquet::StaticReader<kOther> too_small;
  CHECK_EQ(too_small.open(file), Status::kOutOfMemory);
  CHECK_EQ(too_small.next(row), Status::kWrongState);
}

TEST("reader: columns that do not suit the struct") {
  MemoryFile file = written_file();
  Other row = {};
  static WideReader<kMissing> missing;
  CHECK_EQ(missing.open(file), Status::kInvalidArgument);
  static WideReader<kWrongType> wrong;
  CHECK_EQ(wrong.open(file), Status::kInvalidArgument);
  // A negative number into an unsigned member; the rows continue.
  static WideReader<kNarrow> narrow;
  REQUIRE_EQ(narrow.open(file), Status::kOk);
  CHECK_EQ(narrow.next(row), Status::kInvalidArgument);
  for (int i = 1; i < 128; ++i) REQUIRE_EQ(narrow.next(row), Status::kInvalidArgument);
  CHECK_EQ(narrow.next(row), Status::kOk);
  CHECK_EQ(row.small, 0);
  // A null into a member that cannot be without a value.
  static WideReader<kRequired> required;
  REQUIRE_EQ(required.open(file), Status::kOk);
  CHECK_EQ(required.next(row), Status::kOk);
  CHECK_EQ(required.next(row), Status::kNullValue);
  CHECK_EQ(required.next(row), Status::kOk);
  CHECK_EQ(row.temperature, 0.25F);
}

TEST("reader: rows of tagged values") {
  MemoryFile file = written_file();
  Reader reader;
  open_all(reader, file);
  Value row[kColumns];
  CHECK_EQ(reader.next_row(Span<Value>(row, kColumns - 1)), Status::kInvalidArgument);
  for (int i = 0; i < kRows; ++i) {
    REQUIRE_EQ(reader.next_row(row), Status::kOk);
    const Row expected = row_at(i);
    CHECK(row[kTime].type == Type::kInt64 && row[kTime].int64 == expected.time);
    CHECK(row[kFlag].type == Type::kBoolean && row[kFlag].boolean == expected.flag);
    CHECK(row[kX].type == Type::kFloat && row[kX].float32 == expected.x);
    CHECK(row[kY].type == Type::kDouble && row[kY].float64 == expected.y);
    CHECK(row[kText].type == Type::kByteArray && row[kText].bytes == expected.text);
    CHECK(row[kBytes].type == Type::kFixedLenByteArray && row[kBytes].bytes.size() == 5);
    CHECK_EQ(row[kTemperature].null, !expected.temperature.has_value());
  }
  CHECK_EQ(reader.next_row(row), Status::kEnd);
}

TEST("reader: batches of every type, and nulls by their levels") {
  MemoryFile file = written_file();
  Reader reader;
  open_all(reader, file);
  int i = 0;
  for (std::uint32_t group = 0; reader.next_row_group() == Status::kOk; ++group) {
    CHECK_EQ(reader.row_group(), group);
    CHECK_EQ(reader.row_group_rows(), group < 3 ? 150U : 50U);
    const int first = i;
    bool flags[33];
    Batch<bool> flag_batch(flags);
    while (reader.next_batch(kFlag, flag_batch) == Status::kOk) {
      CHECK_EQ(flag_batch.level_count, flag_batch.value_count);
      for (const bool flag : flag_batch.read()) CHECK_EQ(flag, row_at(i++).flag);
    }
    i = first;
    std::string_view texts[33];
    Batch<std::string_view> text_batch(texts);
    while (reader.next_batch(kText, text_batch) == Status::kOk) {
      for (const std::string_view text : text_batch.read()) CHECK_EQ(text, row_at(i++).text);
    }
    i = first;
    float temperatures[1000];
    std::uint8_t levels[1000];
    std::uint8_t repetition[1000];
    Batch<float> without_levels(temperatures);
    CHECK_EQ(reader.next_batch(kTemperature, without_levels), Status::kInvalidArgument);
    Batch<float> batch(temperatures, levels, repetition);
    while (reader.next_batch(kTemperature, batch) == Status::kOk) {
      std::size_t next = 0;
      for (std::size_t k = 0; k < batch.level_count; ++k) {
        const Row expected = row_at(i++);
        CHECK_EQ(levels[k] == 1, expected.temperature.has_value());
        CHECK_EQ(repetition[k], 0U);
        if (levels[k] == 1) CHECK_EQ(temperatures[next++], expected.temperature.value_or(-1));
      }
      CHECK_EQ(next, batch.value_count);
    }
    CHECK_EQ(reader.next_batch(kTemperature, batch), Status::kEnd);
    CHECK_EQ(batch.level_count, 0U);
    Batch<double> other_type({});
    CHECK_EQ(reader.next_batch(kTemperature, other_type), Status::kInvalidArgument);
    Batch<float> no_places({}, levels);
    CHECK_EQ(reader.next_batch(kTemperature, no_places), Status::kInvalidArgument);
    // Rows and columns are two ways through a row group, and exclude each other.
    CHECK_EQ(reader.next_row(), Status::kWrongState);
  }
  CHECK_EQ(i, kRows);
}

TEST("reader: runs of values where they lie") {
  MemoryFile file = written_file();
  Reader reader;
  open_all(reader, file);
  ColumnRun run;
  CHECK_EQ(reader.next_run(kX, run), Status::kWrongState);
  int i = 0;
  int nullable = 0;
  while (reader.next_row_group() == Status::kOk) {
    while (reader.next_run(kX, run) == Status::kOk) {
      CHECK_EQ(run.value_bytes, 4U);
      for (std::size_t k = 0; k < run.rows; ++k) CHECK_EQ(run.value<float>(k), row_at(i++).x);
    }
    while (reader.next_run(kTemperature, run) == Status::kOk) {
      for (std::size_t k = 0; k < run.rows; ++k) {
        const Row expected = row_at(nullable++);
        CHECK_EQ(run.null(), !expected.temperature.has_value());
        if (!run.null()) CHECK_EQ(run.value<float>(k), expected.temperature.value_or(-1));
      }
    }
    CHECK_EQ(reader.next_run(kText, run), Status::kUnsupported);
    CHECK_EQ(reader.next_run(kFlag, run), Status::kUnsupported);
    CHECK_EQ(reader.next_run(99, run), Status::kInvalidArgument);
  }
  CHECK_EQ(i, kRows);
  CHECK_EQ(nullable, kRows);
}

TEST("reader: the schema with its logical types") {
  MemoryFile file = written_file();
  Reader reader;
  open_all(reader, file);
  CHECK_EQ(reader.columns(), kColumns);
  CHECK_EQ(reader.schema_elements(), kColumns + 1);
  char name[16];
  microparquet::SchemaElement element;
  REQUIRE_EQ(reader.schema_element(0, name, element), Status::kOk);
  CHECK(!element.leaf && element.children == kColumns && element.depth == 0);
  for (std::uint32_t column = 0; column < kColumns; ++column) {
    REQUIRE_EQ(reader.column_element(column, name, element), Status::kOk);
    CHECK_EQ(element.name, kSchema.fields[column].name);
    CHECK(element.leaf && element.column == column && element.depth == 1);
    CHECK_EQ(element.type, kSchema.fields[column].type);
    CHECK_EQ(element.repetition, kSchema.fields[column].repetition);
    CHECK_EQ(element.logical.kind, kSchema.fields[column].logical.kind);
    CHECK_EQ(element.logical.bits, kSchema.fields[column].logical.bits);
    CHECK_EQ(element.type_length, kSchema.fields[column].type_length);
    std::uint32_t found = 99;
    CHECK_EQ(reader.find_column(kSchema.fields[column].name, found), Status::kOk);
    CHECK_EQ(found, column);
  }
  REQUIRE_EQ(reader.column_element(kTime, name, element), Status::kOk);
  CHECK(element.logical.kind == LogicalKind::kTimestamp && element.logical.utc);
  CHECK(element.logical.unit == microparquet::TimeUnit::kMicros);
  CHECK_EQ(reader.column_element(kTemperature, Span<char>(name, 5), element), Status::kOutOfMemory);
  CHECK_EQ(reader.needed_bytes(), 11U);
  CHECK_EQ(reader.column_element(kColumns, name, element), Status::kInvalidArgument);
  CHECK_EQ(reader.schema_element(kColumns + 1, name, element), Status::kInvalidArgument);
}

TEST("reader: key-values and who wrote the file") {
  MemoryFile file = written_file();
  Reader reader;
  REQUIRE_EQ(reader.open(file, kReaderOptions, arena), Status::kOk);
  char buffer[64];
  microparquet::KeyValue pair;
  REQUIRE(reader.key_values() >= 2);
  REQUIRE_EQ(reader.key_value(0, buffer, pair), Status::kOk);
  CHECK_EQ(pair.key, "device");
  CHECK_EQ(pair.value, "left foot");
  REQUIRE_EQ(reader.key_value(1, buffer, pair), Status::kOk);
  CHECK_EQ(pair.key, "empty");
  CHECK_EQ(pair.value, "");
  CHECK_EQ(reader.key_value(reader.key_values(), buffer, pair), Status::kInvalidArgument);
  CHECK_EQ(reader.key_value(0, Span<char>(buffer, 14), pair), Status::kOutOfMemory);
  CHECK_EQ(reader.needed_bytes(), 15U);
  std::string_view text;
  CHECK_EQ(reader.find_key_value("device", buffer, text), Status::kOk);
  CHECK_EQ(text, "left foot");
  CHECK_EQ(reader.find_key_value("devicf", buffer, text), Status::kInvalidArgument);
  REQUIRE_EQ(reader.created_by(buffer, text), Status::kOk);
  CHECK_EQ(written::part(text, 0, 21), "microparquet version ");
}

TEST("reader: statistics of every row group") {
  MemoryFile file = written_file();
  Reader reader;
  REQUIRE_EQ(reader.open(file, kReaderOptions, arena), Status::kOk);
  std::byte bounds[64];
  ColumnStatistics statistics;
  CHECK_EQ(reader.column_statistics(kTime, bounds, statistics), Status::kWrongState);
  for (int group = 0; reader.next_row_group() == Status::kOk; ++group) {
    REQUIRE_EQ(reader.column_statistics(kTime, bounds, statistics), Status::kOk);
    std::int64_t low = 0;
    std::int64_t high = 0;
    REQUIRE(statistics.has_min && statistics.has_max && statistics.min_exact && statistics.max_exact);
    CHECK(microparquet::bound_as(statistics.min, low) && low == row_at(group * 150).time);
    const int last = group == 3 ? kRows - 1 : group * 150 + 149;
    CHECK(microparquet::bound_as(statistics.max, high) && high == row_at(last).time);
    CHECK(statistics.has_null_count && statistics.null_count == 0 && !statistics.deprecated);
    std::int32_t wrong = 0;
    CHECK(!microparquet::bound_as(statistics.min, wrong));
    REQUIRE_EQ(reader.column_statistics(kTemperature, bounds, statistics), Status::kOk);
    int nulls = 0;
    for (int i = group * 150; i <= last; ++i) nulls += row_at(i).temperature ? 0 : 1;
    CHECK_EQ(statistics.null_count, nulls);
    CHECK_EQ(reader.column_statistics(kTime, Span<std::byte>(bounds, 12), statistics), Status::kOk);
    CHECK(statistics.has_min != statistics.has_max);
    CHECK_EQ(reader.needed_bytes(), 16U);
    microparquet::ColumnChunkInfo chunk;
    REQUIRE_EQ(reader.column_chunk(kTemperature, chunk), Status::kOk);
    CHECK_EQ(chunk.values, reader.row_group_rows());
    CHECK(chunk.codec == microparquet::CodecId::kUncompressed && (chunk.encodings & 1) != 0);
    CHECK_EQ(chunk.compressed_bytes, chunk.uncompressed_bytes);
    CHECK_EQ(reader.column_chunk(kColumns, chunk), Status::kInvalidArgument);
  }
}

namespace {

// Number of row groups that a filter of one range lets through.
int groups_in(std::uint32_t column, const Value& lower, const Value& upper) {
  MemoryFile file = written_file();
  Reader reader;
  ColumnRange range;
  CHECK_EQ(reader.open(file, kReaderOptions, arena), Status::kOk);
  CHECK_EQ(microparquet::make_range(reader, column, lower, upper, range), Status::kOk);
  const microparquet::RangeFilter filter({&range, 1});
  reader.set_filter(&filter);
  int groups = 0;
  while (reader.next_row_group() == Status::kOk) ++groups;
  return groups;
}

}  // namespace

TEST("reader: row groups are passed over by their statistics") {
  const auto time = [](int i) { return Value::of(row_at(i).time); };
  CHECK_EQ(groups_in(kTime, {}, {}), 4);
  CHECK_EQ(groups_in(kTime, time(150), time(299)), 1);
  CHECK_EQ(groups_in(kTime, time(149), time(299)), 2);
  CHECK_EQ(groups_in(kTime, time(150), time(300)), 2);
  CHECK_EQ(groups_in(kTime, time(300), {}), 2);
  CHECK_EQ(groups_in(kTime, {}, time(149)), 1);
  CHECK_EQ(groups_in(kTime, time(500), {}), 0);
  CHECK_EQ(groups_in(kX, Value::of(37.4F), {}), 3);
  CHECK_EQ(groups_in(kY, {}, Value::of(-150e100)), 3);
  // Unsigned numbers, in signed storage.
  CHECK_EQ(groups_in(kLarge, {}, Value::of(static_cast<std::int32_t>(4000000149U))), 1);
  CHECK_EQ(groups_in(kLarge, Value::of(std::int32_t{5}), {}), 4);
  CHECK_EQ(groups_in(kHuge, Value::of(static_cast<std::int64_t>(~std::uint64_t{0} - 149)), {}), 1);
  // Text by its bytes; every row group has the longest one.
  CHECK_EQ(groups_in(kText, Value::of_bytes("b"), Value::of_bytes("r")), 4);
  CHECK_EQ(groups_in(kText, Value::of_bytes("some text"), {}), 4);
  CHECK_EQ(groups_in(kText, Value::of_bytes("some texu"), {}), 0);
  CHECK_EQ(groups_in(kBytes, Value::of_fixed("\xFF\xFF"), {}), 0);

  MemoryFile file = written_file();
  Reader reader;
  ColumnRange range;
  REQUIRE_EQ(reader.open(file, kReaderOptions, arena), Status::kOk);
  CHECK_EQ(microparquet::make_range(reader, kTime, Value::of(1.0F), {}, range), Status::kInvalidArgument);
  CHECK_EQ(microparquet::make_range(reader, kColumns, {}, {}, range), Status::kInvalidArgument);
}

TEST("reader: rows continue through the row groups that a filter leaves") {
  MemoryFile file = written_file();
  REQUIRE_EQ(log_reader.open(file), Status::kOk);
  ColumnRange range;
  REQUIRE_EQ(microparquet::make_range(log_reader.reader(), kTime, Value::of(row_at(160).time),
                                      Value::of(row_at(310).time), range),
             Status::kOk);
  const microparquet::RangeFilter filter({&range, 1});
  log_reader.reader().set_filter(&filter);
  Row row = {};
  for (int i = 150; i < 450; ++i) {
    REQUIRE_EQ(log_reader.next(row), Status::kOk);
    CHECK_EQ(row.time, row_at(i).time);
  }
  CHECK_EQ(log_reader.next(row), Status::kEnd);
}

TEST("reader: memory that is too small says how much would do") {
  MemoryFile file = written_file();
  Reader reader;
  ReaderOptions options;
  options.buffer_bytes = 128;
  CHECK_EQ(reader.open(file, options, Span<std::byte>(arena, 8)), Status::kOutOfMemory);
  const auto head = static_cast<std::size_t>(reader.needed_bytes());
  CHECK_EQ(reader.open(file, options, Span<std::byte>(arena, head)), Status::kOutOfMemory);
  const auto enough = static_cast<std::size_t>(reader.needed_bytes());
  CHECK(enough > head);
  REQUIRE_EQ(reader.open(file, options, Span<std::byte>(arena, enough)), Status::kOk);
  CHECK_EQ(reader.choose_all(), Status::kOutOfMemory);
  const auto all = static_cast<std::size_t>(reader.needed_bytes());
  CHECK(all <= Reader::required_bytes(kColumns, kColumns, options) + 8 * kColumns);
  REQUIRE_EQ(reader.open(file, options, Span<std::byte>(arena, all)), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  int rows = 0;
  while (reader.next_row() == Status::kOk) ++rows;
  CHECK_EQ(rows, kRows);
}

TEST("reader: choosing columns, and calls out of place") {
  Reader reader;
  Value row[1];
  CHECK_EQ(reader.next_row(), Status::kWrongState);
  CHECK_EQ(reader.next_row_group(), Status::kWrongState);
  CHECK_EQ(reader.choose_all(), Status::kWrongState);
  CHECK_EQ(reader.seek_row_group(0), Status::kWrongState);
  MemoryFile file = written_file();
  REQUIRE_EQ(reader.open(file, kReaderOptions, arena), Status::kOk);
  CHECK_EQ(reader.next_row(), Status::kWrongState);
  const std::uint32_t twice[] = {1, 1};
  CHECK_EQ(reader.choose(twice), Status::kInvalidArgument);
  const std::uint32_t missing[] = {kColumns};
  CHECK_EQ(reader.choose(missing), Status::kInvalidArgument);
  const std::uint32_t chosen[] = {kY};
  REQUIRE_EQ(reader.choose(chosen), Status::kOk);
  CHECK_EQ(reader.chosen(), 1U);
  CHECK_EQ(reader.chosen_column(0), std::uint32_t{kY});
  REQUIRE_EQ(reader.next_row(row), Status::kOk);
  REQUIRE_EQ(reader.next_row(row), Status::kOk);
  CHECK_EQ(row[0].float64, row_at(1).y);
  double value = 0;
  Batch<double> batch(Span<double>(&value, 1));
  CHECK_EQ(reader.next_batch(0, batch), Status::kWrongState);
  // Choosing again starts over.
  REQUIRE_EQ(reader.choose(chosen), Status::kOk);
  REQUIRE_EQ(reader.next_row(row), Status::kOk);
  CHECK_EQ(row[0].float64, row_at(0).y);
  reader.reset();
  CHECK_EQ(reader.next_row(), Status::kWrongState);
  ReaderOptions bad;
  bad.buffer_bytes = 63;
  CHECK_EQ(reader.open(file, bad, arena), Status::kInvalidArgument);
  CHECK_EQ(reader.open(file, kReaderOptions, Span<std::byte>(arena + 4, sizeof arena - 4)),
           Status::kInvalidArgument);
}

TEST("reader: values that are longer than their buffer are skipped, or read with a larger one") {
  MemoryFile file = written_file();
  ReaderOptions options;
  options.buffer_bytes = 64;  // the longest text has 46 bytes, and 4 of length; through 48 beside the levels
  const std::uint32_t chosen[] = {kText};
  Reader reader;
  REQUIRE_EQ(reader.open(file, options, Span<std::byte>(arena, Reader::required_bytes(kColumns, 1, options))),
             Status::kOk);
  REQUIRE_EQ(reader.choose(chosen), Status::kOk);
  Status status = Status::kOk;
  int rows = 0;
  for (; (status = reader.next_row()) == Status::kOk; ++rows)
    CHECK_EQ(reader.cell(0).text(), row_at(rows).text);
  CHECK_EQ(status, Status::kEnd);
  CHECK_EQ(rows, kRows);
}

namespace {

struct Long {
  std::optional<std::string_view> text;
  std::int32_t number;
};
inline constexpr auto kLong = microparquet::schema(microparquet::string_column("text", &Long::text),
                                                   microparquet::column("number", &Long::number));
inline constexpr Options kLongPages = [] {
  Options options;
  options.page_bytes = 2048;
  return options;
}();

}  // namespace

TEST("reader: strings longer than the buffer say their length, and can be passed") {
  static std::byte memory[400 * 1024];
  static char letters[1200];
  std::memset(letters, 'x', sizeof letters);
  static microparquet::StaticWriter<kLong, kLongPages> long_writer;
  MemoryFile file(memory);
  REQUIRE_EQ(long_writer.open(file), Status::kOk);
  for (std::int32_t i = 0; i < 40; ++i) {
    Long row = {};
    row.number = i;
    if (i % 3 != 2)
      row.text = std::string_view(letters, i % 5 == 4 ? 1000 + static_cast<std::size_t>(i) : 20);
    REQUIRE_EQ(long_writer.append(row), Status::kOk);
  }
  REQUIRE_EQ(long_writer.close(), Status::kOk);
  static microparquet::StaticReader<kLong> reader;
  REQUIRE_EQ(reader.open(file), Status::kOk);
  Long row = {};
  for (std::int32_t i = 0; i < 40; ++i) {
    if (i % 3 != 2 && i % 5 == 4) {
      CHECK_EQ(reader.next(row), Status::kValueTooLarge);
      CHECK_EQ(reader.next(row), Status::kValueTooLarge);
      CHECK_EQ(reader.reader().needed_bytes(), 1000 + i);
      REQUIRE_EQ(reader.skip(), Status::kOk);
      continue;
    }
    REQUIRE_EQ(reader.next(row), Status::kOk);
    CHECK_EQ(row.number, i);
    CHECK_EQ(row.text.has_value(), i % 3 != 2);
  }
  CHECK_EQ(reader.next(row), Status::kEnd);
  // The same column by batches.
  Reader& untyped = reader.reader();
  REQUIRE_EQ(untyped.seek_row_group(0), Status::kOk);
  std::int32_t at = 0;
  for (;;) {
    std::string_view texts[8];
    std::uint8_t levels[8];
    Batch<std::string_view> batch(texts, levels);
    const Status status = untyped.next_batch(0, batch);
    if (status == Status::kEnd) break;
    if (status == Status::kValueTooLarge) {
      CHECK_EQ(untyped.needed_bytes(), 1000 + at);
      REQUIRE_EQ(untyped.skip_value(0), Status::kOk);
      ++at;
      continue;
    }
    REQUIRE_EQ(status, Status::kOk);
    for (std::size_t k = 0; k < batch.level_count; ++k, ++at) CHECK_EQ(levels[k] == 1, at % 3 != 2);
  }
  CHECK_EQ(at, 40);
}
