// Anchors of the device's clock: the key-value of each boot, over boots, rolls, failures and clocks that are set.
#include "microparquet/clock_anchors.h"

#include <cstdint>
#include <string_view>

#include "cut_file.h"
#include "support/check.h"

using cut::append;
using cut::CutFile;
using microparquet::ClockAnchors;

namespace {

constexpr std::int64_t kStart = 1'767'225'600'000;  // 2026-01-01
constexpr std::int64_t kHour = 3'600'000;

Options options_of(bool in_place = true) {
  Options options = in_place ? cut::options_of(512) : written::forward(256, 2048);
  options.max_key_values = 2;
  return options;
}

struct Log {
  explicit Log(CutFile& into, const Options& with) : options(with) {
    REQUIRE_EQ(writer.resume(into, cut::kFields, options, written::arena_memory()), Status::kOk);
    anchors.begin(writer);
  }

  void log(int rows) {
    for (int i = 0; i < rows; ++i)
      REQUIRE_EQ(append(writer, static_cast<std::int64_t>(writer.rows())), Status::kOk);
  }
  void checkpoint() {
    REQUIRE_EQ(anchors.update(writer), Status::kOk);
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
  }

  Options options;
  Writer writer;
  ClockAnchors anchors;
};

// The value that a log has when these anchors were added.
std::string_view text_of(CutFile& file, Span<const std::int64_t> pairs,
                         std::uint32_t ticks_per_second = 1'000) {
  static Options options;
  options = options_of();
  Writer writer;
  ClockAnchors anchors;
  bool good = writer.open(file, cut::kFields, options, written::arena_memory()) == Status::kOk;
  anchors.begin(writer, ticks_per_second);
  good = good && append(writer, 0) == Status::kOk;
  for (std::size_t i = 0; i + 1 < pairs.size() && good; i += 2)
    good = anchors.add(writer, pairs[i], pairs[i + 1]) == Status::kOk;
  if (!good || writer.close() != Status::kOk) return "a call failed";
  return file.view().key_value("clock.0000000000");
}

}  // namespace

