// The schema of `imu8`, for rows.
#pragma once

#include "microparquet/codecs.h"
#include "microparquet/encoders.h"
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

// Small: its integers as differences, what changes slowly as indices into a dictionary, its other floats split and
// compressed, in pages of their own size.
template <typename Column>
constexpr auto compressed_floats(const Column& column, std::uint32_t page_bytes) {
  return column.with_encoder(kByteStreamSplit).with_compressor(kLz4RawCompressor).with_page_bytes(page_bytes);
}
template <std::uint32_t kFloatPageBytes>
inline constexpr auto kImu8SmallSchema =
    schema(timestamp_us_column("ts", &Imu8Row::ts).with_encoder(kDeltaBinaryPacked),
           column("seq", &Imu8Row::seq).with_encoder(kDeltaBinaryPacked),
           compressed_floats(column("ax", &Imu8Row::ax), kFloatPageBytes),
           compressed_floats(column("ay", &Imu8Row::ay), kFloatPageBytes),
           compressed_floats(column("az", &Imu8Row::az), kFloatPageBytes),
           column("temp", &Imu8Row::temp).with_encoder(kDictionary),
           column("status", &Imu8Row::status).with_encoder(kDeltaBinaryPacked),
           column("battery_mv", &Imu8Row::battery_mv).with_encoder(kDeltaBinaryPacked));

// The schema with integers as differences, and slow values as indices into a dictionary.
inline constexpr auto kImu8DictionarySchema =
    schema(timestamp_us_column("ts", &Imu8Row::ts).with_encoder(kDeltaBinaryPacked),
           column("seq", &Imu8Row::seq).with_encoder(kDeltaBinaryPacked), column("ax", &Imu8Row::ax),
           column("ay", &Imu8Row::ay), column("az", &Imu8Row::az),
           column("temp", &Imu8Row::temp).with_encoder(kDictionary),
           column("status", &Imu8Row::status).with_encoder(kDictionary),
           column("battery_mv", &Imu8Row::battery_mv).with_encoder(kDeltaBinaryPacked));

}  // namespace microparquet::bench
