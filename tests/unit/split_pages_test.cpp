// BYTE_STREAM_SPLIT under a compressor as it is written: values of every kind, in every layout, through cuts,
// boots, calls that fail and a card that is lost.
#include <cstring>

#include "cut_file.h"
#include "has_rows.h"
#include "lost_card.h"
#include "microparquet/codecs.h"
#include "microparquet/encoders.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"
#include "support/check.h"

using cut::CutFile;
using cut::with_blocks;
using microparquet::kByteStreamSplit;
using microparquet::kLz4RawCompressor;

namespace {

constexpr bool kSmallTarget = sizeof(void*) == 4;

// Sequences of a column's values, as bits.
enum class Series : std::uint8_t {
  kConstant,
  kNoise,  // of a sensor
  kSteps,  // of a slow one, whose values come again
  kRandom,
  kNans,      // with payloads, signalling ones among them
  kSpecials,  // zeros and infinities of both signs, the smallest and the largest
  kChanging,  // some hundreds of each of these
};
constexpr int kSeries = static_cast<int>(Series::kChanging) + 1;

std::uint64_t bits_of(Series series, std::uint32_t row) {
  const std::uint32_t random = written::mix(row, 31);
  switch (series) {
    case Series::kConstant: return 0x4048F5C3'4048F5C3;
    case Series::kNoise: return 0x3F800000'00000000 + (std::uint64_t{random} << 16);
    case Series::kSteps:
      return 0x41A00000'41A00000 + written::mix(row / 6, 7) % 40 * std::uint64_t{0x00010CCD'5A3B0CCD};
    case Series::kRandom: return std::uint64_t{random} << 32 | written::mix(row, 32);
    case Series::kNans: return 0x7FF00000'7F800000 | (random & 0x800FFFFF) | std::uint64_t{random} << 32;
    case Series::kSpecials: {
      constexpr std::uint32_t kBits[] = {0, 0x80000000, 0x7F800000, 0xFF800000, 1, 0x7F7FFFFF};
      const std::uint32_t bits = kBits[random % 6];
      return std::uint64_t{bits} << 32 | bits;
    }
    case Series::kChanging: break;
  }
  return bits_of(static_cast<Series>(written::mix(row / 700, 5) % (kSeries - 1)), row);
}

template <typename T>
T as(std::uint64_t bits) {
  T value;
  std::memcpy(&value, reinterpret_cast<const std::byte*>(&bits) + sizeof bits - sizeof value, sizeof value);
  return value;
}

// A NaN, too, has its bits.
template <typename T>
bool same(T value, std::uint64_t bits) {
  std::uint64_t found = 0;
  std::memcpy(reinterpret_cast<std::byte*>(&found) + sizeof found - sizeof value, &value, sizeof value);
  return found == (sizeof value == sizeof bits ? bits : bits >> 32 << 32);
}

enum class Nulls : std::uint8_t { kNone, kAll, kAlternating, kRuns, kRandom };
constexpr int kNulls = 5;

bool is_null(Nulls nulls, std::uint32_t row) {
  switch (nulls) {
    case Nulls::kNone: return false;
    case Nulls::kAll: return true;
    case Nulls::kAlternating: return row % 2 == 0;
    case Nulls::kRuns: return row / 70 % 2 == 0;
    case Nulls::kRandom: return written::mix(row, 3) % 3 == 0;
  }
  return false;
}

constexpr Field split(const Field& field) {
  return field.with_encoder(kByteStreamSplit).with_compressor(kLz4RawCompressor);
}

constexpr Field kFields[] = {
    split(microparquet::float_field("x")),
    split(microparquet::double_field("y")),
    split(microparquet::float_field("maybe_x").as_optional()),
    split(microparquet::double_field("maybe_y").as_optional()),
    microparquet::float_field("alone").with_encoder(kByteStreamSplit),
    microparquet::int32_field("row"),
};
constexpr Field kOneField[] = {split(microparquet::float_field("x"))};
constexpr std::uint32_t kSplitColumns = 4;
constexpr std::uint32_t kAlone = 4;

