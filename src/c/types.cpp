// Types of columns, for C.
#include "c/schema_objects.h"

using namespace microparquet;  // NOLINT(google-build-using-namespace): the objects are none of its members

const mpq_type mpq_bool = {boolean_field({})};
const mpq_type mpq_int32 = {int32_field({})};
const mpq_type mpq_int64 = {int64_field({})};
const mpq_type mpq_float = {float_field({})};
const mpq_type mpq_double = {double_field({})};
const mpq_type mpq_string = {string_field({})};
const mpq_type mpq_bytes = {byte_array_field({})};
const mpq_type mpq_json = {text_field({}, LogicalKind::kJson)};
const mpq_type mpq_int8 = {integer_field({}, 8, true)};
const mpq_type mpq_int16 = {integer_field({}, 16, true)};
const mpq_type mpq_uint8 = {integer_field({}, 8, false)};
const mpq_type mpq_uint16 = {integer_field({}, 16, false)};
const mpq_type mpq_uint32 = {integer_field({}, 32, false)};
const mpq_type mpq_uint64 = {integer_field({}, 64, false)};
const mpq_type mpq_timestamp_ms = {timestamp_field({}, TimeUnit::kMillis)};
const mpq_type mpq_local_timestamp_ms = {timestamp_field({}, TimeUnit::kMillis, false)};
const mpq_type mpq_time_ms = {time_field({}, TimeUnit::kMillis)};
const mpq_type mpq_timestamp_us = {timestamp_field({}, TimeUnit::kMicros)};
const mpq_type mpq_local_timestamp_us = {timestamp_field({}, TimeUnit::kMicros, false)};
const mpq_type mpq_time_us = {time_field({}, TimeUnit::kMicros)};
const mpq_type mpq_timestamp_ns = {timestamp_field({}, TimeUnit::kNanos)};
const mpq_type mpq_local_timestamp_ns = {timestamp_field({}, TimeUnit::kNanos, false)};
const mpq_type mpq_time_ns = {time_field({}, TimeUnit::kNanos)};
const mpq_type mpq_date = {date_field({})};
const mpq_type mpq_decimal32 = {decimal32_field({}, 0, 0)};
const mpq_type mpq_decimal64 = {decimal64_field({}, 0, 0)};
const mpq_type mpq_fixed = {fixed_field({}, 0)};
const mpq_type mpq_decimal_fixed = {decimal_fixed_field({}, 0, 0, 0)};
const mpq_type mpq_uuid = {uuid_field({})};
const mpq_type mpq_float16 = {float16_field({})};
