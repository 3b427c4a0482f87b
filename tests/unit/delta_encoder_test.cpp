// DELTA_BINARY_PACKED as it is written: values of every kind, in every layout, through cuts, boots, calls that
// fail and a card that is lost. What reads it is the library's decoder, and view::File where that is in doubt.
#include <cstring>

#include "cut_file.h"
#include "has_rows.h"
#include "lost_card.h"
#include "microparquet/encoders.h"
#include "microparquet/reader.h"
#include "microparquet/static_writer.h"
#include "support/check.h"

using cut::CutFile;
using cut::with_blocks;
using microparquet::ColumnData;
using microparquet::kDeltaBinaryPacked;

namespace {

constexpr bool kSmallTarget = sizeof(void*) == 4;

// Sequences of a column's values.
enum class Series : std::uint8_t {
  kConstant,
  kCounter,
  kTime,  // with jitter
  kClockSetBack,
  kFirstTime,  // 1970, and then now
  kExtremes,   // alternating
  kRandom,
  kNoise,
  kFalling,
  kWidening,  // each 32 need some bits more than those before
  kNarrowing,
  kLowering,  // each 32 have a lower least difference
  kOutliers,
  kMixed,  // some hundreds of each of these
};
constexpr int kSeries = static_cast<int>(Series::kMixed) + 1;

// A value of 64 bits; a column of 32 bits has the lower ones.
std::int64_t value_of(Series series, std::uint32_t row) {
  const std::uint32_t random = written::mix(row, 77);
  const std::int64_t n = row;
  constexpr std::int64_t kNow = 1'700'000'000'000'000;
  switch (series) {
    case Series::kConstant: return -7;
    case Series::kCounter: return n - 100;
    case Series::kTime: return kNow + 10'000 * n + random % 51;
    case Series::kClockSetBack: return kNow + 10'000 * n - (row % 97 < 48 ? 0 : 3'600'000'000) + random % 51;
    case Series::kFirstTime: return 1'000 * n + (row < 61 ? 0 : kNow);
    case Series::kExtremes: return row % 2 == 0 ? INT64_MIN : INT64_MAX;
    case Series::kRandom:
      return static_cast<std::int64_t>(std::uint64_t{random} << 32 | written::mix(row, 78));
    case Series::kNoise: return static_cast<std::int32_t>(random) >> 20;
    case Series::kFalling:  // wraps
      return static_cast<std::int64_t>((std::uint64_t{1} << 63) + 40 - 3 * std::uint64_t{row});
    case Series::kWidening: return static_cast<std::int64_t>(random & ((2U << row / 32 % 31) - 1));
    case Series::kNarrowing: return static_cast<std::int64_t>(random & ((2U << (31 - row / 32 % 31)) - 1));
    case Series::kLowering: return -n * (row / 32 % 5) * (row / 32 % 9 == 8 ? 100'000 : 7) + random % 3;
    case Series::kOutliers: return random % 64 != 0 ? row % 4 : value_of(Series::kRandom, row);
    case Series::kMixed: break;
  }
  return value_of(static_cast<Series>(written::mix(row / 333, 5) % (kSeries - 1)), row);
}

enum class Nulls : std::uint8_t { kNone, kAll, kAlternating, kRuns, kRandom, kFew };
constexpr int kNulls = 6;

bool is_null(Nulls nulls, std::uint32_t row) {
  switch (nulls) {
    case Nulls::kNone: return false;
    case Nulls::kAll: return true;
    case Nulls::kAlternating: return row % 2 == 0;
    case Nulls::kRuns: return row / 70 % 2 == 0;
    case Nulls::kRandom: return written::mix(row, 3) % 3 == 0;
    case Nulls::kFew: return row % 61 == 0;
  }
  return false;
}

constexpr Field kFields[] = {
    microparquet::int64_field("time").with_encoder(kDeltaBinaryPacked),
    microparquet::int32_field("count").with_encoder(kDeltaBinaryPacked),
    microparquet::int64_field("maybe_time").as_optional().with_encoder(kDeltaBinaryPacked),
    microparquet::int32_field("maybe_count").as_optional().with_encoder(kDeltaBinaryPacked),
    microparquet::int32_field("row"),
};
constexpr std::uint32_t kColumns = 5;

struct Rows {
  Series series = Series::kMixed;
  Nulls nulls = Nulls::kRandom;

