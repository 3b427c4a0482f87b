// The type of a column, from the values it holds.
#pragma once

#include <cstddef>
#include <string_view>

#include "column_type.h"

namespace csv_log {

// Tries bool, int64, double and timestamp in this order, and falls back to string. One column.
class TypeGuess {
 public:
  // A cell of the column.
  void see(std::string_view text);

  // What all values seen so far parse as; string when there were none. Timestamps are in microseconds, or in
  // nanoseconds when they would lose digits otherwise.
  ColumnType type() const;

  bool has_nulls() const { return has_nulls_; }
  // Whether the timestamps name a zone, all of them.
  bool has_zone() const { return has_values_ && can_be_utc_; }
  // Bytes of the longest cell.
  std::size_t longest() const { return longest_; }

 private:
  void see_value(std::string_view text);
  void see_timestamp(std::string_view text);

  bool has_values_ = false;
  bool has_nulls_ = false;
  std::size_t longest_ = 0;
  bool can_be_bool_ = true;
  bool can_be_integer_ = true;
  bool can_be_double_ = true;
  bool can_be_utc_ = true;
  bool can_be_local_ = true;
  bool fits_nanos_ = true;
  bool needs_nanos_ = false;
};

}  // namespace csv_log
