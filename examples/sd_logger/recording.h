// A recording in flash that stands in for the sensor; make_recording.cmake makes it from
// examples/data/walk.csv.
#pragma once

#include <cstdint>

struct RecordedSample {
  std::uint32_t time_us;
  float readings[6];  // readings in the order of Sample
};

extern const RecordedSample recording[];
extern const std::uint32_t recorded_samples;
extern const char recorded_rate_hz[];
