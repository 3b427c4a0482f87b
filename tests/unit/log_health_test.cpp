// The log's health in its key-values: fixed text, counts that grow, and a footer on its way.
#include "microparquet/log_health.h"

#include "cut_file.h"
#include "support/check.h"

using cut::append;
using cut::CutFile;
using microparquet::KeyValue;
using microparquet::LogHealth;

namespace {

constexpr std::string_view kNothing =
    "append=00000@0000000000 tick=00000@0000000000 queue=00000 errors=00000 reconnects=00000 "
    "dropped=0000000000 "
    "corrupted=00000 free_mb=0000000 reset=            ";

Options with_health() {
  Options options = cut::options_of(512);
  options.max_key_values = 1;
  options.row_group_bytes = 4 << 10;  // many of them: footers longer than a tick writes
  options.checkpoint_ms = 1'000;
  options.checkpoint_ratio = 0;
  return options;
}

// The end of a value, with the reason.
std::string_view reason_in(std::string_view value) {
  constexpr std::size_t kBytes = 18;
  return {value.data() + (value.size() - kBytes), kBytes};
}

}  // namespace

TEST("health: a log that nothing happened to says so, and why the device started") {
  LogHealth health;
  CHECK_EQ(health.key_value().key, "health");
  CHECK_EQ(health.key_value().value, kNothing);
  health.set_reset_reason("brown-out");
  CHECK_EQ(reason_in(health.key_value().value), "reset=brown-out   ");
  health.set_reset_reason("a longer reason than fits");
  CHECK_EQ(reason_in(health.key_value().value), "reset=a longer rea");
}

TEST("health: the longest calls, with the time at which they ended, and numbers that are too large") {
  LogHealth health;
  health.note_append(12, 100);
  health.note_append(250, 4'294'967'295);
  health.note_append(249, 5);
  health.note_tick(7, 8);
  health.note_tick(7, 9);
  health.note_queue(31);
  health.note_queue(30);
  health.counts.reconnects = 2;
  health.counts.dropped = 4'294'967'295;
  health.counts.corrupted = 100'000;
  health.counts.free_mb = 9'999'999;
  for (const Status status : {Status::kOk, Status::kIoError, Status::kMediumLost, Status::kNullValue})
    CHECK_EQ(health.note(status), status);
  CHECK_EQ(health.key_value().value,
           "append=00250@4294967295 tick=00007@0000000008 queue=00031 errors=00002 reconnects=00002 "
           "dropped=4294967295 corrupted=99999 free_mb=9999999 reset=            ");
}

TEST(
    "health: each footer has the counts of its moment, and one on its way keeps those that it was begun "
    "with") {
  CutFile file;
  Writer writer;
  const Options options = with_health();
  LogHealth health;
  const KeyValue pairs[] = {health.key_value()};
  REQUIRE_EQ(writer.open(file, cut::kFields, options, written::arena_memory(), {pairs, 1}), Status::kOk);
  CHECK_EQ(file.view().key_value("health"), kNothing);
  bool was_in_progress = false;
  for (std::uint32_t i = 1; i <= 3'000; ++i) {
    REQUIRE_EQ(append(writer, i), Status::kOk);
    health.note_queue(i);
    health.update(writer);
    REQUIRE_EQ(writer.tick(i * 10), Status::kOk);
    if (writer.checkpoint_in_progress()) was_in_progress = true;
  }
  CHECK(was_in_progress);
  file.cut();
  REQUIRE(file.view().whole());
  CHECK_EQ(file.view().key_values(), 1U);
  CHECK_EQ(file.view().key_value("health").size(), kNothing.size());

  Writer next_boot;
  LogHealth another;
  another.set_reset_reason("watchdog");
  REQUIRE_EQ(next_boot.resume(file, cut::kFields, options, written::arena_memory()), Status::kOk);
  REQUIRE_EQ(another.begin(next_boot), Status::kOk);
  REQUIRE_EQ(append(next_boot, 1), Status::kOk);
  another.note_queue(5);
  another.update(next_boot);
  REQUIRE_EQ(next_boot.close(), Status::kOk);
  CHECK_EQ(file.view().key_values(), 1U);
  CHECK_EQ(file.view().key_value("health"),
           "append=00000@0000000000 tick=00000@0000000000 queue=00005 errors=00000 reconnects=00000 "
           "dropped=0000000000 corrupted=00000 free_mb=0000000 reset=watchdog    ");
}