  Status append(Writer& writer, std::uint32_t row) const {
    const std::int64_t value = value_of(series, row);
    const auto narrow = static_cast<std::int32_t>(value);
    const bool null = is_null(nulls, row);
    const Value values[] = {Value::of(value), Value::of(narrow), null ? Value() : Value::of(value),
                            null ? Value() : Value::of(narrow), Value::of(static_cast<std::int32_t>(row))};
    return writer.append(values);
  }

  // Whether a file has the first `count` rows, and bounds that hold them.
  bool are_in(Span<const std::byte> contents, std::uint32_t count) const {
    return written::has_rows<40'000>(
        contents, count, [this](Reader& reader, std::uint32_t row) { return holds(reader, row); });
  }

  bool holds(Reader& reader, std::uint32_t row) const {
    const std::int64_t value = value_of(series, row);
    const auto narrow = static_cast<std::int32_t>(value);
    const bool null = is_null(nulls, row);
    if (reader.cell(0).as<std::int64_t>() != value || reader.cell(1).as<std::int32_t>() != narrow)
      return false;
    if (reader.cell(2).null() != null || reader.cell(3).null() != null) return false;
    if (!null && reader.cell(2).as<std::int64_t>() != value) return false;
    if (!null && reader.cell(3).as<std::int32_t>() != narrow) return false;
    return reader.cell(4).as<std::int32_t>() == static_cast<std::int32_t>(row);
  }
};

// The pages of a column chunk.
struct Pages {
  int plain = 0;
  int packed = 0;
  std::int64_t values = 0;
  int larger = 0;  // than in PLAIN, by more than a miniblock that was not full
};

// Pages of optional columns have their levels before the values: of these `larger` says nothing.
Pages pages_of(const view::File& file, std::uint32_t row_group, std::uint32_t column) {
  constexpr int kPage = 5;
  const view::Struct meta = file.column(row_group, column);
  const std::int64_t width = column == 0 || column == 2 ? 8 : 4;
  const std::byte* at = file.bytes().data() + meta.integer(view::id::kDataPageOffset);
  const std::byte* const end = at + meta.integer(view::id::kStoredSize);
  Pages pages;
  while (at < end) {
    const view::Struct header(at);
    const view::Struct page = header.structure(kPage);
    const std::int64_t body = header.integer(3);
    const bool is_plain = page.integer(2) == 0;
    CHECK(is_plain || page.integer(2) == 5);
    ++(is_plain ? pages.plain : pages.packed);
    pages.values += page.integer(1);
    const std::int64_t more = body - page.integer(1) * width;
    if (more > 32 * width) ++pages.larger;
    at = header.end() + body;
  }
  CHECK(at == end);
  return pages;
}

// Rows of each column's pages, and no page of a required column much larger than in PLAIN.
void expect_pages(const view::File& file) {
  for (std::uint32_t group = 0; group < file.row_groups(); ++group) {
    const std::int64_t rows = file.row_group(group).integer(view::id::kNumRows);
    for (std::uint32_t column = 0; column < 4; ++column) {
      const Pages pages = pages_of(file, group, column);
      CHECK_EQ(pages.values, rows);
      if (column < 2) CHECK_EQ(pages.larger, 0);
    }
  }
}

void write_and_read(const Options& options, const Rows& rows, std::uint32_t count, std::uint32_t interval) {
  cut::write_and_read({kFields, options, count, interval}, rows, expect_pages);
}

}  // namespace

TEST("deltas: every series of values, page size, layout and null pattern") {
  const Options kinds[] = {written::in_place(512),       written::in_place(256),  written::in_place(128),
                           written::in_place(1024, 100), written::in_place(4096), written::forward(512, 8192),
                           written::forward(256, 8192),  with_blocks(256, 512),   with_blocks(512, 512),
                           with_blocks(1024, 4096),      with_blocks(512, 2048)};
  const check::Stride stride = check::stride();
  unsigned place = 0;
  for (int series = 0; series < kSeries; ++series) {
    for (std::size_t kind = 0; kind < std::size(kinds); ++kind) {
      if (++place % stride.step != stride.first) continue;
      const auto nulls = static_cast<Nulls>((static_cast<unsigned>(series) + kind) % kNulls);
      write_and_read(kinds[kind], {static_cast<Series>(series), nulls}, 1500, kSmallTarget ? 700 : 170);
    }
  }
}

