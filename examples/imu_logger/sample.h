// One row of the log, as the sensor gives it.
#pragma once

#include <cstdint>

struct Sample {
  std::int64_t time_us;  // since the recording began
  float gyroscope_x;     // degrees a second
  float gyroscope_y;
  float gyroscope_z;
  float accelerometer_x;  // g
  float accelerometer_y;
  float accelerometer_z;
};
