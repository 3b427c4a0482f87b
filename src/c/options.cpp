// Options, encodings, types and statuses for C, which are those of C++.
#include "microparquet/c/options.h"
#include "c/schema_objects.h"
#include "microparquet/c/compatible.h"
#include "microparquet/c/status.h"
#include "microparquet/codecs.h"
#include "microparquet/compatible.h"
#include "microparquet/encoders.h"
#include "microparquet/layout.h"
#include "microparquet/options.h"
#include "microparquet/sorting.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

// Options for C, with the defaults of C++.

using microparquet::Options;

struct mpq_layout {
  microparquet::Layout layout;
};

const mpq_layout mpq_in_place = {microparquet::kInPlace};
const mpq_layout mpq_in_place_no_checkpoints = {microparquet::kInPlaceNoCheckpoints};
const mpq_layout mpq_forward = {microparquet::kForward};

const mpq_layout* const mpq_in_place_tailed = reinterpret_cast<const mpq_layout*>(
    static_cast<const microparquet::Layout*>(&microparquet::kInPlaceTailed));
const mpq_layout* const mpq_in_place_saving = reinterpret_cast<const mpq_layout*>(
    static_cast<const microparquet::Layout*>(&microparquet::kInPlaceSaving));

const mpq_layout* const mpq_forward_saving = reinterpret_cast<const mpq_layout*>(
    static_cast<const microparquet::Layout*>(&microparquet::kForwardSaving));

const mpq_sort_checker* const mpq_row_sort_checker =
    reinterpret_cast<const mpq_sort_checker*>(&microparquet::kRowSortChecker);

namespace {

constexpr Options kDefaults;

}  // namespace

const mpq_options mpq_default_options = {kDefaults.page_bytes,       kDefaults.whole_sectors,
                                         kDefaults.transfer_align,   &mpq_in_place,
                                         kDefaults.row_group_rows,   kDefaults.row_group_bytes,
                                         kDefaults.row_group_ms,     kDefaults.checkpoint_ms,
                                         kDefaults.max_loss_ms,      kDefaults.save_ms,
                                         kDefaults.checkpoint_ratio, kDefaults.max_row_groups_in_memory,
                                         kDefaults.max_bound_bytes,  kDefaults.max_key_values,
                                         kDefaults.block_bytes,      {},
                                         kDefaults.file_id,          &mpq_crc32_fast};

std::uint32_t mpq_crc32_fast(std::uint32_t crc, const void* data, std::size_t bytes) {
  return microparquet::crc32_portable(crc, data, bytes);
}

std::uint32_t mpq_crc32_small(std::uint32_t crc, const void* data, std::size_t bytes) {
  return microparquet::crc32_small(crc, data, bytes);
}

namespace microparquet::c {

// Options that suit every reader, for C.

namespace {

constexpr Options kCompatible = compatible();
static_assert(kCompatible.layout == &kForward);

bool is_compatible_column(const mpq_column& column) {
  if (column.type == nullptr) return false;
  Field field = column.type->field;
  if (column.encoding != nullptr) column.encoding->apply(field);
  return is_compatible(field);
}

}  // namespace

}  // namespace microparquet::c

using microparquet::c::kCompatible;

const mpq_options mpq_compatible_options = {
    kCompatible.page_bytes,       kCompatible.whole_sectors,
    kCompatible.transfer_align,   &mpq_forward,
    kCompatible.row_group_rows,   kCompatible.row_group_bytes,
    kCompatible.row_group_ms,     kCompatible.checkpoint_ms,
    kCompatible.max_loss_ms,      kCompatible.save_ms,
    kCompatible.checkpoint_ratio, kCompatible.max_row_groups_in_memory,
    kCompatible.max_bound_bytes,  kCompatible.max_key_values,
    kCompatible.block_bytes,      {},
    kCompatible.file_id,          &mpq_crc32_fast};

bool mpq_is_compatible(const mpq_column* columns, size_t column_count) {
  if (columns == nullptr) return false;
  for (const mpq_column& column : microparquet::Span<const mpq_column>(columns, column_count)) {
    if (!microparquet::c::is_compatible_column(column)) return false;
  }
  return true;
}

namespace microparquet::c {

// Encodings of columns, for C.

namespace {

void apply_delta(Field& field) {
  if (field.type == Type::kInt32 || field.type == Type::kInt64)
    field = field.with_encoder(kDeltaBinaryPacked);
  if (field.type == Type::kBoolean) field = field.with_encoder(kRleBoolean);
}

void apply_dictionary(Field& field) {
  if (field.type != Type::kBoolean && field.type != Type::kFixedLenByteArray)
    field = field.with_encoder(kDictionary);
}

void apply_small(Field& field) { field = field.with_encoder(kAuto.under(kLz4RawCompressor)); }

void apply_optional(Field& field) { field = field.as_optional(); }

}  // namespace

}  // namespace microparquet::c

const mpq_encoding mpq_delta = {&microparquet::c::apply_delta};
const mpq_encoding mpq_dictionary = {&microparquet::c::apply_dictionary};
const mpq_encoding mpq_small = {&microparquet::c::apply_small};
const mpq_optional mpq_is_optional = {&microparquet::c::apply_optional};

// Types of columns, for C.

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

using microparquet::Status;

static_assert(MPQ_OK == static_cast<int>(Status::kOk) && MPQ_IO_ERROR == static_cast<int>(Status::kIoError) &&
                  MPQ_UNSUPPORTED == static_cast<int>(Status::kUnsupported),
              "the numbers of Status");

const char* mpq_status_text(mpq_status status) { return to_string(static_cast<Status>(status)); }
