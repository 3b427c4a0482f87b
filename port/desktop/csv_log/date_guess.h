// Which dates or timestamps the cells of a column are, and in which order their days and months stand.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "column_type.h"
#include "timestamp.h"

namespace csv_log {

// 03/04/2024 is a day in March or in April: cells are read in both orders until one of them has a day above 12. With points
// the day comes first, unless the command line says otherwise: nobody writes 04.03.2024 the other way. All cells of a column have one
// form: where 2024-04-03 and 03/04/2024 meet, something has gone over them, and nobody knows what it took for the day.
class DateGuess {
 public:
  // `told`: the order that the command line says.
  explicit DateGuess(DateOrder told) : told_(told) {}

  // A value, without the spaces around it.
  void see(std::string_view text);

  // Whether all values can be dates, or timestamps, in some order.
  bool any() const;
  // Whether they can be so in both orders.
  bool is_ambiguous() const { return count_ == 2 && readings_[0].any() && readings_[1].any(); }
  // Whether a value has shown the order, which the form alone does not say.
  bool is_decided() const { return count_ == 2 && any() && !is_ambiguous(); }
  // kUnknown: the year comes first in all, or the order is not known.
  DateOrder order() const;
  // Whether they can be timestamps that name a zone, all of them.
  bool have_zone() const { return count_ != 0 && !is_ambiguous() && reading().can_be_utc; }
  // Requires: any(), and not is_ambiguous().
  ColumnType type() const;

 private:
  struct Shape {
    char separator = '\0';
    bool year_first = false;
    bool operator==(const Shape& other) const {
      return separator == other.separator && year_first == other.year_first;
    }
  };

  // The values in one order.
  struct Reading {
    DateOrder order = DateOrder::kUnknown;
    bool can_be_date = true;
    bool can_be_utc = true;
    bool can_be_local = true;
    bool fits_nanos = true;
    bool needs_nanos = false;

    bool any() const { return can_be_date || can_be_utc || can_be_local; }
    void see(std::string_view text);
    void see_timestamp(std::string_view text);
  };

  static Shape shape_of(std::string_view text);
  void begin(Shape shape);
  // The one that is left, or the first.
  const Reading& reading() const { return readings_[count_ == 2 && !readings_[0].any() ? 1 : 0]; }

  DateOrder told_;
  Shape shape_;
  std::array<Reading, 2> readings_ = {};
  std::size_t count_ = 0;  // readings of which values were seen
};

// Whether it is a date or timestamp in any order.
bool may_be_date(std::string_view text);
// Whether it is one whose year comes last.
bool needs_date_order(std::string_view text);

}  // namespace csv_log
