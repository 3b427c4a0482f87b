// What the sensor stands in for: a recording in flash, made of examples/data/walk.csv by
// make_recording.cmake.
#pragma once

#include <cstdint>

struct RecordedSample {
  std::uint32_t time_us;
  float readings[6];  // in the order of Sample
};

extern const RecordedSample recording[];
extern const std::uint32_t recorded_samples;
extern const char recorded_rate_hz[];
