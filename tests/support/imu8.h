// The workload `imu8`: an inertial sensor at about 100 Hz, 8 required columns, 36 bytes a row.
//
// Deterministic: the same seed, the same operations and, where sinf agrees, the same numbers on every machine
// and in the peers' programs.
#pragma once

#include <cmath>
#include <cstdint>

namespace microparquet::bench {

struct Imu8Row {
  std::int64_t ts;          // microseconds since 1970, steps of 10,000 to 10,050
  std::int32_t seq;         // row number
  float ax;                 // a sine and noise
  float ay;                 // a sine and noise
  float az;                 // a sine and noise
  float temp;               // drifts in steps of 0.01
  std::int32_t status;      // 0 to 3, long runs
  std::int32_t battery_mv;  // falls from 4200 to 3300
};

class Imu8Generator {
 public:
  // `rows` is how many rows next() will be asked for: the battery is spread over them.
  explicit Imu8Generator(std::int32_t rows) : rows_(rows > 0 ? rows : 1) {}

  void next(Imu8Row& row) {
    ts_ += 10000 + static_cast<std::int64_t>(random() % 51U);
    row.ts = ts_;
    row.seq = row_;
    const float phase = static_cast<float>(row_ % 62832) * 0.01F;
    const float sine = sinf(phase);
    row.ax = 9.81F * sine + noise();
    row.ay = 4.0F * sinf(phase * 0.5F + 1.0F) + noise();
    row.az = 9.81F + 0.2F * sine + noise();
    drift();
    row.temp = static_cast<float>(temp_hundredths_) * 0.01F;
    if ((random() & 2047U) == 0) status_ = static_cast<std::int32_t>(random() & 3U);
    row.status = status_;
    row.battery_mv = 4200 - static_cast<std::int32_t>((static_cast<std::int64_t>(row_) * 900) / rows_);
    ++row_;
  }

 private:
  std::uint32_t random() {
    state_ = state_ * 1664525U + 1013904223U;
    return state_ >> 8;
  }

  float noise() { return (static_cast<float>(random() & 0xFFFFU) - 32768.0F) * (0.05F / 32768.0F); }

  void drift() {
    const std::uint32_t step = random() & 63U;
    if (step == 0) ++temp_hundredths_;
    if (step == 1) --temp_hundredths_;
  }

  std::int32_t rows_;
  std::uint32_t state_ = 12345;
  std::int64_t ts_ = 1700000000000000;
  std::int32_t row_ = 0;
  std::int32_t temp_hundredths_ = 2500;
  std::int32_t status_ = 0;
};

}  // namespace microparquet::bench
