// An inertial sensor, as it counts. The values are made up from the row's number.
#pragma once

#include <cstdint>

#include "microparquet/typed.h"

struct Motion {
  std::int64_t time_ms;
  std::int16_t acceleration[3];
  std::int16_t rotation[3];
};

inline constexpr auto kMotionSchema = microparquet::schema(
    microparquet::timestamp_ms_column("time", &Motion::time_ms),
    microparquet::column<Motion>("acceleration_x", [](auto& row) -> auto& { return row.acceleration[0]; }),
    microparquet::column<Motion>("acceleration_y", [](auto& row) -> auto& { return row.acceleration[1]; }),
    microparquet::column<Motion>("acceleration_z", [](auto& row) -> auto& { return row.acceleration[2]; }),
    microparquet::column<Motion>("rotation_x", [](auto& row) -> auto& { return row.rotation[0]; }),
    microparquet::column<Motion>("rotation_y", [](auto& row) -> auto& { return row.rotation[1]; }),
    microparquet::column<Motion>("rotation_z", [](auto& row) -> auto& { return row.rotation[2]; }));

inline Motion sample_motion(std::uint64_t number, std::int64_t time_ms) {
  const auto value = static_cast<std::int16_t>(number % 2000);
  return {time_ms, {value, 2, 3}, {4, 5, static_cast<std::int16_t>(-value)}};
}
