// The RLE and bit-packed hybrid of Encodings.md, read back by a decoder that is written from that text.
#include "hybrid_view.h"
#include "microparquet/detail/column_writer.h"
#include "support/check.h"
#include "written_file.h"

using microparquet::detail::LevelEncoder;

namespace {

constexpr std::size_t kMax = 600;

// Levels that come in runs of about `run`, none longer than that when it is 1.
std::uint8_t level_at(std::size_t i, unsigned pattern, unsigned width) {
  const auto index = static_cast<std::uint32_t>(i);
  const std::uint32_t mask = (1U << width) - 1;
  switch (pattern) {
    case 0: return 0;
    case 1: return static_cast<std::uint8_t>(mask);
    case 2: return static_cast<std::uint8_t>(index & mask);
    case 3: return static_cast<std::uint8_t>(written::mix(index) & mask);
    case 4: return static_cast<std::uint8_t>(written::mix(index / 7) & mask);
    case 5: return static_cast<std::uint8_t>(written::mix(index / 8) & mask);
    case 6: return static_cast<std::uint8_t>(written::mix(index / 9) & mask);
    case 7: return static_cast<std::uint8_t>(written::mix(index / 33) & mask);
    case 8: return static_cast<std::uint8_t>(i % 24 < 15 ? 1 : written::mix(index) & mask);
    case 9: return static_cast<std::uint8_t>(i < 100 ? written::mix(index) & mask : 1);
    default: return static_cast<std::uint8_t>(i % pattern == 0 ? 0 : 1);
  }
}

bool round_trip(std::size_t count, unsigned pattern, unsigned width, bool in_runs) {
  static std::byte buffer[kMax * 2];
  static std::uint8_t decoded[kMax];
  LevelEncoder encoder = {};
  encoder.bit_width = static_cast<std::uint8_t>(width);
  encoder.begin_page(buffer);
  for (std::size_t i = 0; i < count;) {
    std::size_t run = 1;
    while (in_runs && i + run < count && level_at(i + run, pattern, width) == level_at(i, pattern, width))
      ++run;
    encoder.put(level_at(i, pattern, width), static_cast<std::uint32_t>(run));
    i += run;
  }
  encoder.finish();
  const auto bytes = static_cast<std::size_t>(encoder.cursor - buffer);
  if (bytes > count * ((width + 7) / 8) + microparquet::detail::kMaxLevelBytes) return false;
  if (!view::hybrid(buffer, encoder.cursor, width, count, decoded)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (decoded[i] != level_at(i, pattern, width)) return false;
  }
  return true;
}

void check_all(unsigned width, bool in_runs) {
  constexpr unsigned kPatterns = 20;
  std::size_t wrong = 0;
  for (unsigned pattern = 0; pattern < kPatterns; ++pattern) {
    for (std::size_t count = 0; count <= 200; ++count)
      wrong += round_trip(count, pattern, width, in_runs) ? 0U : 1U;
    wrong += round_trip(kMax, pattern, width, in_runs) ? 0U : 1U;
  }
  CHECK_EQ(wrong, 0U);
}

}  // namespace

TEST("levels of one bit decode to what was put, one by one") { check_all(1, false); }
TEST("levels of one bit decode to what was put, in runs") { check_all(1, true); }
TEST("levels of two, three and seven bits decode to what was put") {
  for (const unsigned width : {2U, 3U, 7U}) {
    check_all(width, false);
    check_all(width, true);
  }
}

TEST("levels as the format's text has them") {
  std::byte buffer[64];
  LevelEncoder encoder = {};
  encoder.bit_width = 1;
  encoder.begin_page(buffer);
  encoder.put(1, 1000);  // a run: varint(1000 << 1), then the level
  encoder.finish();
  CHECK_EQ(std::string_view(reinterpret_cast<const char*>(buffer),
                            static_cast<std::size_t>(encoder.cursor - buffer)),
           "\xD0\x0F\x01");
  encoder.begin_page(buffer);
  constexpr std::uint8_t kLevels[] = {1, 0, 0, 1, 1, 1, 0, 1, 0, 1};
  for (const std::uint8_t level : kLevels) encoder.put(level, 1);
  encoder.finish();  // two groups: 2 << 1 | 1, bits from the least significant one
  CHECK_EQ(std::string_view(reinterpret_cast<const char*>(buffer),
                            static_cast<std::size_t>(encoder.cursor - buffer)),
           "\x05\xB9\x02");
}