TEST("deltas: a checkpoint after each row, with values staged and with a stage that is full") {
  write_and_read(with_blocks(512, 512), {Series::kTime, Nulls::kRandom}, 16, 1);
  write_and_read(with_blocks(512, 512), {Series::kRandom, Nulls::kFew}, 200, 33);
  write_and_read(with_blocks(256, 512), {Series::kMixed, Nulls::kFew}, 300, 33);
  // 8-byte values that are kept fill three pages, the header's alignment counted.
  write_and_read(with_blocks(168, 512), {Series::kRandom, Nulls::kFew}, 300, 33);
  static_assert(microparquet::detail::pages_of_values(microparquet::kMostKeptValues, 8, 168, 28) == 3);
}

TEST("deltas: a page that is full of staged values, at each place of an extent") {
  for (std::uint32_t limit = 20; limit < 260; limit += kSmallTarget ? 13 : 1) {
    Options options = cut::options_of(limit % 2 == 0 ? 256 : 512);
    options.row_group_bytes = 0;
    options.row_group_rows = limit;
    write_and_read(options, {Series::kMixed, Nulls::kFew}, 400, 1000);
  }
}

TEST("deltas: batches of columns give the same file as rows") {
  constexpr std::uint32_t kCount = 2000;
  static std::int64_t times[kCount];
  static std::int32_t counts[kCount];
  static std::int32_t numbers[kCount];
  static std::uint8_t valid[kCount];
  const Rows rows{Series::kMixed, Nulls::kRuns};
  for (std::uint32_t n = 0; n < kCount; ++n) {
    times[n] = value_of(rows.series, n);
    counts[n] = static_cast<std::int32_t>(times[n]);
    numbers[n] = static_cast<std::int32_t>(n);
    valid[n] = is_null(rows.nulls, n) ? 0 : 1;
  }
  for (const Options& options :
       {written::in_place(512), written::forward(512, 8192), written::in_place(4096)}) {
    CutFile file;
    Writer writer;
    REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
    for (std::uint32_t done = 0; done < kCount; done += 500) {
      const ColumnData columns[] = {{times + done, nullptr},
                                    {counts + done, nullptr},
                                    {times + done, valid + done},
                                    {counts + done, valid + done},
                                    {numbers + done, nullptr}};
      REQUIRE_EQ(writer.append_columns(columns, 500), Status::kOk);
    }
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK(rows.are_in(file.view().bytes(), kCount));
  }
}

namespace {

// The pages of a log of one column.
template <typename ValueAt>
Pages pages_of_log(std::uint32_t rows, ValueAt value_at) {
  constexpr Field kTime[] = {microparquet::int64_field("time").with_encoder(kDeltaBinaryPacked)};
  Options options = written::in_place(kSmallTarget ? 1024 : 4096);
  options.row_group_bytes = 0;
  options.row_group_rows = 2 * rows;
  written::File file(kTime, options);
  CHECK_EQ(file.opened(), Status::kOk);
  for (std::uint32_t n = 0; n < rows; ++n) {
    const Value row[] = {Value::of(std::int64_t{value_at(n)})};
    CHECK_EQ(file.writer.append(row), Status::kOk);
  }
  CHECK_EQ(file.writer.close(), Status::kOk);
  CHECK_EQ(file.view().row_groups(), 1U);
  const Pages pages = pages_of(file.view(), 0, 0);
  CHECK_EQ(pages.values, rows);
  return pages;
}

}  // namespace

TEST("deltas: a page continues where a difference does not pack, by what it has saved before") {
  // A clock that is set each 130 rows, once in each place of a block; not in the last ones that find place.
  const Pages set = pages_of_log(130 * 3, [](std::uint32_t n) { return n + (std::int64_t{n / 130} << 40); });
  CHECK_EQ(set.packed, 1);
  CHECK_EQ(set.plain, 0);
  // Values without steps from the first row on are PLAIN, and values after a page that has saved nothing are,
  // too.
  const auto random = [](std::uint32_t n) { return value_of(Series::kRandom, n); };
  CHECK_EQ(pages_of_log(200, random).packed, 0);
  const Pages mixed =
      pages_of_log(700, [&](std::uint32_t n) { return n < 100 ? std::int64_t{n} : random(n); });
  CHECK_EQ(mixed.packed, 1);
  CHECK(mixed.plain > 0);
  CHECK_EQ(mixed.larger, 0);
}