struct Rows {
  Series series = Series::kChanging;
  Nulls nulls = Nulls::kRandom;

  Status append(Writer& writer, std::uint32_t row) const {
    const std::uint64_t bits = bits_of(series, row);
    const bool null = is_null(nulls, row);
    const Value x = Value::of(as<float>(bits));
    const Value y = Value::of(as<double>(bits));
    const Value values[] = {
        x, y, null ? Value() : x, null ? Value() : y, x, Value::of(static_cast<std::int32_t>(row))};
    return writer.append(values);
  }

  // Whether a file has the first `count` rows.
  bool are_in(Span<const std::byte> contents, std::uint32_t count) const {
    return written::has_rows<80'000>(
        contents, count, [this](Reader& reader, std::uint32_t row) { return holds(reader, row); },
        written::reading_all(microparquet::kAllDecompressors));
  }

  bool holds(Reader& reader, std::uint32_t row) const {
    const std::uint64_t bits = bits_of(series, row);
    const bool null = is_null(nulls, row);
    if (!same(reader.cell(0).as<float>(), bits) || !same(reader.cell(1).as<double>(), bits)) return false;
    if (reader.cell(2).null() != null || reader.cell(3).null() != null) return false;
    if (!null && !same(reader.cell(2).as<float>(), bits)) return false;
    if (!null && !same(reader.cell(3).as<double>(), bits)) return false;
    if (!same(reader.cell(kAlone).as<float>(), bits)) return false;
    return reader.cell(5).as<std::int32_t>() == static_cast<std::int32_t>(row);
  }
};

// The pages of column chunks.
struct Pages {
  int plain = 0;
  int split = 0;
  int grown = 0;      // larger than their bodies
  int changes = 0;    // of the encoding
  int unaligned = 0;  // that begin within a sector
};

// Counts a column's pages, whose chunks say their encodings and sizes.
Pages pages_of(const view::File& file, std::uint32_t column) {
  constexpr int kPage = 5;
  constexpr std::int64_t kSplit = 9;
  Pages pages;
  for (std::uint32_t group = 0; group < file.row_groups(); ++group) {
    const view::Struct meta = file.column(group, column);
    const std::byte* at = file.bytes().data() + meta.integer(view::id::kDataPageOffset);
    const std::byte* const end = at + meta.integer(view::id::kStoredSize);
    std::int64_t values = 0;
    std::int64_t raw = 0;
    std::int64_t last = -1;
    while (at < end) {
      const view::Struct header(at);
      if ((at - file.bytes().data()) % 512 != 0) ++pages.unaligned;
      const view::Struct page = header.structure(kPage);
      const std::int64_t encoding = page.integer(2);
      CHECK(encoding == 0 || encoding == kSplit);
      ++(encoding == kSplit ? pages.split : pages.plain);
      if (last >= 0 && last != encoding) ++pages.changes;
      last = encoding;
      values += page.integer(1);
      const std::int64_t stored = header.integer(3);
      raw += (header.end() - at) + header.integer(2);
      if (stored > header.integer(2)) ++pages.grown;
      at = header.end() + stored;
    }
    CHECK(at == end);
    CHECK_EQ(values, file.row_group(group).integer(view::id::kNumRows));
    CHECK_EQ(meta.integer(view::id::kRawSize), raw);
  }
  return pages;
}

void write_and_read(const Options& options, const Rows& rows, std::uint32_t count, std::uint32_t interval) {
  cut::write_and_read({kFields, options, count, interval}, rows, [](const view::File& file) {
    for (std::uint32_t column = 0; column < kSplitColumns; ++column) pages_of(file, column);
    CHECK_EQ(pages_of(file, kAlone).split, 0);
  });
}

