// Lists and maps in, the same rows out; rows that no page takes are refused.
#include <array>
#include <cstring>
#include <optional>

#include "hybrid_view.h"
#include "microparquet/decoders.h"
#include "microparquet/detail/list_levels.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/static_nested_reader.h"
#include "microparquet/static_nested_writer.h"
#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::Entry;
using microparquet::List;
using microparquet::MemoryFile;
using microparquet::Text;
using microparquet::detail::ColumnPlan;
using microparquet::detail::ColumnWriter;
using microparquet::detail::ListEncoder;
using microparquet::detail::ListLevels;
using microparquet::detail::RowNeed;

namespace {

struct ListSpot {
  std::int16_t id;
  std::optional<float> height;
};
struct ListRow {
  std::int64_t time;
  List<float, 60> levels;
  std::optional<List<std::int32_t, 4>> maybe;
  List<ListSpot, 5> spots;
  List<List<std::int16_t, 3>, 3> two;
  List<Entry<Text<4>, double>, 3> tags;
  List<bool, 9> bits;
};
inline constexpr auto kListSchema = microparquet::schema(
    microparquet::column("time", &ListRow::time), microparquet::list("levels", &ListRow::levels),
    microparquet::list("maybe", &ListRow::maybe),
    microparquet::list("spots", &ListRow::spots, microparquet::column("id", &ListSpot::id),
                       microparquet::column("height", &ListSpot::height)),
    microparquet::list("two", &ListRow::two), microparquet::map("tags", &ListRow::tags),
    microparquet::list("bits", &ListRow::bits));
inline constexpr ReaderOptions kListReading = [] {
  ReaderOptions options;
  options.buffer_bytes = 4096;
  return options;
}();
microparquet::StaticWriter<kListSchema> list_writer;
microparquet::StaticReader<kListSchema, kListReading> list_reader;

// A table: binutils 2.40 does not take a conversion of k that GCC makes conditional for a Cortex-M55.
constexpr float kHeights[] = {0, 1, 2, 3, 4, 5};

ListRow list_row(std::uint32_t i) {
  ListRow row = {};
  row.time = i;
  for (std::uint32_t k = 0; k < i * 7 % 61; ++k) row.levels.push_back(static_cast<float>(i + k));
  if (i % 3 != 0) {
    row.maybe.emplace();
    for (std::uint32_t k = 0; k < i % 5; ++k) row.maybe->push_back(static_cast<std::int32_t>(k * i));
  }
  for (std::uint32_t k = 0; k < i % 6; ++k) {
    ListSpot spot = {static_cast<std::int16_t>(k), {}};
    if ((i + k) % 2 != 0) spot.height = kHeights[k];
    row.spots.push_back(spot);
    row.bits.push_back(k % 3 == i % 3);
  }
  for (std::uint32_t k = 0; k < i % 4; ++k) {
    List<std::int16_t, 3> inner;
    for (std::uint32_t j = 0; j < (i + k) % 4; ++j) inner.push_back(static_cast<std::int16_t>(i - j));
    row.two.push_back(inner);
    row.tags.push_back({written::part("wxyz", k + 1), i * 0.5});
  }
  return row;
}

template <typename T, std::size_t N>
bool equal(const List<T, N>& a, const List<T, N>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

void check_list_row(const ListRow& found, std::uint32_t i) {
  const ListRow row = list_row(i);
  CHECK_EQ(found.time, row.time);
  CHECK(equal(found.levels, row.levels));
  CHECK(equal(found.bits, row.bits));
  REQUIRE(found.maybe.has_value() == row.maybe.has_value());
  if (row.maybe && found.maybe) CHECK(equal(*found.maybe, *row.maybe));
  REQUIRE(found.spots.size() == row.spots.size());
  for (std::size_t k = 0; k < row.spots.size(); ++k) {
    CHECK(found.spots[k].id == row.spots[k].id && found.spots[k].height == row.spots[k].height);
  }
  REQUIRE(found.two.size() == row.two.size() && found.tags.size() == row.tags.size());
  for (std::size_t k = 0; k < row.two.size(); ++k) {
    CHECK(equal(found.two[k], row.two[k]));
    CHECK(std::string_view(found.tags[k].key) == std::string_view(row.tags[k].key));
    CHECK(found.tags[k].value == row.tags[k].value);
  }
}

void check_list_file(MemoryFile& file, std::uint32_t rows) {
  REQUIRE_EQ(list_reader.open(file), Status::kOk);
  ListRow row = {};
  for (std::uint32_t i = 0; i < rows; ++i) {
    REQUIRE_EQ(list_reader.next(row), Status::kOk);
    check_list_row(row, i);
  }
  CHECK_EQ(list_reader.next(row), Status::kEnd);
}

}  // namespace

TEST("lists: rows come back as they were") {
  constexpr std::uint32_t kRows = 80;
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(list_writer.open(file), Status::kOk);
  for (std::uint32_t i = 0; i < kRows; ++i) {
    REQUIRE_EQ(list_writer.append(list_row(i)), Status::kOk);
    if (i == 20 || i == 33) REQUIRE_EQ(list_writer.checkpoint(), Status::kOk);
  }
  REQUIRE_EQ(list_writer.close(), Status::kOk);
  check_list_file(file, kRows);
}

TEST("lists: a file is resumed, and a medium comes back") {
  constexpr std::uint32_t kRows = 100;
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(list_writer.open(file), Status::kOk);
  for (std::uint32_t i = 0; i < 40; ++i) {
    REQUIRE_EQ(list_writer.append(list_row(i)), Status::kOk);
    if (i == 29) REQUIRE_EQ(list_writer.checkpoint(), Status::kOk);
  }
  list_writer.reset();
  REQUIRE_EQ(list_writer.resume(file), Status::kOk);
  REQUIRE_EQ(list_writer.rows(), 30U);
  for (std::uint32_t i = 30; i < kRows; ++i) {
    REQUIRE_EQ(list_writer.append(list_row(i)), Status::kOk);
    if (i % 20 != 7) continue;
    REQUIRE_EQ(list_writer.reconnect(file), Status::kOk);
    REQUIRE_EQ(list_writer.lost_rows(), 0U);
    if (i == 67) REQUIRE_EQ(list_writer.checkpoint(), Status::kOk);
  }
  REQUIRE_EQ(list_writer.close(), Status::kOk);
  check_list_file(file, kRows);
}

namespace {

struct LongList {
  std::int32_t number;
  List<std::int64_t, 100> values;
  List<Text<200>, 4> texts;
  microparquet::Span<const float> elsewhere;
};
inline constexpr auto kLongLists = microparquet::schema(
    microparquet::column("number", &LongList::number), microparquet::list("values", &LongList::values),
    microparquet::list("texts", &LongList::texts), microparquet::list("elsewhere", &LongList::elsewhere));
microparquet::StaticWriter<kLongLists> long_list_writer;

// The struct that is refused, and nothing of it stays: the next one is taken.
void check_refused(const LongList& row) {
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(long_list_writer.open(file), Status::kOk);
  LongList taken = {};
  taken.values.push_back(1);
  for (int times = 0; times < 3; ++times) {
    const std::uint64_t rows = long_list_writer.rows();
    CHECK_EQ(long_list_writer.append(row), Status::kValueTooLarge);
    CHECK_EQ(long_list_writer.rows(), rows);
    CHECK_EQ(long_list_writer.append(taken), Status::kOk);
    CHECK_EQ(long_list_writer.rows(), rows + 1);
  }
  REQUIRE_EQ(long_list_writer.close(), Status::kOk);
  CHECK_EQ(long_list_writer.rows(), 3U);
}

}  // namespace

TEST("a list that fits in no page is refused, and the next row is taken") {
  LongList row = {};
  while (row.values.push_back(2)) {
  }
  check_refused(row);
}

TEST("a list of texts that fits in no page is refused") {
  char letters[200];
  std::memset(letters, 'a', sizeof letters);
  LongList row = {};
  while (row.texts.push_back(std::string_view(letters, sizeof letters))) {
  }
  check_refused(row);
}

TEST("a list that claims more elements than it has places for is refused") {
  LongList row = {};
  for (const std::uint32_t claimed : {101U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    // The count is the last member of a List.
    std::byte* const count = reinterpret_cast<std::byte*>(&row.values) + 100 * sizeof(std::int64_t);
    std::memcpy(count, &claimed, sizeof claimed);
    REQUIRE_EQ(row.values.size(), claimed);
    check_refused(row);
  }
}

TEST("a Span of more elements than a row can have is refused") {
  LongList row = {};
  const float value = 1;
  row.elsewhere = {&value, std::size_t{1} << 30};
  check_refused(row);
}

namespace {

constexpr std::size_t kListHeader = 64;
constexpr std::size_t kMostListSlots = 4000;
constexpr std::uint32_t kMostRow = 40;
alignas(8) std::byte list_page[8192];
alignas(8) std::byte list_column_state[256];
std::uint8_t list_expected[2][kMostListSlots];
std::uint8_t list_found[kMostListSlots];

// A stream of levels with its length, as in the page.
void check_stream(const std::byte*& at, const ListLevels& levels, bool definition, std::size_t count) {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  at += sizeof bytes;
  const unsigned bits = definition ? levels.definition_bits() : levels.repetition_bits();
  REQUIRE(view::hybrid(at, at + bytes, bits, count, list_found));
  at += bytes;
  for (std::size_t i = 0; i < count; ++i) CHECK_EQ(list_found[i], list_expected[definition ? 1 : 0][i]);
}

// Fills a page with rows whose levels are by chance, as long as rows fit; `runs`: many slots are alike.
void check_list_page(std::uint8_t max_definition, std::uint8_t max_repetition, unsigned runs,
                     std::uint32_t page_bytes) {
  const ListEncoder encoder = microparquet::detail::list_encoder(microparquet::kPlainFixed, 8);
  const ListLevels levels(max_definition, max_repetition);
  ColumnPlan plan{};
  plan.encoder = &encoder;
  plan.levels = &levels;
  plan.bounds = &microparquet::kNoBounds;
  plan.shape.value_bytes = 4;
  plan.shape.type = microparquet::Type::kInt32;
  plan.page_bytes = page_bytes;
  plan.header_bytes = kListHeader;
  microparquet::detail::LevelEncoder definition{};
  std::memset(list_column_state, 0, sizeof list_column_state);
  ColumnWriter column{};
  column.plan = &plan;
  column.state = list_column_state;
  column.levels = &definition;
  column.page = list_page;
  column.values = column.cursor = list_page + kListHeader;
  column.end = list_page + page_bytes;
  column.page_state = microparquet::detail::PageState::kOpen;
  column.first_row = 500;
  std::memset(list_page + page_bytes, 0x5A, sizeof list_page - page_bytes);

  std::uint32_t slots = 0;
  std::uint32_t values = 0;
  std::uint32_t rows = 0;
  for (std::uint32_t seed = 0; seed < 2000 && slots + kMostRow <= kMostListSlots; ++seed) {
    // A row of single slots, and of runs between them.
    const std::uint32_t count = written::mix(seed, runs) % kMostRow + 1;
    RowNeed need = {};
    std::uint32_t end = slots;
    for (std::uint32_t left = count; left != 0;) {
      const std::uint32_t length =
          runs != 0 && written::mix(seed, left) % 3 == 0 ? 1 + written::mix(seed, left + 1) % left : 1;
      const auto level = static_cast<std::uint8_t>(
          length > 1 ? max_definition : written::mix(seed, left + 2) % (max_definition + 1U));
      const auto next = static_cast<std::uint8_t>(1 + written::mix(seed, left + 3) % max_repetition);
      for (std::uint32_t i = 0; i < length; ++i, ++end) {
        list_expected[0][end] = end == slots ? 0 : next;
        list_expected[1][end] = level;
        need.values += level == max_definition ? 1 : 0;
      }
      need.slots += length;
      if (length > 1) {
        need.run_bytes += microparquet::detail::run_bytes(length);
        ++need.runs;
      } else {
        ++need.single;
      }
      left -= length;
    }
    if (!microparquet::detail::fits_row(column, need) &&
        !microparquet::detail::make_space_for_row(column, need)) {
      continue;
    }
    CHECK(microparquet::detail::fits_row(column, need));
    for (std::uint32_t i = slots; i < end; ++i) {
      microparquet::detail::put_slots(column, list_expected[0][i], 0, list_expected[1][i], 1);
      if (list_expected[1][i] == max_definition) {
        column.put_plain(values);
        ++values;
      }
    }
    microparquet::detail::end_slots(column, end - slots);
    slots = end;
    ++rows;
  }
  REQUIRE(rows != 0);
  column.row_count = rows;
  encoder.finish(column);
  levels.finish(column);
  CHECK_EQ(column.row_count, slots);
  CHECK_EQ(column.first_row + column.row_count, 500 + rows);
  CHECK_EQ(column.nulls, slots - values);
  CHECK(column.values >= list_page + kListHeader && column.cursor <= column.end);
  const std::byte* at = column.values;
  check_stream(at, levels, false, slots);
  check_stream(at, levels, true, slots);
  REQUIRE(static_cast<std::size_t>(column.cursor - at) == std::size_t{4} * values);
  for (std::uint32_t i = 0; i < values; ++i) {
    std::uint32_t value = 0;
    std::memcpy(&value, at + std::size_t{4} * i, sizeof value);
    CHECK_EQ(value, i);
  }
  for (std::size_t i = page_bytes; i < sizeof list_page; ++i) CHECK(list_page[i] == std::byte{0x5A});
}

}  // namespace

TEST("pages of lists are those of a model") {
  for (std::uint8_t definition = 1; definition <= 15; ++definition) {
    for (std::uint8_t repetition = 1; repetition <= 3; ++repetition) {
      for (const unsigned runs : {0U, 1U, 2U}) {
        for (const std::uint32_t page : {256U, 512U, 2048U})
          check_list_page(definition, repetition, runs, page);
      }
    }
  }
}
