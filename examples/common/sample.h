// One row of the log, as the sensor gives it, and its columns.
#pragma once

#include <cstdint>

#include "microparquet/typed.h"

struct Sample {
  std::int64_t time_us;  // time since the recording began
  float gyroscope_x;     // degrees a second
  float gyroscope_y;
  float gyroscope_z;
  float accelerometer_x;  // g
  float accelerometer_y;
  float accelerometer_z;
};

inline constexpr auto kSampleSchema =
    microparquet::schema(microparquet::column("time_us", &Sample::time_us),
                         microparquet::column("gyroscope_x", &Sample::gyroscope_x),
                         microparquet::column("gyroscope_y", &Sample::gyroscope_y),
                         microparquet::column("gyroscope_z", &Sample::gyroscope_z),
                         microparquet::column("accelerometer_x", &Sample::accelerometer_x),
                         microparquet::column("accelerometer_y", &Sample::accelerometer_y),
                         microparquet::column("accelerometer_z", &Sample::accelerometer_z));