// Counts the pages of a file of `count` rows of one column.
template <typename SeriesOf>
Pages pages_of_rows(SeriesOf series_of, std::uint32_t count) {
  written::File file(kOneField, written::in_place(1024));
  CHECK_EQ(file.opened(), Status::kOk);
  for (std::uint32_t n = 0; n < count; ++n) {
    const Value x[] = {Value::of(as<float>(bits_of(series_of(n), n)))};
    CHECK_EQ(file.writer.append(x), Status::kOk);
  }
  CHECK_EQ(file.writer.close(), Status::kOk);
  return pages_of(file.view(), 0);
}
Pages pages_of_series(Series series, std::uint32_t count) {
  return pages_of_rows([&](std::uint32_t) { return series; }, count);
}

// Sees that what is written begins on sectors.
class SectorFile final : public support::ForwardingFile {
 public:
  explicit SectorFile(microparquet::File& file) : ForwardingFile(file) {}
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    CHECK(offset % 512 == 0 || !footers_begin_there);
    CHECK(!data.empty());
    return ForwardingFile::write_at(offset, data);
  }

  bool footers_begin_there = true;  // with larger blocks they end on one
};

}  // namespace

TEST("split pages: every series of values, page size, layout and null pattern") {
  const Options kinds[] = {
      written::in_place(512),       written::in_place(256),  written::in_place(1024),
      written::in_place(1024, 100), written::in_place(4096), written::forward(512, 8192),
      written::forward(256, 8192),  with_blocks(256, 512),   with_blocks(1024, 512),
      with_blocks(1024, 4096),      with_blocks(512, 2048),  written::forward(1024, 16384)};
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

TEST("sector tails: pages of compressed columns are not padded, writes are, and checkpoints end on a block") {
  const Rows rows{Series::kNoise, Nulls::kRandom};
  for (const std::uint16_t block_bytes : {std::uint16_t{512}, std::uint16_t{2048}}) {
    const Options options = with_blocks(1024, block_bytes);
    CutFile file;
    SectorFile sectors(file);
    sectors.footers_begin_there = block_bytes == 512;
    Writer writer;
    REQUIRE_EQ(writer.open(sectors, kFields, options, written::arena_memory()), Status::kOk);
    for (std::uint32_t n = 0; n < 3000; ++n) {
      REQUIRE_EQ(rows.append(writer, n), Status::kOk);
      if (n % 700 != 699) continue;
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      const view::File at_checkpoint = file.view();
      const std::uint32_t last = at_checkpoint.row_groups() - 1;
      for (std::uint32_t column = 0; column < kSplitColumns; ++column)
        CHECK_EQ(at_checkpoint.column(last, column).integer(view::id::kStoredSize) % 512, 0);
    }
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK_EQ(file.violations, 0);
    CHECK(rows.are_in(file.view().bytes(), 3000));
    for (std::uint32_t column = 0; column < kSplitColumns; ++column)
      CHECK(pages_of(file.view(), column).unaligned > 3);
    CHECK_EQ(pages_of(file.view(), kAlone).unaligned, 0);
  }
}

TEST("sector tails: without checkpoints, and with strings that nearly fill a page") {
  constexpr Field kStrings[] = {microparquet::string_field("s").with_compressor(kLz4RawCompressor),
                                split(microparquet::float_field("x"))};
  for (const microparquet::Layout* layout : {&microparquet::kInPlace, &microparquet::kInPlaceNoCheckpoints}) {
    Options options = cut::options_of(1024);
    options.layout = layout;
    options.row_group_rows = 40;
    CutFile file;
    SectorFile sectors(file);
    Writer writer;
    REQUIRE_EQ(writer.open(sectors, kStrings, options, written::arena_memory()), Status::kOk);
    static char text[480];
    const auto make = [&](std::uint32_t n) {
      const std::size_t bytes = n % 3 == 0 ? 440 : written::mix(n, 1) % 60;
      for (std::size_t i = 0; i < bytes; ++i)
        text[i] = static_cast<char>(written::mix(n, static_cast<std::uint32_t>(i)));
      return std::string_view(text, bytes);
    };
    for (std::uint32_t n = 0; n < 300; ++n) {
      const Value row[] = {Value::of_bytes(make(n)), Value::of(as<float>(bits_of(Series::kNoise, n)))};
      REQUIRE_EQ(writer.append(row), Status::kOk);
    }
    REQUIRE_EQ(writer.close(), Status::kOk);
    alignas(8) static std::byte arena[20'000];
    ReaderOptions reading;
    reading.buffer_bytes = 4096;
    reading.decoders = microparquet::kAllDecoders;
    reading.decompressors = microparquet::kAllDecompressors;
    Reader reader;
    REQUIRE_EQ(reader.open(file, reading, arena), Status::kOk);
    REQUIRE_EQ(reader.choose_all(), Status::kOk);
    for (std::uint32_t n = 0; n < 300; ++n) {
      REQUIRE_EQ(reader.next_row(), Status::kOk);
      CHECK(reader.cell(0).text() == make(n));
      CHECK(same(reader.cell(1).as<float>(), bits_of(Series::kNoise, n)));
    }
    CHECK_EQ(reader.next_row(), Status::kEnd);
  }
}

TEST("split pages: a checkpoint after each row, and all rows null") {
  write_and_read(with_blocks(512, 512), {Series::kNoise, Nulls::kRandom}, 16, 1);
  write_and_read(with_blocks(1024, 512), {Series::kRandom, Nulls::kAll}, 200, 33);
  write_and_read(written::forward(512, 8192), {Series::kSteps, Nulls::kAll}, 300, 33);
}

TEST("split pages: those of noise are split, those of values that come again are not, and random ones grow") {
  constexpr std::uint32_t kCount = 4000;
  const Pages noise = pages_of_series(Series::kNoise, kCount);
  CHECK_EQ(noise.plain, 0);
  CHECK(noise.split > 10);
  const Pages steps = pages_of_series(Series::kSteps, kCount);
  CHECK_EQ(steps.split, 1);  // the first one
  CHECK(steps.plain > 10);
  const Pages random = pages_of_series(Series::kRandom, kCount);
  CHECK_EQ(random.changes, 0);
  CHECK_EQ(random.grown, random.split + random.plain);
}

TEST("split pages: a column whose values change is tried again") {
  const Pages pages = pages_of_rows(
      [](std::uint32_t row) { return row / 5000 % 2 == 0 ? Series::kNoise : Series::kSteps; }, 20'000);
  CHECK(pages.split > 5);
  CHECK(pages.plain > 5);
  CHECK(pages.changes > 1);
}

TEST("split pages: boots continue where the last footer ends") {
  const Rows rows{Series::kChanging, Nulls::kRandom};
  for (const Options& options : {with_blocks(512, 512), with_blocks(1024, 512), with_blocks(1024, 4096)})
    cut::write_over_boots({kFields, options, 390, 60}, 197, rows);
}

TEST("split pages: a call that fails is repeated") {
  const Rows rows{Series::kChanging, Nulls::kRandom};
  const Options options = with_blocks(1024, 512);
  for (const bool takes_effect : {false, true}) {
    CutFile file;
    cut::write_where_calls_fail(file, takes_effect, {kFields, options, 1900, 190},
                                [&](Writer& writer, std::uint32_t n) { return rows.append(writer, n); });
    CHECK(rows.are_in(file.view().bytes(), 1900));
  }
}

TEST("split pages: a card that is lost in any call") {
  const Rows rows{Series::kChanging, Nulls::kRandom};
  const Options options = with_blocks(1024, 512);
  for (int call = 8; call < 60; call += kSmallTarget ? 17 : 3) {
    lost::Card card;
    lost::write_through_loss(card, call, {kFields, options, 900, 190},
                             [&](Writer& writer, std::uint32_t n) { return rows.append(writer, n); });
    CHECK(rows.are_in(card.contents(), 900));
  }
}
