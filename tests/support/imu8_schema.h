// The schema of `imu8`, for columns.
#pragma once

#include "microparquet/schema.h"

namespace microparquet::bench {

inline constexpr Field kImu8Fields[] = {
    timestamp_field("ts"), int32_field("seq"),  float_field("ax"),     float_field("ay"),
    float_field("az"),     float_field("temp"), int32_field("status"), int32_field("battery_mv"),
};

}  // namespace microparquet::bench
