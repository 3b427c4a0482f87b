// The sensor: a recording that begins again at its end. A product has its driver here.
#pragma once

#include <cstdint>
#include <string_view>

#include "sample.h"

namespace sensor {

// Time from one sample to the next, on average; and samples a second, such as "398.30".
std::uint32_t interval_ns();
std::string_view rate_hz();

// The sample of that number, from 0 on. May be called from an interrupt.
Sample sample(std::uint64_t number);

// Number of samples in the recording.
std::uint32_t samples();

}  // namespace sensor
