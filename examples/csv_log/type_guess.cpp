#include "type_guess.h"

#include <algorithm>

#include "cell.h"
#include "timestamp.h"

namespace csv_log {

void TypeGuess::see(std::string_view text) {
  longest_ = std::max(longest_, text.size());
  if (is_null(text)) {
    has_nulls_ = true;
  } else {
    has_values_ = true;
    see_value(trimmed(text));
  }
}

void TypeGuess::see_value(std::string_view text) {
  can_be_bool_ = can_be_bool_ && parse_bool_word(text).has_value();
  if (can_be_integer_) {
    bool out_of_range = false;
    can_be_integer_ = parse_number<std::int64_t>(text, &out_of_range).has_value();
    can_be_double_ = can_be_double_ && !out_of_range;  // an identifier of 20 digits is to keep them all
  }
  can_be_double_ = can_be_double_ && (can_be_integer_ || parse_number<double>(text).has_value());
  if (can_be_utc_ || can_be_local_) {
    see_timestamp(text);
  }
}

void TypeGuess::see_timestamp(std::string_view text) {
  const auto timestamp = parse_timestamp(text);
  can_be_utc_ = can_be_utc_ && timestamp && timestamp->has_zone;
  can_be_local_ = can_be_local_ && timestamp && !timestamp->has_zone;
  if (timestamp) {
    fits_nanos_ = fits_nanos_ && in_units(*timestamp, 1'000'000'000).has_value();
    needs_nanos_ = needs_nanos_ || timestamp->nanos % 1'000 != 0;
  }
}

ColumnType TypeGuess::type() const {
  ColumnType type;
  if (!has_values_) {
    return type;
  }
  if (can_be_bool_) {
    type.kind = Kind::kBool;
  } else if (can_be_integer_) {
    type.kind = Kind::kInteger;
  } else if (can_be_double_) {
    type.kind = Kind::kDouble;
  } else if ((can_be_utc_ || can_be_local_) && (!needs_nanos_ || fits_nanos_)) {
    type.kind = Kind::kTimestamp;
    type.zone = can_be_utc_ ? Zone::kUtc : Zone::kLocal;
    type.unit = needs_nanos_ ? microparquet::TimeUnit::kNanos : microparquet::TimeUnit::kMicros;
  }
  return type;
}

}  // namespace csv_log
