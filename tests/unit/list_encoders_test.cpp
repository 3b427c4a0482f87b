// Encoders with a stage, with runs and with dictionaries, of columns in arrays and lists: a row is promised by the worst that
// its values can be, and is in one page.
#include <array>
#include <cstring>
#include <optional>

#include "microparquet/decoders.h"
#include "microparquet/detail/list_levels.h"
#include "microparquet/encoders.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/read_all.h"
#include "microparquet/static_nested_reader.h"
#include "microparquet/static_nested_writer.h"
#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::Encoder;
using microparquet::List;
using microparquet::MemoryFile;
using microparquet::Text;
using microparquet::Type;
using microparquet::detail::ColumnPlan;
using microparquet::detail::ColumnWriter;
using microparquet::detail::ListEncoder;
using microparquet::detail::ListLevels;
using microparquet::detail::RowNeed;

namespace {

constexpr std::size_t kStagedHeader = 64;
alignas(8) std::byte staged_page[2048];
alignas(8) std::byte staged_state[1200];

// Values that hardly pack, and some that do.
std::int64_t staged_value(std::uint32_t kind, std::uint32_t i) {
  const auto wide =
      static_cast<std::int64_t>(std::uint64_t{written::mix(i, kind)} << 32 | written::mix(kind, i));
  switch (kind) {
    case 0: return wide;
    case 1: return i % 2 != 0 ? INT64_MAX : INT64_MIN;
    case 2: return i;
    default: return i % 70 < 64 ? std::int64_t{i} * 3 : wide;
  }
}

void put_staged_value(ColumnWriter& column, std::uint32_t kind, std::uint32_t i) {
  const std::int64_t value = staged_value(kind, i);
  const auto narrow = static_cast<std::int32_t>(value ^ value >> 32);
  const bool bit = (narrow & 1) != 0;
  const void* const at = column.plan->shape.type == Type::kBoolean ? static_cast<const void*>(&bit)
                         : column.plan->shape.value_bytes == 8     ? static_cast<const void*>(&value)
                                                                   : &narrow;
  column.plan->encoder->put(column, at, 1);
}

bool accepts_staged_row(ColumnWriter& column, std::uint32_t kind, std::uint32_t first, std::uint32_t count) {
  if (column.plan->encoder->accepts == nullptr) return true;
  for (std::uint32_t i = first; i < first + count; ++i) {
    const std::int64_t value = staged_value(kind, i);
    const auto narrow = static_cast<std::int32_t>(value ^ value >> 32);
    if (!column.accepts(column.plan->shape.value_bytes == 8 ? static_cast<const void*>(&value) : &narrow))
      return false;
  }
  return true;
}

struct StagedKind {
  const Encoder* encoder;
  Type type;
  std::uint32_t value_bytes;
};

// Fills a page with rows of `length` values, as long as they are promised, and ends it.
void check_staged_page(const StagedKind& of, std::uint32_t kind, std::uint32_t length,
                       std::uint32_t page_bytes) {
  const ListEncoder encoder = microparquet::detail::list_encoder(*of.encoder, 8);
  const ListLevels levels(2, 1);
  ColumnPlan plan{};
  plan.encoder = &encoder;
  plan.levels = &levels;
  plan.bounds = &microparquet::kNoBounds;
  plan.shape.value_bytes = of.value_bytes;
  plan.shape.type = of.type;
  plan.page_bytes = page_bytes;
  plan.header_bytes = kStagedHeader;
  REQUIRE(encoder.state_bytes <= sizeof staged_state);
  std::memset(staged_state, 0, sizeof staged_state);
  std::memset(staged_page + page_bytes, 0x5A, sizeof staged_page - page_bytes);
  microparquet::detail::LevelEncoder definition{};
  ColumnWriter column{};
  column.plan = &plan;
  column.state = staged_state;
  column.levels = &definition;
  column.page = staged_page;
  column.end = staged_page + page_bytes;
  column.open_page();

  std::uint32_t values = 0;
  std::uint32_t rows = 0;
  for (;; ++rows) {
    const RowNeed need = {length, length, 0, length, 0, 0};
    if (levels.prepare_rows(column, 1) == 0 || !accepts_staged_row(column, kind, values, length)) break;
    if (!fits_row(column, need) && !make_space_for_row(column, need)) break;
    for (std::uint32_t i = 0; i < length; ++i) {
      microparquet::detail::put_slots(column, i == 0 ? 0 : 1, 1, 2, 1);
      put_staged_value(column, kind, values++);
      REQUIRE(column.cursor <= column.end);
    }
    microparquet::detail::end_slots(column, length);
    if (rows > 4000) break;
  }
  const RowNeed alone = {length, length, 0, length, 0, 0};
  CHECK(rows != 0 || encoder.dictionary != nullptr || !fits_empty_list_page(column, alone));
  if (rows == 0) return;
  column.row_count = rows;
  encoder.finish(column);
  levels.finish(column);
  CHECK(column.values >= staged_page + kStagedHeader && column.cursor <= column.end);
  for (std::size_t i = page_bytes; i < sizeof staged_page; ++i) CHECK(staged_page[i] == std::byte{0x5A});
}

inline constexpr auto& kSmallDictionary = microparquet::kDictionaryOf<128, 20>;

}  // namespace

