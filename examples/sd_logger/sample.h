// One row of the log.
#pragma once

#include <cstdint>

#include <string_view>

#include "microparquet/options.h"
#include "microparquet/typed.h"

// Raised with each column that is added, at the end: none is renamed, and none gets another type.
inline constexpr std::string_view kSchemaVersion = "1";

// Units of the columns that have one.
inline constexpr microparquet::KeyValue kUnits[] = {
    {"unit.time_us", "us"},        {"unit.gyroscope_x", "deg/s"}, {"unit.gyroscope_y", "deg/s"},
    {"unit.gyroscope_z", "deg/s"}, {"unit.accelerometer_x", "g"}, {"unit.accelerometer_y", "g"},
    {"unit.accelerometer_z", "g"}};

struct Sample {
  std::int64_t number;  // counts since the device was switched on; missing numbers were dropped or lost
  std::int64_t time_us;
  float gyroscope_x;
  float gyroscope_y;
  float gyroscope_z;
  float accelerometer_x;
  float accelerometer_y;
  float accelerometer_z;
};

inline constexpr auto kSchema = microparquet::schema(
    microparquet::column("number", &Sample::number), microparquet::column("time_us", &Sample::time_us),
    microparquet::column("gyroscope_x", &Sample::gyroscope_x),
    microparquet::column("gyroscope_y", &Sample::gyroscope_y),
    microparquet::column("gyroscope_z", &Sample::gyroscope_z),
    microparquet::column("accelerometer_x", &Sample::accelerometer_x),
    microparquet::column("accelerometer_y", &Sample::accelerometer_y),
    microparquet::column("accelerometer_z", &Sample::accelerometer_z));
