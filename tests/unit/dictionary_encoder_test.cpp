// RLE_DICTIONARY as it is written: values of every kind, in every layout, through checkpoints that freeze the
// dictionary, overflow, cuts, boots, calls that fail and a card that is lost.
#include <cstring>

#include "cut_file.h"
#include "has_rows.h"
#include "lost_card.h"
#include "microparquet/encoders.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"
#include "microparquet/static_writer.h"
#include "support/check.h"

using cut::CutFile;
using cut::with_blocks;
using microparquet::ColumnData;
using microparquet::DictionaryEncoders;
using microparquet::kDictionary;
using microparquet::kDictionaryOf;
using microparquet::MemoryFile;

namespace {

constexpr bool kSmallTarget = sizeof(void*) == 4;

// Sequences of a column's values: as numbers, of which the columns make theirs.
enum class Values : std::uint8_t {
  kConstant,
  kFew,
  kSlow,    // drifts, with noise
  kMany,    // overflows within a page
  kFrozen,  // each checkpoint is followed by a new one
  kRandom,
  kOverflow,  // at another place of a page each time
  kMixed,
};
constexpr int kKinds = static_cast<int>(Values::kMixed) + 1;
constexpr std::uint32_t kInterval = 170;  // of checkpoints

std::uint32_t number_of(Values values, std::uint32_t row) {
  const std::uint32_t random = written::mix(row, 77);
  switch (values) {
    case Values::kConstant: return 7;
    case Values::kFew: return random % 5;
    case Values::kSlow: return row / 60 + random % 3;
    case Values::kMany: return row;
    case Values::kFrozen: return row % kInterval == 0 ? row : row % 4;
    case Values::kRandom: return random;
    case Values::kOverflow: return row % 1000 < 200 + 7 * (row / 1000) ? row % 11 : row;
    case Values::kMixed: break;
  }
  return number_of(static_cast<Values>(written::mix(row / 333, 5) % (kKinds - 1)), row);
}

// A float with bits of its own for each number: zeros of both signs, NaNs of many payloads.
float float_of(std::uint32_t number) {
  float value = 0;
  const std::uint32_t bits = number % 3 == 0   ? (number % 2) << 31
                             : number % 3 == 1 ? 0x7FC00000 | (number & 0xFFFF)
                                               : 0x41A00000 + 64 * (number & 0xFFFFF);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
double double_of(std::uint32_t number) {
  const std::uint64_t bits = number % 7 == 0 ? std::uint64_t{number % 2} << 63
                                             : std::uint64_t{0x40340000} << 32 | std::uint64_t{number} << 20;
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
std::string_view text_of(std::uint32_t number) {
  static char text[64];
  std::size_t length = number % 19;
  for (std::size_t i = 0; i < length; ++i)
    text[i] = static_cast<char>('a' + (i < 8 ? number >> 4 * i & 15 : number % 16));
  return {text, length};
}

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <typename T>
bool same(T a, T b) {
  return bits_of(a) == bits_of(b);
}

bool is_null(std::uint32_t row) { return row / 70 % 5 == 4 || written::mix(row, 3) % 4 == 0; }

struct Fields {
  Field fields[9];

  constexpr explicit Fields(const DictionaryEncoders& encoders)
      : fields{microparquet::int32_field("row"),
               microparquet::float_field("float").with_encoder(encoders),
               microparquet::double_field("double").with_encoder(encoders),
               microparquet::byte_array_field("text").with_encoder(encoders),
               microparquet::int64_field("integer").with_encoder(encoders),
               microparquet::float_field("maybe_float").as_optional().with_encoder(encoders),
               microparquet::double_field("maybe_double").as_optional().with_encoder(encoders),
               microparquet::byte_array_field("maybe_text").as_optional().with_encoder(encoders),
               microparquet::int32_field("maybe_integer").as_optional().with_encoder(encoders)} {}
};
constexpr Fields kUsual(kDictionary);
constexpr Fields kTiny(kDictionaryOf<64, 256>);
constexpr Fields kLarge(kDictionaryOf<2048, 500>);

struct Rows {
  Values values = Values::kMixed;

  std::uint32_t number(std::uint32_t row) const { return number_of(values, row); }
  Status append(Writer& writer, std::uint32_t row) const {
    const std::uint32_t n = number(row);
    const auto integer = static_cast<std::int32_t>(n);
    const bool null = is_null(row);
    const Value texts = Value::of_bytes(text_of(n));
    const Value all[] = {Value::of(static_cast<std::int32_t>(row)),
                         Value::of(float_of(n)),
                         Value::of(double_of(n)),
                         texts,
                         Value::of(std::int64_t{integer} * 512),
                         null ? Value() : Value::of(float_of(n)),
                         null ? Value() : Value::of(double_of(n)),
                         null ? Value() : texts,
                         null ? Value() : Value::of(integer)};
    return writer.append(all);
  }

  // Whether a file has the first `count` rows.
  bool are_in(Span<const std::byte> contents, std::uint32_t count) const {
    return written::has_rows<80'000>(
        contents, count, [this](Reader& reader, std::uint32_t row) { return holds(reader, row); });
  }

  bool holds(Reader& reader, std::uint32_t row) const {
    const std::uint32_t n = number(row);
    const auto integer = static_cast<std::int32_t>(n);
    if (reader.cell(0).as<std::int32_t>() != static_cast<std::int32_t>(row)) return false;
    if (!same(reader.cell(1).as<float>(), float_of(n)) || !same(reader.cell(2).as<double>(), double_of(n)))
      return false;
    if (reader.cell(3).text() != text_of(n)) return false;
    if (reader.cell(4).as<std::int64_t>() != std::int64_t{integer} * 512) return false;
    for (std::size_t i = 5; i < 9; ++i) {
      if (reader.cell(i).null() != is_null(row)) return false;
    }
    if (is_null(row)) return true;
    return same(reader.cell(5).as<float>(), float_of(n)) && same(reader.cell(6).as<double>(), double_of(n)) &&
           reader.cell(7).text() == text_of(n) && reader.cell(8).as<std::int32_t>() == integer;
  }
};

// The pages of a column chunk.
struct Pages {
  int plain = 0;
  int indices = 0;
  std::int64_t values = 0;
};

Pages pages_of(const view::File& file, std::uint32_t row_group, std::uint32_t column) {
  constexpr int kDataPage = 5;
  constexpr int kDictionaryOffset = 11;
  const view::Struct meta = file.column(row_group, column);
  const std::byte* const begin = file.bytes().data();
  const std::byte* at = begin + meta.integer(view::id::kDataPageOffset);
  const std::byte* end = at + meta.integer(view::id::kStoredSize);
  if (meta.has(kDictionaryOffset))
    end -= meta.integer(view::id::kDataPageOffset) - meta.integer(kDictionaryOffset);
  Pages pages;
  while (at < end) {
    const view::Struct header(at);
    const view::Struct page = header.structure(kDataPage);
    ++(page.integer(2) == 0 ? pages.plain : pages.indices);
    CHECK(page.integer(2) == 0 || page.integer(2) == 8);
    pages.values += page.integer(1);
    at = header.end() + header.integer(3);
  }
  CHECK(at == end);
  CHECK_EQ(pages.indices != 0, meta.has(kDictionaryOffset));
  return pages;
}

void expect_pages(const view::File& file) {
  for (std::uint32_t group = 0; group < file.row_groups(); ++group) {
    for (std::uint32_t column = 1; column < 9; ++column)
      CHECK_EQ(pages_of(file, group, column).values, file.row_group(group).integer(view::id::kNumRows));
  }
}

void write_and_read(const Options& options, const Fields& fields, const Rows& rows, std::uint32_t count,
                    std::uint32_t interval) {
  cut::write_and_read({fields.fields, options, count, interval}, rows, expect_pages);
}

}  // namespace

TEST("dictionary: every series of values, size, page size, layout and null pattern") {
  const Options kinds[] = {
      written::in_place(512),       written::in_place(256),  written::in_place(128),
      written::in_place(1024, 100), written::in_place(4096), written::forward(512, 16384),
      written::forward(256, 8192),  with_blocks(256, 512),   with_blocks(512, 512),
      with_blocks(1024, 4096),      with_blocks(512, 2048)};
  const Fields* const sizes[] = {&kUsual, &kTiny, &kLarge};
  const check::Stride stride = check::stride();
  unsigned place = 0;
  for (int values = 0; values < kKinds; ++values) {
    for (std::size_t kind = 0; kind < std::size(kinds); ++kind) {
      Options options = kinds[kind];
      if (options.layout->in_place) options.row_group_bytes = 24 << 10;
      const bool is_large = options.page_bytes > 512 || options.block_bytes > 512;
      for (const Fields* const size : sizes) {
        ++place;
        if (place % stride.step != stride.first || (kSmallTarget && place % 5 != 0)) continue;
        write_and_read(options, *size, {static_cast<Values>(values)}, is_large ? 100 : 400,
                       is_large ? 70 : kInterval);
      }
    }
  }
}

TEST("dictionary: a checkpoint after each row, and a new value right after it") {
  write_and_read(with_blocks(512, 512), kUsual, {Values::kMany}, 16, 1);
  write_and_read(with_blocks(512, 512), kTiny, {Values::kFew}, 100, 9);
  write_and_read(with_blocks(256, 512), kUsual, {Values::kFrozen}, 1000, kInterval);
}

TEST("dictionary: overflow at each place of a page and of an extent") {
  for (std::uint32_t limit = 20; limit < 200; limit += kSmallTarget ? 13 : 1) {
    Options options = cut::options_of(limit % 2 == 0 ? 256 : 512);
    options.row_group_bytes = 0;
    options.row_group_rows = limit;
    write_and_read(options, limit % 3 == 0 ? kTiny : kUsual, {Values::kOverflow}, 300, 1000);
  }
}

TEST("dictionary: few values take few bytes, in pages of indices, also after a checkpoint") {
  for (const std::uint32_t interval : {5000U, 700U}) {
    CutFile file;
    Writer writer;
    const Options options = written::in_place(512);
    REQUIRE_EQ(writer.open(file, kUsual.fields, options, written::arena_memory()), Status::kOk);
    const Rows rows{Values::kFew};
    for (std::uint32_t n = 0; n < 5000; ++n) {
      REQUIRE_EQ(rows.append(writer, n), Status::kOk);
      if (n % interval == interval - 1) REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    }
    REQUIRE_EQ(writer.close(), Status::kOk);
    const view::File view = file.view();
    std::int64_t bytes[9] = {};
    int plain[9] = {};
    for (std::uint32_t group = 0; group < view.row_groups(); ++group) {
      for (std::uint32_t column = 1; column < 9; ++column) {
        bytes[column] += view.column(group, column).integer(view::id::kStoredSize);
        plain[column] += pages_of(view, group, column).plain;
      }
    }
    for (std::uint32_t column = 1; column < 9; ++column) {
      CHECK(bytes[column] < 18'000);                                // 20'000 and more in PLAIN
      CHECK(plain[column] <= static_cast<int>(view.row_groups()));  // the last one of an extent, at most
    }
  }
}

TEST("dictionary: row groups that fall back are counted, and those that have none") {
  constexpr std::uint32_t kRequired = 4;  // columns, after the first
  constexpr std::uint32_t kGroupRows = 400;
  for (const Values values : {Values::kFew, Values::kMany}) {
    for (Options options : {written::in_place(512), written::forward(256, 30000)}) {
      options.row_group_rows = kGroupRows;
      CutFile file;
      Writer writer;
      REQUIRE_EQ(writer.open(file, kUsual.fields, options, written::arena_memory()), Status::kOk);
      const Rows rows{values};
      for (std::uint32_t n = 0; n < 8 * kGroupRows; ++n) REQUIRE_EQ(rows.append(writer, n), Status::kOk);
      REQUIRE_EQ(writer.close(), Status::kOk);
      const view::File view = file.view();
      CHECK_EQ(writer.dictionary_counts(0).fallbacks, 0U);
      for (std::uint32_t column = 1; column <= kRequired; ++column) {
        std::uint32_t falling = 0;
        std::uint32_t without = 0;
        for (std::uint32_t group = 0; group < view.row_groups(); ++group) {
          const Pages pages = pages_of(view, group, column);
          if (pages.plain != 0) ++falling;
          if (pages.indices == 0) ++without;
        }
        const microparquet::DictionaryCounts counts = writer.dictionary_counts(column);
        if (values == Values::kFew) {
          CHECK_EQ(counts.fallbacks + counts.left_out, 0U);
        } else {
          CHECK_EQ(counts.fallbacks + counts.left_out, falling);
          CHECK(counts.left_out <= without);
          CHECK(counts.left_out > 1);
          CHECK(counts.fallbacks > 1);
        }
      }
    }
  }
}

TEST("dictionary: a value that is new after a checkpoint is a fallback, and counted once") {
  CutFile file;
  Writer writer;
  const Options options = written::in_place(512);
  CHECK_EQ(writer.dictionary_counts(1).fallbacks, 0U);
  REQUIRE_EQ(writer.open(file, kUsual.fields, options, written::arena_memory()), Status::kOk);
  const Rows rows{Values::kFrozen};
  for (std::uint32_t n = 0; n < 19 * kInterval; ++n) {
    if (n % kInterval == 0) REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    REQUIRE_EQ(rows.append(writer, n), Status::kOk);
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
  const view::File view = file.view();
  for (std::uint32_t column = 1; column < 9; ++column) {
    std::uint32_t falling = 0;
    for (std::uint32_t group = 0; group < view.row_groups(); ++group) {
      const Pages pages = pages_of(view, group, column);
      if (pages.plain != 0 && pages.indices != 0) ++falling;
    }
    CHECK_EQ(writer.dictionary_counts(column).fallbacks, falling);
    CHECK_EQ(writer.dictionary_counts(column).left_out, 0U);
    CHECK(falling != 0);
  }
  REQUIRE_EQ(writer.resume(file, kUsual.fields, options, written::arena_memory()), Status::kOk);
  CHECK_EQ(writer.dictionary_counts(1).fallbacks, 0U);
}

// A new value each 40 rows: each checkpoint in a row group would be followed by a fallback.
TEST("dictionary: a checkpoint that comes is made before a row group, so that its dictionaries last") {
  constexpr Field kSteps[] = {microparquet::int64_field("n"),
                              microparquet::int64_field("step").with_encoder(microparquet::kDictionary)};
  constexpr std::uint32_t kGroupRows = 400;
  Options by_time = written::in_place(512, kGroupRows);
  by_time.max_loss_ms = 1000;
  Options by_bytes = by_time;
  by_bytes.checkpoint_ms = 500;
  by_bytes.max_loss_ms = 1'000'000;
  by_bytes.checkpoint_ratio = 4;
  by_time.checkpoint_ms = by_time.max_loss_ms;
  for (const Options& options : {by_time, by_bytes}) {
    CutFile file;
    Writer writer;
    REQUIRE_EQ(writer.open(file, kSteps, options, written::arena_memory()), Status::kOk);
    std::uint64_t durable = 0;
    std::uint32_t checkpoints = 0;
    for (std::uint32_t n = 0; n < 20 * kGroupRows; ++n) {
      const Value row[] = {Value::of(std::int64_t{n}), Value::of(std::int64_t{n / 40})};
      REQUIRE_EQ(writer.append(row), Status::kOk);
      REQUIRE_EQ(writer.tick(n), Status::kOk);
      if (writer.durable_rows() > durable) ++checkpoints;
      durable = writer.durable_rows();
    }
    CHECK(checkpoints >= 4);
    CHECK(checkpoints <= 10);
    CHECK_EQ(writer.dictionary_counts(1).fallbacks, 0U);
  }
}

TEST("dictionary: batches of columns give the rows that rows give") {
  constexpr std::uint32_t kCount = 1200;
  static std::int32_t row[kCount];
  static float floats[kCount];
  static double doubles[kCount];
  static char bytes[kCount][20];
  static std::string_view texts[kCount];
  static std::int64_t wide[kCount];
  static std::int32_t integers[kCount];
  static std::uint8_t valid[kCount];
  for (const Values values : {Values::kMixed, Values::kFew, Values::kMany}) {
    const Rows rows{values};
    for (std::uint32_t n = 0; n < kCount; ++n) {
      const std::uint32_t number = rows.number(n);
      row[n] = static_cast<std::int32_t>(n);
      floats[n] = float_of(number);
      doubles[n] = double_of(number);
      const std::string_view text = text_of(number);
      std::memcpy(bytes[n], text.data(), text.size());
      texts[n] = {bytes[n], text.size()};
      integers[n] = static_cast<std::int32_t>(number);
      wide[n] = std::int64_t{integers[n]} << 9;
      valid[n] = is_null(n) ? 0 : 1;
    }
    for (const Options& options :
         {cut::options_of(512), written::forward(512, 16384), cut::options_of(1024)}) {
      CutFile file;
      Writer writer;
      REQUIRE_EQ(writer.open(file, kUsual.fields, options, written::arena_memory()), Status::kOk);
      for (std::uint32_t done = 0; done < kCount; done += 400) {
        const ColumnData columns[] = {
            {row + done, nullptr},          {floats + done, nullptr},     {doubles + done, nullptr},
            {texts + done, nullptr},        {wide + done, nullptr},       {floats + done, valid + done},
            {doubles + done, valid + done}, {texts + done, valid + done}, {integers + done, valid + done}};
        REQUIRE_EQ(writer.append_columns(columns, 400), Status::kOk);
      }
      REQUIRE_EQ(writer.close(), Status::kOk);
      CHECK(rows.are_in(file.view().bytes(), kCount));
    }
  }
}

TEST("dictionary: boots continue where the last footer ends") {
  for (const Values values : {Values::kMixed, Values::kFew, Values::kSlow}) {
    const Rows rows{values};
    for (const Options& options : {with_blocks(512, 512), with_blocks(256, 512), with_blocks(1024, 4096)}) {
      CutFile file;
      std::uint32_t row = 0;
      for (int boot = 0; boot < 4; ++boot) {
        Writer writer;
        REQUIRE_EQ(writer.resume(file, kUsual.fields, options, written::arena_memory()), Status::kOk);
        REQUIRE_EQ(writer.rows(), row);
        for (int i = 0; i < 60 + 47 * boot; ++i) REQUIRE_EQ(rows.append(writer, row++), Status::kOk);
        REQUIRE_EQ(writer.checkpoint(), Status::kOk);
        for (std::uint32_t i = 0; i < 90; ++i) REQUIRE_EQ(rows.append(writer, 1'000 + i), Status::kOk);
        file.cut();
        REQUIRE(rows.are_in(file.view().bytes(), row));
      }
    }
  }
}

TEST("dictionary: a call that fails is repeated") {
  const Options options = with_blocks(512, 512);
  for (const Values values : {Values::kMixed, Values::kFew}) {
    const Rows rows{values};
    for (const bool takes_effect : {false, true}) {
      CutFile file;
      cut::write_where_calls_fail(file, takes_effect, {kTiny.fields, options, 900, 90},
                                  [&](Writer& writer, std::uint32_t n) { return rows.append(writer, n); });
      CHECK(rows.are_in(file.view().bytes(), 900));
      expect_pages(file.view());
    }
  }
}

TEST("dictionary: a card that is lost in any call") {
  const Rows rows{Values::kMixed};
  const Options options = with_blocks(512, 512);
  for (int call = 8; call < 70; call += kSmallTarget ? 17 : 3) {
    lost::Card card;
    lost::write_through_loss(card, call, {kUsual.fields, options, 600, 90},
                             [&](Writer& writer, std::uint32_t n) { return rows.append(writer, n); });
    CHECK(rows.are_in(card.contents(), 600));
  }
}

TEST("dictionary: a value that fits no page is refused, and the rows before and after it are there") {
  constexpr Field kTexts[] = {microparquet::byte_array_field("text").with_encoder(kDictionary)};
  constexpr Field kMaybe[] = {kTexts[0].as_optional()};
  static char longest[600];
  for (const bool in_columns : {false, true}) {
    written::File file(in_columns ? kMaybe : kTexts, written::in_place(512));
    REQUIRE_EQ(file.opened(), Status::kOk);
    const auto append = [&](std::string_view text) {
      const Value row[] = {Value::of_bytes(text)};
      const ColumnData column[] = {{&text, nullptr}};
      return in_columns ? file.writer.append_columns(column, 1) : file.writer.append(row);
    };
    int rows = 0;
    // Each length about that of a page: whether it fits must not depend on what the page begins with.
    for (std::size_t bytes = 1; bytes < sizeof longest; bytes += bytes < 400 || bytes > 500 ? 9 : 1) {
      const Status status = append({longest, bytes});
      REQUIRE_EQ(status, bytes < 400 ? Status::kOk : status);
      if (status == Status::kOk) ++rows;
      if (status != Status::kOk) CHECK_EQ(status, Status::kValueTooLarge);
      REQUIRE_EQ(append("small"), Status::kOk);
      ++rows;
    }
    REQUIRE_EQ(file.writer.close(), Status::kOk);
    CHECK_EQ(file.view().rows(), rows);
  }
}

namespace {
struct Sample {
  std::int32_t row;
  float slow;
  std::optional<float> maybe;
  microparquet::Text<12> state;
  std::optional<microparquet::Text<12>> maybe_state;
};
inline constexpr auto kSamples = microparquet::schema(
    microparquet::column("row", &Sample::row),
    microparquet::column("slow", &Sample::slow).with_encoder(kDictionary),
    microparquet::column("maybe", &Sample::maybe).with_encoder(kDictionary),
    microparquet::column("state", &Sample::state).with_encoder(kDictionary),
    microparquet::column("maybe_state", &Sample::maybe_state).with_encoder(kDictionaryOf<128, 256>));
}  // namespace

TEST("dictionary: structs of a StaticWriter") {
  static microparquet::StaticWriter<kSamples> writer;
  CutFile file;
  REQUIRE_EQ(writer.open(file), Status::kOk);
  const auto sample_of = [](std::uint32_t n) {
    Sample sample{static_cast<std::int32_t>(n), float_of(number_of(Values::kSlow, n)), {}, {}, {}};
    sample.state = text_of(number_of(Values::kFew, n));
    if (!is_null(n)) {
      sample.maybe = float_of(number_of(Values::kMixed, n));
      sample.maybe_state = microparquet::Text<12>(text_of(number_of(Values::kMixed, n)));
    }
    return sample;
  };
  constexpr std::uint32_t kCount = 3000;
  for (std::uint32_t n = 0; n < kCount; ++n) {
    REQUIRE_EQ(writer.append(sample_of(n)), Status::kOk);
    if (n % 700 == 699) REQUIRE_EQ(writer.checkpoint(), Status::kOk);
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
  alignas(8) static std::byte arena[60'000];
  ReaderOptions options;
  options.buffer_bytes = 4096;
  options.decoders = microparquet::kAllDecoders;
  const Span<const std::byte> contents = file.view().bytes();
  MemoryFile memory({const_cast<std::byte*>(contents.data()), contents.size()}, contents.size());
  Reader reader;
  REQUIRE_EQ(reader.open(memory, options, arena), Status::kOk);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  for (std::uint32_t n = 0; n < kCount; ++n) {
    const Sample sample = sample_of(n);
    REQUIRE_EQ(reader.next_row(), Status::kOk);
    CHECK(same(reader.cell(1).as<float>(), sample.slow));
    CHECK_EQ(reader.cell(2).null(), !sample.maybe);
    CHECK(reader.cell(3).text() == std::string_view(sample.state));
    CHECK_EQ(reader.cell(4).null(), !sample.maybe_state);
    if (!sample.maybe || !sample.maybe_state) continue;
    CHECK(same(reader.cell(2).as<float>(), *sample.maybe));
    CHECK(reader.cell(4).text() == std::string_view(*sample.maybe_state));
  }
  CHECK_EQ(reader.next_row(), Status::kEnd);
}