TEST("pages of lists hold what was promised for the worst values") {
  const StagedKind kinds[] = {{&microparquet::kDeltaInt32, Type::kInt32, 4},
                              {&microparquet::kDeltaInt64, Type::kInt64, 8},
                              {&microparquet::kRleBoolean, Type::kBoolean, 0},
                              {kSmallDictionary.int32, Type::kInt32, 4},
                              {kSmallDictionary.int64, Type::kInt64, 8}};
  constexpr std::uint32_t kLengths[] = {1, 31, 33, 64, 100};
  for (const StagedKind& of : kinds) {
    for (std::uint32_t kind = 0; kind < 4; ++kind) {
      for (const std::uint32_t length : kLengths) {
        for (const std::uint32_t page : {256U, 1024U}) check_staged_page(of, kind, length, page);
      }
    }
  }
}

namespace {

struct StagedPart {
  std::int16_t number;
  std::optional<Text<4>> word;
};
struct StagedRow {
  std::int64_t time;
  std::array<std::int32_t, 33> array;
  std::optional<std::array<std::int64_t, 5>> maybe;
  List<std::int64_t, 100> list;
  List<StagedPart, 8> parts;
  List<bool, 70> bits;
  List<List<float, 3>, 3> two;
};
inline constexpr auto kStagedSchema = microparquet::schema(
    microparquet::column("time", &StagedRow::time),
    microparquet::list("array", &StagedRow::array).with_encoder(microparquet::kDeltaBinaryPacked),
    microparquet::list("maybe", &StagedRow::maybe).with_encoder(microparquet::kDeltaBinaryPacked),
    microparquet::list("list", &StagedRow::list)
        .with_encoder(microparquet::kDeltaBinaryPacked)
        .with_page_bytes(1024),
    microparquet::list("parts", &StagedRow::parts, microparquet::column("number", &StagedPart::number),
                       microparquet::column("word", &StagedPart::word))
        .with_encoder(kSmallDictionary),
    microparquet::list("bits", &StagedRow::bits).with_encoder(microparquet::kRleBoolean),
    microparquet::list("two", &StagedRow::two).with_encoder(kSmallDictionary));
inline constexpr microparquet::ReaderOptions kStagedReading = [] {
  microparquet::ReaderOptions options;
  options.buffer_bytes = 4096;
  options.decoders = microparquet::kAllDecoders;
  return options;
}();
microparquet::StaticWriter<kStagedSchema> staged_writer;
microparquet::StaticReader<kStagedSchema, kStagedReading> staged_reader;

// Few values first, then ever new ones, for which dictionaries have no places.
void make_staged_row(std::uint32_t i, StagedRow& row) {
  row = {};
  row.time = i;
  const std::uint32_t few = i < 40 ? 5 : 1000;
  for (std::uint32_t k = 0; k < 33; ++k) row.array[k] = static_cast<std::int32_t>(i * 40 + k);
  if (i % 4 != 0) row.maybe.emplace().fill(staged_value(i % 3, i));
  for (std::uint32_t k = 0; k < i * 37 % 101; ++k) row.list.push_back(staged_value(i / 8 % 4, k));
  for (std::uint32_t k = 0; k < i % 9; ++k) {
    StagedPart part = {static_cast<std::int16_t>((i + k) % few), {}};
    if (k % 3 != 0) part.word = written::part("abcd", (i + k) % 4 % few, 2);
    row.parts.push_back(part);
  }
  for (std::uint32_t k = 0; k < i % 71; ++k) row.bits.push_back((k / (1 + i % 20)) % 2 != 0);
  for (std::uint32_t k = 0; k < i % 4; ++k) {
    List<float, 3> inner;
    for (std::uint32_t j = 0; j < (i + k) % 4; ++j) inner.push_back(static_cast<float>((i * 3 + j) % few));
    row.two.push_back(inner);
  }
}

template <typename T, std::size_t N>
bool same_list(const List<T, N>& a, const List<T, N>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

bool same_parts(const StagedRow& a, const StagedRow& b) {
  if (a.parts.size() != b.parts.size()) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    const StagedPart& one = a.parts[i];
    const StagedPart& other = b.parts[i];
    if (one.number != other.number || one.word.has_value() != other.word.has_value()) return false;
    if (one.word && std::string_view(*one.word) != std::string_view(*other.word)) return false;
  }
  return true;
}

bool same_two(const StagedRow& a, const StagedRow& b) {
  if (a.two.size() != b.two.size()) return false;
  for (std::size_t i = 0; i < a.two.size(); ++i) {
    if (!same_list(a.two[i], b.two[i])) return false;
  }
  return true;
}

void check_staged_file(MemoryFile& file, std::uint32_t rows) {
  static StagedRow wanted;
  static StagedRow found;
  REQUIRE_EQ(staged_reader.open(file), microparquet::Status::kOk);
  for (std::uint32_t i = 0; i < rows; ++i) {
    make_staged_row(i, wanted);
    REQUIRE_EQ(staged_reader.next(found), microparquet::Status::kOk);
    CHECK_EQ(found.time, wanted.time);
    CHECK(found.array == wanted.array && found.maybe == wanted.maybe && same_parts(found, wanted));
    CHECK(same_list(found.list, wanted.list) && same_list(found.bits, wanted.bits) &&
          same_two(found, wanted));
  }
  CHECK_EQ(staged_reader.next(found), microparquet::Status::kEnd);
}

}  // namespace

