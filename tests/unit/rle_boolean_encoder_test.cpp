// Booleans as runs: every series of values, in every layout, through cuts and calls that fail; and that runs are
// never longer than PLAIN.
#include <cstring>

#include "cut_file.h"
#include "encoding/run_encoder.h"
#include "has_rows.h"
#include "microparquet/encoders.h"
#include "microparquet/reader.h"
#include "support/check.h"

using cut::CutFile;
using cut::with_blocks;
using microparquet::ColumnData;
using microparquet::kRleBoolean;
using microparquet::encoding::RunEncoder;

namespace {

constexpr bool kSmallTarget = sizeof(void*) == 4;

enum class Bits : std::uint8_t {
  kFalse,
  kTrue,
  kAlternating,
  kRandom,
  kLongRuns,
  kRunsOfEight,
  kSeldom,
  kMixed
};
constexpr int kBits = static_cast<int>(Bits::kMixed) + 1;

bool bit_of(Bits bits, std::uint32_t row) {
  switch (bits) {
    case Bits::kFalse: return false;
    case Bits::kTrue: return true;
    case Bits::kAlternating: return row % 2 == 0;
    case Bits::kRandom: return written::mix(row, 9) % 2 == 0;
    case Bits::kLongRuns: return row / 1337 % 2 == 0;
    case Bits::kRunsOfEight: return row / 8 % 2 == 0 ? row / 16 % 2 == 0 : written::mix(row, 8) % 2 == 0;
    case Bits::kSeldom: return written::mix(row, 7) % 90 == 0;
    case Bits::kMixed: break;
  }
  return bit_of(static_cast<Bits>(written::mix(row / 777, 5) % (kBits - 1)), row);
}

constexpr Field kFields[] = {
    microparquet::boolean_field("flag").with_encoder(kRleBoolean),
    microparquet::boolean_field("maybe").as_optional().with_encoder(kRleBoolean),
    microparquet::int32_field("row"),
};

struct BitRows {
  Bits bits = Bits::kMixed;

  bool null(std::uint32_t row) const { return row / 50 % 3 == 0 || row % 7 == 0; }
  Status append(Writer& writer, std::uint32_t row) const {
    const Value bit = Value::of(bit_of(bits, row));
    const Value values[] = {bit, null(row) ? Value() : bit, Value::of(static_cast<std::int32_t>(row))};
    return writer.append(values);
  }
  // Whether a file has the first `count` rows.
  bool are_in(Span<const std::byte> contents, std::uint32_t count) const {
    return written::has_rows<30'000>(contents, count, [&](Reader& reader, std::uint32_t row) {
      if (reader.cell(0).as<bool>() != bit_of(bits, row) || reader.cell(1).null() != null(row)) return false;
      if (!null(row) && reader.cell(1).as<bool>() != bit_of(bits, row)) return false;
      if (reader.cell(2).as<std::int32_t>() != static_cast<std::int32_t>(row)) return false;
      return true;
    });
  }
};

// Checks that no page of the first column is larger than in PLAIN by more than the encoder's header says.
void expect_small(const view::File& file) {
  constexpr int kDataPage = 5;
  for (std::uint32_t group = 0; group < file.row_groups(); ++group) {
    const view::Struct meta = file.column(group, 0);
    const std::byte* at = file.bytes().data() + meta.integer(view::id::kDataPageOffset);
    const std::byte* const end = at + meta.integer(view::id::kStoredSize);
    while (at < end) {
      const view::Struct header(at);
      const std::int64_t plain = (header.structure(kDataPage).integer(1) + 7) / 8;
      CHECK(header.integer(3) <= plain + 5 + plain / 60);
      if (header.structure(kDataPage).integer(2) == 0) CHECK_EQ(header.integer(3), plain);
      at = header.end() + header.integer(3);
    }
    CHECK(at == end);
  }
}

void write_and_read(const Options& options, const BitRows& rows, std::uint32_t count,
                    std::uint32_t interval) {
  cut::write_and_read({kFields, options, count, interval}, rows, expect_small);
}

}  // namespace

TEST("runs of booleans: every series, page size and layout") {
  const Options kinds[] = {written::in_place(512),      written::in_place(256),
                           written::in_place(128),      written::in_place(1024, 1000),
                           written::forward(512, 8192), written::forward(256, 8192),
                           with_blocks(256, 512),       with_blocks(1024, 4096)};
  for (int bits = 0; bits < kBits; ++bits) {
    for (const Options& options : kinds)
      write_and_read(options, {static_cast<Bits>(bits)}, kSmallTarget ? 2000 : 9000, 1700);
  }
}

TEST("runs of booleans: a checkpoint after each row") {
  write_and_read(with_blocks(512, 512), {Bits::kMixed}, 40, 1);
}