TEST("deltas: a page has up to 127 blocks") {
  constexpr std::uint32_t kMost = 127 * 128 + 1;
  const auto counter = [](std::uint32_t n) { return std::int64_t{n}; };
  CHECK_EQ(pages_of_log(kMost, counter).packed, 1);
  const Pages more = pages_of_log(kMost + 1, counter);
  CHECK_EQ(more.packed + more.plain, 2);
}

TEST("deltas: boots continue where the last footer ends") {
  const Rows rows{Series::kMixed, Nulls::kRandom};
  for (const Options& options : {with_blocks(512, 512), with_blocks(256, 512), with_blocks(1024, 4096)})
    cut::write_over_boots({kFields, options, 190, 60}, 97, rows);
}

TEST("deltas: a call that fails is repeated, and staged values are in one page") {
  const Rows rows{Series::kMixed, Nulls::kRandom};
  const Options options = with_blocks(512, 512);
  for (const bool takes_effect : {false, true}) {
    CutFile file;
    cut::write_where_calls_fail(file, takes_effect, {kFields, options, 900, 90},
                                [&](Writer& writer, std::uint32_t n) { return rows.append(writer, n); });
    CHECK(rows.are_in(file.view().bytes(), 900));
    expect_pages(file.view());
  }
}

TEST("deltas: a card that is lost in any call") {
  const Rows rows{Series::kMixed, Nulls::kRandom};
  const Options options = with_blocks(512, 512);
  for (int call = 8; call < 60; call += kSmallTarget ? 17 : 3) {
    lost::Card card;
    lost::write_through_loss(card, call, {kFields, options, 600, 90},
                             [&](Writer& writer, std::uint32_t n) { return rows.append(writer, n); });
    CHECK(rows.are_in(card.contents(), 600));
  }
}

TEST("deltas: bounds are those of the values, signed and unsigned, rising, falling and across zero") {
  constexpr Field kSigned[] = {
      microparquet::int32_field("a").with_encoder(kDeltaBinaryPacked),
      microparquet::integer_field("b", 32, false).with_encoder(kDeltaBinaryPacked),
      microparquet::int64_field("c").with_encoder(kDeltaBinaryPacked),
      microparquet::integer_field("d", 64, false).with_encoder(kDeltaBinaryPacked),
  };
  constexpr std::int32_t kSteps[] = {1, -1, 0, 1 << 25, -(1 << 25), 1 << 27};
  constexpr std::int32_t kFirsts[] = {0, -40, 40, INT32_MAX - 50, INT32_MIN + 50};
  for (const std::int32_t step : kSteps) {
    for (const std::int32_t first : kFirsts) {
      written::File file(kSigned, written::in_place(512));
      REQUIRE_EQ(file.opened(), Status::kOk);
      std::int32_t least[2] = {INT32_MAX, 0};
      std::int32_t most[2] = {INT32_MIN, 0};
      std::uint32_t value = static_cast<std::uint32_t>(first);
      std::uint32_t least_unsigned = ~0U;
      std::uint32_t most_unsigned = 0;
      for (int n = 0; n < 100; ++n, value += static_cast<std::uint32_t>(step)) {
        const auto number = static_cast<std::int32_t>(value);
        const Value row[] = {Value::of(number), Value::of(number), Value::of(std::int64_t{number}),
                             Value::of(std::int64_t{number})};
        REQUIRE_EQ(file.writer.append(row), Status::kOk);
        if (number < least[0]) least[0] = number;
        if (number > most[0]) most[0] = number;
        if (value < least_unsigned) least_unsigned = value;
        if (value > most_unsigned) most_unsigned = value;
      }
      least[1] = static_cast<std::int32_t>(least_unsigned);
      most[1] = static_cast<std::int32_t>(most_unsigned);
      REQUIRE_EQ(file.writer.close(), Status::kOk);
      for (std::uint32_t column = 0; column < 4; ++column) {
        const view::Struct bounds = file.view().statistics(0, column);
        const std::string_view min = bounds.text(view::id::kMinValue);
        const std::string_view max = bounds.text(view::id::kMaxValue);
        std::int32_t found[2] = {};
        REQUIRE(min.size() >= 4 && max.size() >= 4);
        std::memcpy(&found[0], min.data(), 4);
        std::memcpy(&found[1], max.data(), 4);
        CHECK_EQ(found[0], least[column % 2]);
        CHECK_EQ(found[1], most[column % 2]);
      }
    }
  }
}