TEST("lists of differences, runs and indices come back as they were") {
  constexpr std::uint32_t kRows = 90;
  static StagedRow row;
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(staged_writer.open(file), microparquet::Status::kOk);
  for (std::uint32_t i = 0; i < kRows; ++i) {
    make_staged_row(i, row);
    REQUIRE_EQ(staged_writer.append(row), microparquet::Status::kOk);
    if (i % 20 == 13) REQUIRE_EQ(staged_writer.checkpoint(), microparquet::Status::kOk);
    if (i == 30) REQUIRE_EQ(staged_writer.end_row_group(), microparquet::Status::kOk);
  }
  REQUIRE_EQ(staged_writer.close(), microparquet::Status::kOk);
  check_staged_file(file, kRows);
}

TEST("lists of differences, runs and indices are resumed, and a medium comes back") {
  constexpr std::uint32_t kRows = 90;
  static StagedRow row;
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(staged_writer.open(file), microparquet::Status::kOk);
  for (std::uint32_t i = 0; i < 25; ++i) {
    make_staged_row(i, row);
    REQUIRE_EQ(staged_writer.append(row), microparquet::Status::kOk);
    if (i == 19) REQUIRE_EQ(staged_writer.checkpoint(), microparquet::Status::kOk);
  }
  staged_writer.reset();
  REQUIRE_EQ(staged_writer.resume(file), microparquet::Status::kOk);
  REQUIRE_EQ(staged_writer.rows(), 20U);
  for (std::uint32_t i = 20; i < kRows; ++i) {
    make_staged_row(i, row);
    REQUIRE_EQ(staged_writer.append(row), microparquet::Status::kOk);
    if (i % 30 != 7) continue;
    REQUIRE_EQ(staged_writer.reconnect(file), microparquet::Status::kOk);
    CHECK_EQ(staged_writer.lost_rows(), 0U);
  }
  REQUIRE_EQ(staged_writer.close(), microparquet::Status::kOk);
  check_staged_file(file, kRows);
}

namespace {

struct LongDeltas {
  List<std::int64_t, 64> list;
};
inline constexpr auto kLongDeltas = microparquet::schema(
    microparquet::list("list", &LongDeltas::list).with_encoder(microparquet::kDeltaBinaryPacked));
microparquet::StaticWriter<kLongDeltas> long_delta_writer;

}  // namespace

// 50 values of eight bytes fit in 512 bytes, 64 do not; what 50 differences need at most does not either.
TEST("a list that fits in a page in PLAIN is taken by the encoder of differences") {
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(long_delta_writer.open(file), microparquet::Status::kOk);
  LongDeltas row = {};
  for (std::uint32_t i = 0; i < 50; ++i) row.list.push_back(i);
  CHECK_EQ(long_delta_writer.append(row), microparquet::Status::kOk);
  CHECK_EQ(long_delta_writer.append(row), microparquet::Status::kOk);
  while (row.list.push_back(1)) {
  }
  CHECK_EQ(long_delta_writer.append(row), microparquet::Status::kValueTooLarge);
  row.list.clear();
  row.list.push_back(1);
  CHECK_EQ(long_delta_writer.append(row), microparquet::Status::kOk);
  CHECK_EQ(long_delta_writer.rows(), 3U);
  CHECK_EQ(long_delta_writer.close(), microparquet::Status::kOk);
}