TEST("runs of booleans: batches give the same rows, and a run goes through them") {
  constexpr std::uint32_t kCount = 6000;
  static bool flags[kCount];
  static std::uint8_t valid[kCount];
  static std::int32_t numbers[kCount];
  const BitRows rows{Bits::kMixed};
  for (std::uint32_t n = 0; n < kCount; ++n) {
    flags[n] = bit_of(rows.bits, n);
    valid[n] = rows.null(n) ? 0 : 1;
    numbers[n] = static_cast<std::int32_t>(n);
  }
  const Options options = cut::options_of(512);
  CutFile file;
  Writer writer;
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  for (std::uint32_t done = 0; done < kCount; done += 600) {
    const ColumnData columns[] = {
        {flags + done, nullptr}, {flags + done, valid + done}, {numbers + done, nullptr}};
    REQUIRE_EQ(writer.append_columns(columns, 600), Status::kOk);
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK(rows.are_in(file.view().bytes(), kCount));
}

TEST("runs of booleans: boots, and calls that fail") {
  const BitRows rows{Bits::kMixed};
  const Options options = with_blocks(512, 512);
  CutFile file;
  std::uint32_t row = 0;
  for (int boot = 0; boot < 5; ++boot) {
    Writer writer;
    REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
    REQUIRE_EQ(writer.rows(), row);
    for (int i = 0; i < 900; ++i) REQUIRE_EQ(rows.append(writer, row++), Status::kOk);
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    for (std::uint32_t i = 0; i < 700; ++i) REQUIRE_EQ(rows.append(writer, 1'000 + i), Status::kOk);
    file.cut();
    CHECK(rows.are_in(file.view().bytes(), row));
  }
  CutFile failing;
  cut::write_where_calls_fail(failing, false, {kFields, options, 3000, 400},
                              [&](Writer& writer, std::uint32_t n) { return rows.append(writer, n); });
  CHECK(rows.are_in(failing.view().bytes(), 3000));
}

TEST("runs of booleans: bounds are those of the values") {
  constexpr Field kFlag[] = {microparquet::boolean_field("flag").with_encoder(kRleBoolean)};
  for (const bool first : {false, true}) {
    for (const bool last : {false, true}) {
      written::File file(kFlag, written::in_place(512));
      REQUIRE_EQ(file.opened(), Status::kOk);
      for (int n = 0; n < 200; ++n) {
        const Value row[] = {Value::of(n < 199 ? first : last)};
        REQUIRE_EQ(file.writer.append(row), Status::kOk);
      }
      REQUIRE_EQ(file.writer.close(), Status::kOk);
      const view::Struct bounds = file.view().statistics(0, 0);
      CHECK_EQ(bounds.text(view::id::kMinValue)[0] != 0, first && last);
      CHECK_EQ(bounds.text(view::id::kMaxValue)[0] != 0, first || last);
    }
  }
}

// The numbers of a page of runs, as a reader takes them.
TEST("runs: numbers of every width, and never more bytes than were promised") {
  constexpr std::uint32_t kNumbers = 700;
  for (std::uint32_t width = 1; width <= RunEncoder::kMaxWidth; ++width) {
    for (std::uint32_t pattern = 0; pattern < 6; ++pattern) {
      const auto number = [&](std::uint32_t i) {
        const std::uint32_t random = written::mix(i, pattern);
        const std::uint32_t at[] = {
            i, i / 8, i / 17, random, random % 16 < 13 ? 1U : random, i / 90 % 2 * random};
        return at[pattern] & ((1U << width) - 1);
      };
      static std::byte bytes[4096];
      RunEncoder runs;
      runs.begin(width);
      std::byte* at = bytes;
      std::uint32_t promised = 0;
      for (std::uint32_t i = 0; i < kNumbers; ++i) {
        if (promised == 0) promised = runs.that_fit(static_cast<std::uint32_t>(bytes + 4096 - at), 0);
        REQUIRE(promised != 0);
        --promised;
        at = runs.put(at, number(i), 1);
      }
      at = runs.finish(at);
      CHECK(at <= bytes + kNumbers / 8 * width + kNumbers / 500 + 2 * width + 4);
      const std::byte* from = bytes;
      std::uint32_t i = 0;
      while (from != at) {
        std::uint32_t header = 0;
        for (unsigned shift = 0;; shift += 7) {
          const auto byte = std::to_integer<std::uint32_t>(*from++);
          header |= (byte & 0x7F) << shift;
          if (byte < 0x80) break;
        }
        std::uint32_t count = header >> 1;
        const bool packed = (header & 1) != 0;
        if (packed) count *= 8;
        for (std::uint32_t k = 0; k < count; ++k, ++i) {
          std::uint32_t found = 0;
          for (std::uint32_t b = 0; b < width; ++b) {
            const std::uint32_t bit = packed ? k * width + b : b;
            found |= (std::to_integer<std::uint32_t>(from[bit / 8]) >> bit % 8 & 1) << b;
          }
          if (i < kNumbers) REQUIRE_EQ(found, number(i));
        }
        from += packed ? count / 8 * width : (width + 7) / 8;
      }
      CHECK(from == at);
      CHECK(i >= kNumbers && i < kNumbers + 8);
    }
  }
}
