// A device that learns the time by radio, minutes after it was switched on: its rows count milliseconds since then, and clock
// anchors in the file date all of them. `mpq info` shows their dates, and in a line how well logging went. Each run is a boot that
// continues log.parquet.
//
// The sensor, the radio and the clock are played: a boot of ten minutes takes no time. The card pauses now and then.
#include <cstdio>

#include "microparquet/clock_anchors.h"
#include "microparquet/log_health.h"
#include "microparquet/microparquet.h"
#include "microparquet/port/posix_file.h"

namespace mpq = microparquet;

struct Sample {
  std::uint32_t time_ms;  // since the device was switched on
  float temperature;
};
inline constexpr auto kSchema =
    mpq::schema(mpq::column("time_ms", &Sample::time_ms), mpq::column("temperature", &Sample::temperature));

// Both take a key-value each. What is in the file from earlier boots does not count.
constexpr mpq::Options options() {
  mpq::Options options;
  options.max_key_values = 2;
  return options;
}
inline constexpr mpq::Options kOptions = options();

static mpq::StaticWriter<kSchema, kOptions> writer;
static mpq::ClockAnchors anchors;  // the writer reads their texts
static mpq::LogHealth health;

namespace {

constexpr std::uint32_t kPeriodMs = 1'000;
constexpr std::uint32_t kBootMs = 600'000;
constexpr std::uint32_t kRadioMs = 240'000;  // from one time of the radio to the next

std::uint32_t now_ms = 0;
std::int64_t boot_utc_ms = 1'767'225'600'000;  // which the device does not know

// The radio knows the time every four minutes. The device's clock is slow, by 20 ms in that time.
bool time_by_radio(std::int64_t& utc_ms) {
  if (now_ms == 0 || now_ms % kRadioMs != 0) return false;
  utc_ms = boot_utc_ms + now_ms + now_ms / kRadioMs * 20;
  return true;
}

mpq::Status log_sample() {
  const Sample sample = {now_ms, 20.0F + static_cast<float>(now_ms % 60'000) / 10'000};
  const std::uint32_t begin_ms = now_ms;
  const mpq::Status status = health.note(writer.append(sample));
  if (now_ms % 90'000 == 0) now_ms += 130;  // a pause of the card
  health.note_append(now_ms - begin_ms, now_ms);
  return status;
}

mpq::Status run() {
  mpq::Status status = mpq::Status::kOk;
  std::uint32_t due_ms = 0;
  for (; now_ms < kBootMs && status == mpq::Status::kOk; now_ms += 10) {
    std::int64_t utc_ms = 0;
    // A refused anchor, as in a file that has those of 32 boots, costs dates and no row.
    if (time_by_radio(utc_ms)) static_cast<void>(anchors.add(writer, now_ms, utc_ms));
    if (now_ms >= due_ms) {
      due_ms += kPeriodMs;
      status = log_sample();
    }
    if (status == mpq::Status::kOk) status = anchors.update(writer);
    health.update(writer);
    if (status == mpq::Status::kOk) status = health.note(writer.tick(now_ms));
  }
  if (status == mpq::Status::kOk) status = anchors.update(writer);
  health.update(writer);
  return status == mpq::Status::kOk ? writer.close() : status;
}

}  // namespace

int main() {
  mpq::PosixFile file;
  health.set_reset_reason("power on");
  mpq::Status status = file.open_for_append("log.parquet");
  if (status == mpq::Status::kOk) status = writer.resume(file);
  if (status == mpq::Status::kOk) status = health.begin(writer);
  boot_utc_ms +=
      static_cast<std::int64_t>(writer.rows()) * 2 * kPeriodMs;  // the device was off as long as it was on
  anchors.begin(writer);
  if (status == mpq::Status::kOk) status = run();
  if (status == mpq::Status::kOk) status = file.close();
  std::printf("%s: %llu rows\n", to_string(status), static_cast<unsigned long long>(writer.rows()));
  return status == mpq::Status::kOk ? 0 : 1;
}
