// A sensor of the air. The values are made up from the row's number.
#pragma once

#include <cstdint>

#include "microparquet/typed.h"

struct Air {
  std::int64_t time_ms;
  float temperature;  // degrees Celsius
  float humidity;     // per cent
  float pressure;     // hPa
};

inline constexpr auto kAirSchema = microparquet::schema(
    microparquet::timestamp_ms_column("time", &Air::time_ms),
    microparquet::column("temperature", &Air::temperature), microparquet::column("humidity", &Air::humidity),
    microparquet::column("pressure", &Air::pressure));

inline Air sample_air(std::uint64_t number, std::int64_t time_ms) {
  const auto eighths = static_cast<std::uint32_t>(number % 100);
  return {time_ms, 20.0F + static_cast<float>(eighths) * 0.125F, 50.0F, 1013.25F};
}
