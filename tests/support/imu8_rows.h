// The schema of `imu8`, for rows.
#pragma once

#include "microparquet/delta_encoder.h"
#include "microparquet/typed.h"
#include "support/imu8.h"

namespace microparquet::bench {

inline constexpr auto kImu8Schema =
    schema(timestamp_us_column("ts", &Imu8Row::ts), column("seq", &Imu8Row::seq), column("ax", &Imu8Row::ax),
           column("ay", &Imu8Row::ay), column("az", &Imu8Row::az), column("temp", &Imu8Row::temp),
           column("status", &Imu8Row::status), column("battery_mv", &Imu8Row::battery_mv));

// The same with its integers as differences, in pages of their own size; 0: as the options say.
template <std::uint32_t kPageBytes = 0>
inline constexpr auto kImu8DeltaSchema = schema(
    timestamp_us_column("ts", &Imu8Row::ts).with_encoder(kDeltaBinaryPacked).with_page_bytes(kPageBytes),
    column("seq", &Imu8Row::seq).with_encoder(kDeltaBinaryPacked).with_page_bytes(kPageBytes),
    column("ax", &Imu8Row::ax), column("ay", &Imu8Row::ay), column("az", &Imu8Row::az),
    column("temp", &Imu8Row::temp),
    column("status", &Imu8Row::status).with_encoder(kDeltaBinaryPacked).with_page_bytes(kPageBytes),
    column("battery_mv", &Imu8Row::battery_mv).with_encoder(kDeltaBinaryPacked).with_page_bytes(kPageBytes));

}  // namespace microparquet::bench
