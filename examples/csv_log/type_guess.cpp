#include "type_guess.h"

#include <algorithm>

#include "cell.h"
#include "timestamp.h"

namespace csv_log {

void Candidates::see(std::string_view text) {
  can_be_bool_ = can_be_bool_ && parse_bool_word(text).has_value();
  if (can_be_int64_ || can_be_uint64_ || can_be_double_) {
    see_number(text);
  }
  if (can_have_comma_) {
    see_comma(text);
  }
  if (can_be_date_ || can_be_time_) {
    see_date_or_time(text);
  }
  if (can_be_utc_ || can_be_local_) {
    see_timestamp(text);
  }
}

void Candidates::see_number(std::string_view text) {
  bool out_of_range = false;
  if (can_be_int64_ && parse_number<std::int64_t>(text, &out_of_range)) {
    can_be_uint64_ = can_be_uint64_ && text.front() != '-';
    return;
  }
  if (can_be_int64_) {
    can_be_int64_ = false;
    can_have_comma_ = can_have_comma_ && !out_of_range;
    can_be_double_ = can_be_double_ && !out_of_range;  // an identifier of 20 digits is to keep them all
  }
  can_be_uint64_ = can_be_uint64_ && parse_number<std::uint64_t>(text).has_value();
  can_be_double_ = can_be_double_ && parse_number<double>(text).has_value();
}

void Candidates::see_comma(std::string_view text) {
  constexpr std::size_t kThousands = 3;
  const auto number = without_comma(text);
  can_have_comma_ = parse_number<double>(number ? *number : text).has_value() && text.find('.') == text.npos;
  if (number && can_have_comma_) {
    const std::size_t comma = text.find(',');
    const bool after_zero = comma != 0 && text[comma - 1] == '0' && (comma == 1 || text[comma - 2] == '-');
    has_comma_ = true;
    comma_is_decimal_ = comma_is_decimal_ || after_zero || text.size() - comma - 1 != kThousands;
  }
}

void Candidates::see_date_or_time(std::string_view text) {
  can_be_date_ = can_be_date_ && parse_date(text).has_value();
  if (can_be_time_) {
    const auto nanos = parse_time(text);
    can_be_time_ = nanos.has_value();
    needs_nanos_ = needs_nanos_ || (nanos && *nanos % 1'000 != 0);
  }
}

void Candidates::see_timestamp(std::string_view text) {
  const auto timestamp = parse_timestamp(text);
  can_be_utc_ = can_be_utc_ && timestamp && timestamp->has_zone;
  can_be_local_ = can_be_local_ && timestamp && !timestamp->has_zone;
  if (timestamp) {
    fits_nanos_ = fits_nanos_ && in_units(*timestamp, 1'000'000'000).has_value();
    needs_nanos_ = needs_nanos_ || timestamp->nanos % 1'000 != 0;
    can_be_utc_ = can_be_utc_ && (fits_nanos_ || !needs_nanos_);
    can_be_local_ = can_be_local_ && (fits_nanos_ || !needs_nanos_);
  }
}

bool Candidates::any() const {
  return can_be_bool_ || can_be_int64_ || can_be_uint64_ || can_be_double_ || can_be_date_ || can_be_time_ ||
         can_be_utc_ || can_be_local_ || can_have_comma_;
}

ColumnType Candidates::type() const {
  ColumnType type;
  if (can_be_bool_) {
    type.kind = Kind::kBool;
  } else if (can_be_int64_ || can_be_uint64_) {
    type.kind = Kind::kInteger;
    type.is_signed = can_be_int64_;
  } else if (can_be_double_ || can_have_comma_) {
    type.kind = Kind::kDouble;
  } else if (can_be_date_) {
    type.kind = Kind::kDate;
  } else if (can_be_time_) {
    type.kind = Kind::kTime;
  } else if (can_be_utc_ || can_be_local_) {
    type.kind = Kind::kTimestamp;
    type.zone = can_be_utc_ ? Zone::kUtc : Zone::kLocal;
  }
  type.unit = needs_nanos_ ? microparquet::TimeUnit::kNanos : microparquet::TimeUnit::kMicros;
  return type;
}

void TypeGuess::see(std::string_view text, std::uint64_t line) {
  longest_ = std::max(longest_, text.size());
  if (is_null(text, rules_)) {
    has_nulls_ = true;
  } else {
    see_value(trimmed(text), line);
  }
}

void TypeGuess::see_value(std::string_view text, std::uint64_t line) {
  if (culprit_.line == 0) {
    candidates_.see(text);
    if (comma_.line == 0 && candidates_.have_comma()) {
      comma_ = {line, std::string(text)};
    }
    if (!candidates_.any()) {
      culprit_ = {line, std::string(text)};
      others_have_type_ = has_values_;
    }
  } else if (!others_have_type_ && others_.any() && text != culprit_.text) {
    others_.see(text);
    others_have_type_ = others_.any();
  }
  has_values_ = true;
}

std::optional<SeenCell> TypeGuess::needs_comma() const {
  return candidates_.have_comma() ? std::optional(comma_) : std::nullopt;
}

std::optional<SeenCell> TypeGuess::text_because() const {
  return others_have_type_ ? std::optional(culprit_) : std::nullopt;
}

}  // namespace csv_log
