// Names of key-values that tell where a file comes from. microparquet does nothing with them; our programs
// write those that they know, and `mpq` understands them. All are optional.
#pragma once

#include <string_view>

namespace microparquet::facts {

// Name of the device, unique among those whose files come together: "6A1B0042".
inline constexpr std::string_view kDevice = "device_id";
// Version of the device's program: "1.0.0".
inline constexpr std::string_view kFirmware = "firmware_version";
// Version of the columns, raised when one is added: "2". Files of one version have the same columns.
inline constexpr std::string_view kSchemaVersion = "schema_version";

// Number that the device changes each time it is switched on.
inline constexpr std::string_view kSession = "session";
// Number of the file in its session, in order: "00000001".
inline constexpr std::string_view kSplit = "split";
// Intended samples a second: "398.30".
inline constexpr std::string_view kSamplingRate = "sampling_rate_hz";

// Time at which a column that counts from the device's start was 0, by ISO 8601 with its zone:
// "2026-11-22T08:00:00Z". A device that learns it later adds it by Writer::set_key_value().
inline constexpr std::string_view kStartedAt = "started_at";

// Prefix to the number of a row, "clock.0000000500": the first row of a boot, whose times the value tells, see clock_anchors.h.
inline constexpr std::string_view kClock = "clock.";

// Number of rows that a full queue dropped, see dropped_rows.h.
inline constexpr std::string_view kRowsDropped = "rows_dropped";
// Number of rows that were taken off the queue and lost with a card.
inline constexpr std::string_view kRowsLost = "rows_lost";
// Number of older files of the log that made place for newer ones, see retention.h.
inline constexpr std::string_view kFilesRemoved = "files_removed";

// Name of a column of texts, not of a key-value: what has happened when a row was taken. Null in most rows.
inline constexpr std::string_view kMark = "mark";

// How well logging went, see log_health.h.
inline constexpr std::string_view kHealth = "health";

// Prefix to the name of a column, "unit.gyroscope_x": its unit, "deg/s". A unit of time beside a column called as times are, as
// "unit.timestamp" with "us", tells programs what it counts.
inline constexpr std::string_view kUnitOf = "unit.";
// Prefix to the name of a column, "scale.counts": the factor from its values to that unit, "0.01"; 1 without
// it. A DECIMAL column has its scale in its type, and needs none.
inline constexpr std::string_view kScaleOf = "scale.";
// Prefix to the name of a column, "offset.counts": what is then added, in that unit, "-50"; 0 without it. A current loop of 4 to
// 20 mA has one, a TMP36, and a pressure cell.
inline constexpr std::string_view kOffsetOf = "offset.";
// Prefix to the name of a column of arrays, "step.spectrum": what lies between two of its elements, the first of which is 0, and
// the unit: "31.25 Hz".
inline constexpr std::string_view kStepOf = "step.";

}  // namespace microparquet::facts
