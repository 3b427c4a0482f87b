// `imu8` at 1 kHz.
//
//   imu_logger_500ms SECONDS [calm]
#include "fast_logger.h"
#include "log_run.h"
#include "microparquet/static_writer.h"
#include "support/imu8_rows.h"

namespace {

namespace mpq = microparquet;
using mpq::bench::Imu8Row;

constexpr std::uint32_t kRowsPerSecond = 1000;

// As usual, but for row groups of seven seconds.
constexpr mpq::Options kOptions = [] {
  mpq::Options options;
  options.row_group_bytes = 256 << 10;
  options.checkpoint_ms = 10'000;
  options.max_loss_ms = 10'000;
  return options;
}();

struct ImuLog {
  using Queued = Imu8Row;
  using Writer = mpq::StaticWriter<mpq::bench::kImu8Schema, kOptions>;
  static constexpr char kPrefix[] = "IMU";
  static constexpr std::uint32_t kBusyMs = 150;
  static constexpr std::uint32_t kDepth = mpq::row_queue_depth(kRowsPerSecond, LOG_PAUSE_MS, kBusyMs);
  static constexpr mpq::RollLimits kLimits = {256 << 20, 12'000};
  static const Imu8Row& row_of(const Imu8Row& row) { return row; }
};

FastLogger<ImuLog> logger;
mpq::bench::Imu8Generator generator(1'000'000);

[[gnu::noinline]] Imu8Row made_up_row() {
  Imu8Row row;
  generator.next(row);
  return row;
}

[[gnu::noinline]] void take(const Imu8Row& row) { logger.push(row); }

void on_tick(std::uint32_t tick) {
  if (log_run::samples(tick)) take(made_up_row());
}

}  // namespace

int main() { return log_run::run("imu_logger", logger, kRowsPerSecond, &on_tick); }
