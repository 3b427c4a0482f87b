// Names of the key-values by which a file says what it is of. microparquet does nothing with them; our programs write those
// that they know, and `mpq` understands them. All are optional.
#pragma once

#include <string_view>

namespace microparquet::facts {

// Of the device, unique among those whose files come together: "6A1B0042".
inline constexpr std::string_view kDevice = "device_id";
// Of its program: "1.0.0".
inline constexpr std::string_view kFirmware = "firmware_version";
// Of the columns, raised when one is added: "2". Files of one version have the same columns.
inline constexpr std::string_view kSchemaVersion = "schema_version";

// A number of the device's, another one each time it is switched on.
inline constexpr std::string_view kSession = "session";
// Of a session's files, in their order: "00000001".
inline constexpr std::string_view kSplit = "split";
// Samples a second as they are meant to be: "398.30".
inline constexpr std::string_view kSamplingRate = "sampling_rate_hz";

// When the time 0 was of a column that counts from the device's start, by ISO 8601 with its zone: "2026-11-22T08:00:00Z". For
// a device that comes to know it later, Writer::set_key_value() adds it.
inline constexpr std::string_view kStartedAt = "started_at";

// How many rows a full queue dropped, see dropped_rows.h.
inline constexpr std::string_view kRowsDropped = "rows_dropped";
// How many were taken off the queue and lost with a card.
inline constexpr std::string_view kRowsLost = "rows_lost";

// Followed by the name of a column, "unit.gyroscope_x": its unit, "deg/s".
inline constexpr std::string_view kUnitOf = "unit.";
// Followed by the name of a column, "scale.counts": what its values are to be multiplied with to be in that unit, "0.01"; 1
// without it. A column that is DECIMAL has its scale in its type, and needs none.
inline constexpr std::string_view kScaleOf = "scale.";

}  // namespace microparquet::facts