TEST("clock anchors: each boot has a key-value of its own, in both layouts") {
  for (const bool in_place : {true, false}) {
    CutFile file;
    {
      Log boot(file, options_of(in_place));
      boot.log(20);
      REQUIRE_EQ(boot.anchors.add(boot.writer, 5'000, kStart), Status::kOk);
      boot.log(5);
      boot.checkpoint();
      file.cut();
    }
    CHECK_EQ(file.view().key_value("clock.0000000000"), "25 5000=1767225600000");
    {
      Log boot(file, options_of(in_place));  // never learns the time
      boot.log(10);
      boot.checkpoint();
      file.cut();
    }
    CHECK_EQ(file.view().key_values(), 1U);
    {
      Log boot(file, options_of(in_place));
      boot.log(1);
      REQUIRE_EQ(boot.anchors.add(boot.writer, -7, kStart + kHour), Status::kOk);
      REQUIRE_EQ(boot.anchors.add(boot.writer, 9'993, kStart + kHour + 10'001), Status::kOk);
      boot.log(2);
      REQUIRE_EQ(boot.anchors.update(boot.writer), Status::kOk);
      REQUIRE_EQ(boot.writer.close(), Status::kOk);
    }
    CHECK_EQ(file.view().key_values(), 2U);
    CHECK_EQ(file.view().key_value("clock.0000000000"), "25 5000=1767225600000");
    CHECK_EQ(file.view().key_value("clock.0000000035"), "38 -7=1767229200000 9993=1767229210001");
    CHECK_EQ(file.view().rows(), 38);
  }
}

TEST("clock anchors: without one, or without new rows, nothing is written") {
  CutFile file;
  Log boot(file, options_of());
  boot.log(3);
  REQUIRE_EQ(boot.anchors.update(boot.writer), Status::kOk);
  REQUIRE_EQ(boot.writer.checkpoint(), Status::kOk);
  CHECK_EQ(file.view().key_values(), 0U);
  REQUIRE_EQ(boot.anchors.add(boot.writer, 1, kStart), Status::kOk);
  REQUIRE_EQ(boot.writer.checkpoint(), Status::kOk);
  const std::uint64_t bytes = file.written_bytes;
  REQUIRE_EQ(boot.anchors.update(boot.writer), Status::kOk);
  REQUIRE_EQ(boot.writer.checkpoint(), Status::kOk);
  CHECK_EQ(file.written_bytes, bytes);
}

TEST("clock anchors: the first and the last are kept, and those where the drift changes most") {
  CutFile file;
  // The clock is right for two hours, then gains a second or so each hour.
  const std::int64_t pairs[] = {0,         kStart,
                                kHour,     kStart + kHour,
                                2 * kHour, kStart + 2 * kHour,
                                3 * kHour, kStart + 3 * kHour + 1'000,
                                4 * kHour, kStart + 4 * kHour + 2'200,
                                5 * kHour, kStart + 5 * kHour + 3'000};
  CHECK_EQ(text_of(file, pairs),
           "1 0=1767225600000 7200000=1767232800000 14400000=1767240002200 18000000=1767243603000");
}

TEST("clock anchors: what does not fit a hundred bytes is dropped between the first and the last") {
  CutFile file;
  constexpr std::int64_t kFar = 1'000'000'000'000'000;
  constexpr std::int64_t kMinute = 60'000'000;
  const std::int64_t pairs[] = {kFar,
                                kStart,
                                kFar + kMinute,
                                kStart + 60'000,
                                kFar + 2 * kMinute,
                                kStart + 120'005,
                                kFar + 3 * kMinute,
                                kStart + 180'005};
  const std::string_view text = text_of(file, pairs, 1'000'000);
  CHECK_EQ(text,
           "1 1000000000000000=1767225600000 1000000120000000=1767225720005 1000000180000000=1767225780005");
  CHECK(text.size() <= ClockAnchors::kMostBytes);
}

TEST("clock anchors: a clock that was set begins again, and one that does not run is refused") {
  struct {
    std::int64_t tick;
    std::int64_t utc_ms;
    std::string_view text;
  } constexpr kCases[] = {
      {1'000 + kHour, kStart + kHour + 4'000, "1 1000=1767225600000 3601000=1767229204000"},  // drift
      {1'000 + kHour, kStart + kHour + 5'000, "1 3601000=1767229205000"},                     // too much
      {1'000 + kHour, kStart - kHour, "1 3601000=1767222000000"},                             // set back
      {1'000, kStart, "1 1000=1767225600000"},      // the same again
      {1'000, kStart + 1, "1 1000=1767225600001"},  // two at one tick
      {999, kStart, "1 999=1767225600000"},         // a clock that fell back
      {INT64_MAX, kStart + 5, "1 9223372036854775807=1767225600005"},
      {INT64_MIN, kStart + 5, "1 -9223372036854775808=1767225600005"},
  };
  for (const auto& one : kCases) {
    CutFile file;
    const std::int64_t pairs[] = {1'000, kStart, one.tick, one.utc_ms};
    CHECK_EQ(text_of(file, pairs), one.text);
  }
  CutFile file;
  Log boot(file, options_of());
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{315'532'799'999},
                                 std::int64_t{10'000'000'000'000}, INT64_MAX, INT64_MIN})
    CHECK_EQ(boot.anchors.add(boot.writer, 0, bad), Status::kInvalidArgument);
  boot.log(1);
  boot.checkpoint();
  CHECK_EQ(file.view().key_values(), 0U);
}

TEST("clock anchors: the 33rd boot of a file is refused one, and the next file takes it") {
  CutFile file;
  for (std::uint32_t number = 0; number <= ClockAnchors::kMostBoots; ++number) {
    Log boot(file, options_of());
    boot.log(1);
    const Status status = boot.anchors.add(boot.writer, 100, kStart + number);
    CHECK_EQ(status, number < ClockAnchors::kMostBoots ? Status::kOk : Status::kOutOfMemory);
    boot.checkpoint();
    if (number == ClockAnchors::kMostBoots) {
      CutFile next(1);
      REQUIRE_EQ(boot.writer.roll(next), Status::kOk);
      boot.log(2);
      CHECK_EQ(boot.anchors.add(boot.writer, 100, kStart), Status::kOk);
      boot.checkpoint();
      CHECK_EQ(next.view().key_value("clock.0000000000"), "2 100=1767225600000");
    }
    file.cut();
  }
  CHECK_EQ(file.view().key_values(), ClockAnchors::kMostBoots);
}

TEST("clock anchors: a file that is rolled to has its own key-value, from row 0") {
  CutFile file;
  Log boot(file, options_of());
  boot.log(10);
  boot.checkpoint();
  file.cut();
  Log again(file, options_of());
  again.log(5);
  REQUIRE_EQ(again.anchors.add(again.writer, 100, kStart), Status::kOk);
  CutFile next(1);
  REQUIRE_EQ(again.writer.roll(next), Status::kOk);
  again.log(4);
  again.checkpoint();
  CHECK_EQ(file.view().key_value("clock.0000000010"), "15 100=1767225600000");
  CHECK_EQ(next.view().key_value("clock.0000000000"), "4 100=1767225600000");
  CHECK_EQ(next.view().key_values(), 1U);
}

TEST("clock anchors: after a call that fails the footer has the last text") {
  CutFile file;
  Options options = options_of();
  options.max_key_values = 1;
  Log boot(file, options);
  REQUIRE_EQ(boot.writer.set_key_value("device", "7"), Status::kOk);
  boot.log(2);
  CHECK_EQ(boot.anchors.add(boot.writer, 100, kStart), Status::kOutOfMemory);
  boot.checkpoint();
  CHECK_EQ(file.view().key_values(), 1U);

  CutFile other(1);
  Log log(other, options_of());
  log.log(2);
  REQUIRE_EQ(log.anchors.add(log.writer, 100, kStart), Status::kOk);
  log.checkpoint();
  log.writer.leave();  // takes no key-values until it continues
  CHECK_EQ(log.anchors.add(log.writer, 100 + kHour, kStart + kHour), Status::kWrongState);
  CutFile next;  // in the memory of the first one
  REQUIRE_EQ(log.writer.roll(next), Status::kOk);
  log.log(1);
  log.checkpoint();
  CHECK_EQ(next.view().key_value("clock.0000000000"), "1 100=1767225600000");
  CHECK(next.view().whole());
}
