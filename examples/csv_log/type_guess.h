// The type of a column, from the values it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cell.h"
#include "column_type.h"

namespace csv_log {

// A cell, and the line of the file its row begins on.
struct SeenCell {
  std::uint64_t line = 0;
  std::string text;
};

// What all of some values can be read as.
class Candidates {
 public:
  // `comma`: numbers may have a decimal one.
  explicit Candidates(bool comma) : can_have_comma_(comma) {}

  // A value, without the spaces around it.
  void see(std::string_view text);

  // Whether they can be anything but text.
  bool any() const;
  // The first of bool, int64, uint64, double, date, time and timestamp that they can be; else string. Times are in
  // microseconds, or in nanoseconds when they would lose digits otherwise.
  ColumnType type() const;
  // Whether they can be timestamps that name a zone, all of them.
  bool have_zone() const { return can_be_utc_; }
  // Whether they can be numbers, of which one has a decimal comma, unless that parts thousands, as in 1,500.
  bool have_comma() const { return can_have_comma_ && has_comma_; }
  // Whether they have a decimal comma, and no other can be meant.
  bool have_decimal_comma() const { return can_have_comma_ && comma_is_decimal_; }

 private:
  void see_number(std::string_view text);
  void see_comma(std::string_view text);
  void see_date_or_time(std::string_view text);
  void see_timestamp(std::string_view text);

  bool can_be_bool_ = true;
  bool can_be_int64_ = true;
  bool can_be_uint64_ = true;
  bool can_be_double_ = true;
  bool can_have_comma_;
  bool has_comma_ = false;
  bool comma_is_decimal_ = false;
  bool can_be_date_ = true;
  bool can_be_time_ = true;
  bool can_be_utc_ = true;
  bool can_be_local_ = true;
  bool fits_nanos_ = true;
  bool needs_nanos_ = false;
};

// One column, cell after cell.
class TypeGuess {
 public:
  // `rules` must stay; `comma`: numbers may have a decimal one.
  TypeGuess(const CellRules& rules, bool comma) : rules_(rules), candidates_(comma), others_(comma) {}

  // A cell of the column, and the line its row begins on.
  void see(std::string_view text, std::uint64_t line);

  // What all values seen so far parse as; string when there were none.
  ColumnType type() const { return has_values_ ? candidates_.type() : ColumnType(); }
  // The cell that made text of a column whose values before it, or right after it, are something else. None: it is
  // no text, or was text from the start.
  std::optional<SeenCell> text_because() const;

  bool has_nulls() const { return has_nulls_; }
  bool has_values() const { return has_values_; }
  // Whether the timestamps name a zone, all of them.
  bool has_zone() const { return has_values_ && candidates_.have_zone(); }
  // Whether a number has a comma that must be a decimal one.
  bool has_decimal_comma() const { return candidates_.have_decimal_comma(); }
  // The first number with a comma, when the column has no type but by it. None: there is no such.
  std::optional<SeenCell> needs_comma() const;
  // Bytes of the longest cell.
  std::size_t longest() const { return longest_; }

 private:
  void see_value(std::string_view text, std::uint64_t line);

  const CellRules& rules_;
  bool has_values_ = false;
  bool has_nulls_ = false;
  bool others_have_type_ = false;
  std::size_t longest_ = 0;
  Candidates candidates_;
  SeenCell comma_;     // the first number with one
  SeenCell culprit_;   // that left no candidates
  Candidates others_;  // of what comes after a culprit that is the first value
};

}  // namespace csv_log
