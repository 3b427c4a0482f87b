#include "cards/stream_logs.h"

#include "cards/logger_log.h"
#include "cards/parquet_log.h"
#include "microparquet/card_plan.h"
#include "support/stream_plans.h"

namespace cards {

namespace {

namespace bench = microparquet::bench;
using bench::StreamPlan;

constexpr std::uint32_t kRollMs = 600'000;
constexpr std::uint32_t kMinuteMs = 60'000;
constexpr Rate kFast;
constexpr Rate kSlow = {86400, 1};
constexpr std::uint32_t kBlock = bench::kCardPageBytes;

template <const StreamPlan& kPlan, std::uint32_t kMaxLossMs = 600'000>
constexpr auto kFiles = log_parquet<bench::kImu8Schema, bench::kStreamOptions<kPlan, kMaxLossMs>, kRollMs>;

template <const StreamPlan& kPlan>
constexpr auto kOneFile = log_parquet<bench::kImu8Schema, bench::kStreamOptions<kPlan>>;

template <const StreamPlan& kPlan>
constexpr auto kDeltaFiles = log_parquet<bench::kImu8DeltaSchema<>, bench::kStreamOptions<kPlan>, kRollMs>;

// As plan() has them: rows are safe after a second or ten.
constexpr microparquet::CardPlan saved(std::uint32_t save_ms) {
  microparquet::CardPlan card;
  card.ram_bytes = 16 << 10;
  card.rate = {360'000, 36};
  card.save_ms = save_ms;
  return card;
}
constexpr microparquet::CardPlan kSavedEachSecond = saved(1'000);
constexpr microparquet::CardPlan kSavedEachTen = saved(10'000);

template <const microparquet::CardPlan& kCard>
constexpr auto kSavedFiles =
    log_parquet<bench::kImu8Schema, microparquet::kPlannedOptions<bench::kImu8Schema, kCard>, kRollMs>;

// One log at the rate, and beside it one that takes a row for each thousand of these.
Logged log_two(LoggedCard& card, const Rate& rate) {
  using Log = ParquetLog<bench::kImu8Schema, bench::kStreamOptions<bench::kStream16k>>;
  constexpr std::int32_t kFaster = 1000;
  const Rate slow_rate = {rate.seconds, rate.hertz / kFaster};
  const auto fast = std::make_unique<Log>(card, rate, kRollMs, 'F');
  const auto slow = std::make_unique<Log>(card, slow_rate, kRollMs, 'S');
  for (std::int32_t i = 0; i < rate.rows(); ++i) {
    fast->append();
    if (i % kFaster == 0) {
      slow->append();
    } else {
      slow->tick(rate.ms_of(i));
    }
  }
  Logged both = fast->close();
  const Logged other = slow->close();
  both.rows += other.rows;
  both.ram_bytes += other.ram_bytes;
  both.file_bytes += other.file_bytes;
  both.longest_wait_s = std::max(both.longest_wait_s, other.longest_wait_s);
  return both;
}

}  // namespace

const std::vector<Log>& stream_logs() {
  static const std::vector<Log> all = {
      {"imu8_6k", "kForward in 6 KiB, files of ten minutes", kFiles<bench::kStream6k>, kFast, kBlock},
      {"imu8_8k", "kForward in 8 KiB, files of ten minutes", kFiles<bench::kStream8k>, kFast, kBlock},
      {"imu8_16k", "kForward in 16 KiB, files of ten minutes", kFiles<bench::kStream16k>, kFast, kBlock},
      {"imu8_32k", "kForward in 32 KiB, files of ten minutes", kFiles<bench::kStream32k>, kFast, kBlock},
      {"imu8_6k_1h", "kForward in 6 KiB, one file", kOneFile<bench::kStream6k>, kFast, kBlock},
      {"imu8_8k_1h", "kForward in 8 KiB, one file", kOneFile<bench::kStream8k>, kFast, kBlock},
      {"imu8_16k_1h", "kForward in 16 KiB, one file", kOneFile<bench::kStream16k>, kFast, kBlock},
      {"imu8_32k_1h", "kForward in 32 KiB, one file", kOneFile<bench::kStream32k>, kFast, kBlock},
      {"imu8_16k_delta", "the same in 16 KiB, integers as differences", kDeltaFiles<bench::kStream16kDelta>,
       kFast, kBlock},
      {"imu8_32k_delta", "the same in 32 KiB, integers as differences", kDeltaFiles<bench::kStream32kDelta>,
       kFast, kBlock},
      {"imu8_32k_60s", "kForward in 32 KiB, a minute may be lost", kFiles<bench::kStream32kMinute, kMinuteMs>,
       kFast, kBlock},
      {"imu8_32k_1hz", "kForward in 32 KiB, a row a second", kFiles<bench::kStream32k>, kSlow, kBlock},
      {"imu8_16k_save_1s", "kForwardSaving in 16 KiB, saved each second, files of ten minutes",
       kSavedFiles<kSavedEachSecond>},
      {"imu8_16k_save_10s", "kForwardSaving in 16 KiB, saved each ten seconds, files of ten minutes",
       kSavedFiles<kSavedEachTen>},
      {"two_16k", "two logs in 16 KiB each", log_two},
      {"logger_14k", "the Arduino port's Logger, by default", log_by_logger},
  };
  return all;
}

}  // namespace cards
