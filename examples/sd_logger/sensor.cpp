#include "sensor.h"

#include "recording.h"

namespace sensor {
namespace {

std::uint32_t recorded_us() { return recording[recorded_samples - 1].time_us - recording[0].time_us; }

}  // namespace

std::string_view rate_hz() { return recorded_rate_hz; }

std::uint32_t samples() { return recorded_samples; }

std::uint32_t interval_ns() {
  constexpr std::uint64_t kNsPerUs = 1000;
  return static_cast<std::uint32_t>(recorded_us() * kNsPerUs / (recorded_samples - 1));
}

Sample sample(std::uint64_t number) {
  const RecordedSample& recorded = recording[number % recorded_samples];
  const std::uint64_t round_us = recorded_us() + interval_ns() / 1000;
  Sample sample = {};
  sample.number = static_cast<std::int64_t>(number);
  sample.time_us = static_cast<std::int64_t>(recorded.time_us + number / recorded_samples * round_us);
  sample.gyroscope_x = recorded.readings[0];
  sample.gyroscope_y = recorded.readings[1];
  sample.gyroscope_z = recorded.readings[2];
  sample.accelerometer_x = recorded.readings[3];
  sample.accelerometer_y = recorded.readings[4];
  sample.accelerometer_z = recorded.readings[5];
  return sample;
}

}  // namespace sensor
