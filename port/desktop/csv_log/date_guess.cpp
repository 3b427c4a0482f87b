#include "date_guess.h"

#include <algorithm>

namespace csv_log {

void DateGuess::see(std::string_view text) {
  const Shape shape = shape_of(text);
  if (count_ == 0) {
    begin(shape);
  }
  for (std::size_t i = 0; i < count_; ++i) {
    if (!(shape == shape_)) {
      readings_[i].can_be_date = readings_[i].can_be_utc = readings_[i].can_be_local = false;
    }
    readings_[i].see(text);
  }
}

// What stands after the first digits.
DateGuess::Shape DateGuess::shape_of(std::string_view text) {
  constexpr std::size_t kYearDigits = 4;
  const std::size_t digits = text.substr(0, kYearDigits + 1).find_first_not_of("0123456789");
  return digits == text.npos ? Shape() : Shape{text[digits], digits == kYearDigits};
}

void DateGuess::begin(Shape shape) {
  shape_ = shape;
  count_ = 1;
  if (shape.year_first) {
    return;
  }
  if (told_ != DateOrder::kUnknown || shape.separator == '.') {
    readings_[0].order = told_ != DateOrder::kUnknown ? told_ : DateOrder::kDay;
    return;
  }
  readings_[0].order = DateOrder::kDay;
  readings_[1].order = DateOrder::kMonth;
  count_ = readings_.size();
}

void DateGuess::Reading::see(std::string_view text) {
  can_be_date = can_be_date && parse_date(text, order).has_value();
  if (can_be_utc || can_be_local) {
    see_timestamp(text);
  }
}

void DateGuess::Reading::see_timestamp(std::string_view text) {
  const auto timestamp = parse_timestamp(text, order);
  can_be_utc = can_be_utc && timestamp && timestamp->has_zone;
  can_be_local = can_be_local && timestamp && !timestamp->has_zone;
  if (timestamp) {
    fits_nanos = fits_nanos && in_units(*timestamp, 1'000'000'000).has_value();
    needs_nanos = needs_nanos || timestamp->nanos % 1'000 != 0;
    can_be_utc = can_be_utc && (fits_nanos || !needs_nanos);
    can_be_local = can_be_local && (fits_nanos || !needs_nanos);
  }
}

bool DateGuess::any() const {
  return std::any_of(readings_.begin(), readings_.begin() + std::max<std::size_t>(count_, 1),
                     [](const Reading& reading) { return reading.any(); });
}

DateOrder DateGuess::order() const {
  if (count_ == 0) {
    return told_;
  }
  return any() && !is_ambiguous() ? reading().order : told_;
}

ColumnType DateGuess::type() const {
  const Reading& read = reading();
  ColumnType type;
  type.kind = read.can_be_date ? Kind::kDate : Kind::kTimestamp;
  type.zone = read.can_be_date ? Zone::kOfValues : read.can_be_utc ? Zone::kUtc : Zone::kLocal;
  type.unit = read.needs_nanos ? microparquet::TimeUnit::kNanos : microparquet::TimeUnit::kMicros;
  return type;
}

bool may_be_date(std::string_view text) {
  for (const DateOrder order : {DateOrder::kDay, DateOrder::kMonth}) {
    if (parse_date(text, order) || parse_timestamp(text, order)) {
      return true;
    }
  }
  return false;
}

bool needs_date_order(std::string_view text) {
  const bool year_first = parse_date(text, DateOrder::kUnknown) || parse_timestamp(text, DateOrder::kUnknown);
  return !year_first && may_be_date(text);
}

}  // namespace csv_log
