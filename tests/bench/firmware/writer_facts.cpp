// Flash of what a log tells about itself: a writer with a key-value, and what anchors of the clock add, and the log's health. The twin has the row and the file, and no call.
#include "counting_file.h"
#include "imu8_log.h"
#include "microparquet/clock_anchors.h"
#include "microparquet/log_health.h"
#include "opaque.h"

namespace {
using namespace microparquet;

bench::CountingFile file;
#if MICROPARQUET_BENCH_CALLS
constexpr Options kOptions = [] {
  Options options;
  options.max_key_values = 4;
  return options;
}();
StaticWriter<bench::kImu8Schema, kOptions> log_writer;
#if MICROPARQUET_BENCH_ANCHORS
ClockAnchors anchors;
#endif
#if MICROPARQUET_BENCH_HEALTH
LogHealth health;
#endif
#endif
}  // namespace

int main() {
  bench::Imu8Row row;
  bench::opaque(row);
  bench::opaque(file);
#if MICROPARQUET_BENCH_CALLS
  Status status = log_writer.resume(file);
  if (status == Status::kOk) status = log_writer.set_key_value("device_id", "6A1B0042");
#if MICROPARQUET_BENCH_ANCHORS
  anchors.begin(log_writer);
  if (status == Status::kOk) status = anchors.add(log_writer, row.seq, row.ts);
#endif
#if MICROPARQUET_BENCH_HEALTH
  health.set_reset_reason("watchdog");
  if (status == Status::kOk) status = health.begin(log_writer);
  health.counts.dropped = static_cast<std::uint32_t>(row.seq);
  health.note_append(static_cast<std::uint32_t>(row.seq), static_cast<std::uint32_t>(row.ts));
#endif
  if (status == Status::kOk) status = log_writer.append(row);
#if MICROPARQUET_BENCH_ANCHORS
  if (status == Status::kOk) status = anchors.update(log_writer);
#endif
#if MICROPARQUET_BENCH_HEALTH
  health.update(log_writer);
#endif
  if (status == Status::kOk) status = log_writer.tick(1000);
  if (status == Status::kOk) status = log_writer.close();
  return static_cast<int>(status);
#else
  return 0;
#endif
}
