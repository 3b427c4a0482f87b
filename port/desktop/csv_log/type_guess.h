// The type of a column, from the values it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cell.h"
#include "column_type.h"
#include "date_guess.h"
#include "number_form.h"

namespace csv_log {

// A cell, and the line of the file its row begins on.
struct SeenCell {
  std::uint64_t line = 0;
  std::string text;
};

// What the command line says of how cells are written.
struct ToldForms {
  bool may_have_comma = false;  // a decimal one
  DateOrder dates = DateOrder::kUnknown;
  NumberForm numbers = {'\0', '\0'};  // '\0': not told
};

// What all of some values can be read as.
class Candidates {
 public:
  explicit Candidates(const ToldForms& told)
      : can_have_comma_(told.may_have_comma && told.numbers.thousands == '\0'),
        told_thousands_(told.numbers.thousands),
        forms_(told.numbers),
        dates_(told.dates) {}

  // A value, without the spaces around it.
  void see(std::string_view text);

  // Whether they can be anything but text.
  bool any() const;
  // The first of bool, int64, uint64, double, date, time and timestamp that they can be; else string. Times are in
  // microseconds, or in nanoseconds when they would lose digits otherwise.
  ColumnType type() const;
  bool are_integers() const { return can_be_int64_; }
  const DateGuess& dates() const { return dates_; }
  const NumberFormGuess& forms() const { return forms_; }
  // Whether they can be numbers of a form that forms() has.
  bool have_form() const { return can_have_form_; }
  // Whether they can be numbers, of which one has a decimal comma, unless that parts thousands, as in 1,500.
  bool have_comma() const { return can_have_comma_ && has_comma_; }
  // Whether they have a decimal comma, and no other can be meant.
  bool have_decimal_comma() const;
  // Whether they are plain numbers, unless commas are decimal ones: then their points may part thousands.
  bool have_doubtful_points() const { return can_be_double_ && !can_be_int64_ && forms_.point_may_part(); }

 private:
  void see_number(std::string_view text);
  void see_form(std::string_view text);
  void see_comma(std::string_view text);
  void see_time(std::string_view text);

  bool can_be_bool_ = true;
  bool can_be_int64_ = true;
  bool can_be_uint64_ = true;
  bool can_be_double_ = true;
  bool can_have_comma_;
  bool has_comma_ = false;
  bool comma_is_decimal_ = false;
  bool can_have_form_ = false;  // begun, and not ended
  char told_thousands_;
  NumberFormGuess forms_;
  bool can_be_date_ = true;  // or a timestamp
  DateGuess dates_;
  bool can_be_time_ = true;
  bool needs_nanos_ = false;  // as a time of day
};

// A cell that settles what its column is, and what to do where it is to be something else.
struct Reason {
  SeenCell cell;
  std::string what;    // what it shows, if it is not why the column is text
  std::string advice;  // the options that decide; empty: there are none
};

// One column, cell after cell.
class TypeGuess {
 public:
  // `rules` must stay. `told`: what --type says; cells that are not of it have no say in how it is written.
  TypeGuess(const CellRules& rules, const ToldForms& forms, const std::optional<ColumnType>& told)
      : rules_(rules), told_(told), told_forms_(forms), candidates_(forms), others_(forms) {}

  // A cell of the column, and the line its row begins on.
  void see(std::string_view text, std::uint64_t line);

  // What all values seen so far parse as; string when there were none. With it goes how cells are written.
  ColumnType type() const { return has_values_ ? candidates_.type() : ColumnType(); }
  // How the cells of a column of type `told` are written.
  ColumnType with_forms(ColumnType told) const;
  // The cell that made text of a column whose values before it, or right after it, are something else, or which can be
  // read in two ways. None: it is no text, or was text from the start.
  std::optional<Reason> text_because() const;
  // The cell that shows how dates or numbers are written, where others of the column do not.
  std::optional<Reason> read_by() const;

  bool has_nulls() const { return has_nulls_; }
  bool has_values() const { return has_values_; }
  // Whether the timestamps name a zone, all of them.
  bool has_zone() const { return has_values_ && candidates_.dates().have_zone(); }
  // Whether a number has a comma that must be a decimal one.
  bool has_decimal_comma() const { return candidates_.have_decimal_comma(); }
  // The first number with a comma, when the column has no type but by it, and only where commas are decimal ones. None:
  // there is no such.
  std::optional<Reason> needs_comma() const;
  // The first number whose point may part thousands, where commas are decimal ones, and nothing shows that it does not.
  std::optional<Reason> doubtful_point() const;
  // The first date, when they can be read in both orders.
  std::optional<Reason> ambiguous_date() const;
  // Bytes of the longest cell.
  std::size_t longest() const { return longest_; }

 private:
  bool is_of_told_type(std::string_view text) const;
  void see_value(std::string_view text, std::uint64_t line);
  void note_cells(std::string_view text, std::uint64_t line);

  const CellRules& rules_;
  std::optional<ColumnType> told_;
  ToldForms told_forms_;
  bool has_values_ = false;
  bool has_nulls_ = false;
  bool others_have_type_ = false;
  std::size_t longest_ = 0;
  Candidates candidates_;
  SeenCell first_;     // that candidates were asked about
  SeenCell comma_;     // the first number with one
  SeenCell point_;     // the first number whose point may part thousands
  SeenCell form_;      // the first number that is no plain one
  SeenCell parted_;    // the first number whose thousands are parted
  SeenCell order_;     // the first date that shows the order
  SeenCell culprit_;   // that left no candidates
  Candidates others_;  // of what comes after a culprit that is the first value
};

}  // namespace csv_log
