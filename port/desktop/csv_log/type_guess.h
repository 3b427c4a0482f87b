// The type of a column, from the values it holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cell.h"
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
  DateForm form() const { return form_; }
  // Whether they can be timestamps that name a zone, all of them.
  bool have_zone() const { return count_ != 0 && !is_ambiguous() && reading().can_be_utc; }
  // Requires: any(), and not is_ambiguous().
  ColumnType type() const;

 private:
  // The values in one order.
  struct Reading {
    DateOrder order = DateOrder::kUnknown;
    bool can_be_date = true;
    bool can_be_utc = true;
    bool can_be_local = true;
    bool fits_nanos = true;
    bool needs_nanos = false;

    bool any() const { return can_be_date || can_be_utc || can_be_local; }
    void see(const DateText& date);
    void see_timestamp(const DateText& date);
  };

  void begin(DateForm form);
  // The one that is left, or the first.
  const Reading& reading() const { return readings_[count_ == 2 && !readings_[0].any() ? 1 : 0]; }

  DateOrder told_;
  DateForm form_;
  std::array<Reading, 2> readings_ = {};
  std::size_t count_ = 0;  // readings of which values were seen
};

// Whether it is a date or timestamp in any order.
bool may_be_date(std::string_view text);
// Whether it is one whose year comes last.
bool needs_date_order(std::string_view text);

// A cell, and the line of the file its row begins on.
struct SeenCell {
  std::uint64_t line = 0;
  std::string text;
};

// The forms of cells that the command line gives.
struct ToldForms {
  bool may_have_comma = false;  // a decimal one
  DateOrder dates = DateOrder::kUnknown;
  NumberForm numbers = {'\0', '\0'};  // '\0': not told
  bool cell_units = false;            // numbers may have a label or a unit beside them
};

// The types that all of some values can be read as.
class Candidates {
 public:
  explicit Candidates(const ToldForms& told)
      : can_have_comma_(told.may_have_comma && told.numbers.thousands == '\0'),
        told_thousands_(told.numbers.thousands),
        forms_(told.numbers),
        dates_(told.dates) {}

  // A value, without the spaces around it.
  void see(std::string_view text);
  // Whether they are numbers, of which `text` is another that tells nothing new: there is no need to see it.
  bool knows(std::string_view text) const;

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
  bool can_be_date_ = true;  // a date or a timestamp
  DateGuess dates_;
  bool can_be_time_ = true;
  bool needs_nanos_ = false;  // a time of day needs nanoseconds
  bool can_be_elapsed_ = true;
};

// A cell that settles what its column is, and what to do where it is to be something else.
struct Reason {
  SeenCell cell;
  std::string what;    // the finding, if it is not the reason why the column is text
  std::string advice;  // the options that decide; empty: there are none
};

// A text among other values.
struct Word {
  SeenCell first;
  std::uint64_t count = 0;
};

// One column, cell after cell.
class TypeGuess {
 public:
  // `rules` must stay. `told`: what --type says; cells that are not of it have no say in how it is written.
  TypeGuess(const CellRules& rules, const ToldForms& forms, const std::optional<ColumnType>& told)
      : rules_(rules), told_(told), told_forms_(forms), candidates_(forms) {}

  // A cell of the column, and the line its row begins on.
  void see(std::string_view text, std::uint64_t line);

  // The type that all values seen so far parse as, with the form of the cells; string when there were none, and double where all
  // of them were nan.
  ColumnType type() const;
  // The type `told` with the form of the column's cells.
  ColumnType with_forms(ColumnType told) const;
  // The cell that made text of a column whose other values are something else, or have digits, or which can be read in two ways.
  std::optional<Reason> text_because() const;
  // The cell that shows how dates or numbers are written, where others of the column do not.
  std::optional<Reason> read_by() const;
  // The few words that make text of a column which would have a type without them.
  std::vector<Word> words() const { return has_few_words() ? words_ : std::vector<Word>(); }
  // The type it would have.
  ColumnType type_without_words() const { return candidates_.type(); }

  bool has_nulls() const { return has_nulls_ || (has_nans_ && !keeps_nans(type())); }
  bool has_values() const { return has_values_ || has_nans_; }
  // Whether the timestamps name a zone, all of them.
  bool has_zone() const { return has_values_ && candidates_.dates().have_zone(); }
  // Whether a number has a comma that must be a decimal one.
  bool has_decimal_comma() const { return candidates_.have_decimal_comma(); }
  // Whether a whole number is beyond those that a double tells apart.
  bool is_beyond_doubles() const { return beyond_doubles_; }
  // The form of its dates.
  DateForm date_form() const { return candidates_.dates().form(); }
  // Whether a further value can give it another type than the one it has, and be one of that type as well.
  bool is_open() const;
  // The first number with a comma, when the column has no type but by it, and only where commas are decimal ones. None:
  // there is no such.
  std::optional<Reason> needs_comma() const;
  // The first number whose point may part thousands, where commas are decimal ones, and nothing shows that it does not.
  std::optional<Reason> doubtful_point() const;
  // The first date, when they can be read in both orders.
  std::optional<Reason> ambiguous_date() const;
  // What may part thousands, where nothing shows it; '\0': nothing does.
  char undecided_thousands() const;
  // What stands beside all numbers of a column that is text, or has numbers by --cell-units; none: there is no such.
  std::optional<Affixes> affixes() const;
  // Bytes of the longest cell.
  std::size_t longest() const { return longest_; }

 private:
  bool is_of_told_type(std::string_view text) const;
  std::string_view without_affixes(std::string_view text);
  void see_value(std::string_view text, std::uint64_t line);
  void see_stranger(std::string_view text, std::uint64_t line, const Candidates& before);
  void note_cells(std::string_view text, std::uint64_t line);
  bool has_few_words() const;
  static bool keeps_nans(const ColumnType& type) {
    return type.kind == Kind::kDouble || type.kind == Kind::kFloat;
  }

  const CellRules& rules_;
  std::optional<ColumnType> told_;
  ToldForms told_forms_;
  bool has_values_ = false;
  bool has_nulls_ = false;
  bool has_nans_ = false;
  bool is_text_ = false;  // whatever comes
  bool beyond_doubles_ = false;
  std::optional<Affixes> affixes_;  // of the first cell
  bool share_affixes_ = true;       // all cells have those
  std::size_t longest_ = 0;
  std::uint64_t typed_ = 0;        // values that candidates were asked about
  std::uint64_t in_words_ = 0;     // values that are words
  std::uint64_t with_digits_ = 0;  // of these, and after the column became text
  std::uint64_t values_ = 0;       // values until the column became text
  Candidates candidates_;
  std::vector<Word> words_;
  SeenCell first_;    // cell that candidates were asked about
  SeenCell comma_;    // the first number with one
  SeenCell point_;    // the first number whose point may part thousands
  SeenCell form_;     // the first number that is no plain one
  SeenCell parted_;   // the first number whose thousands are parted
  SeenCell order_;    // the first date that shows the order
  SeenCell culprit_;  // cell that made text of the column
};

}  // namespace csv_log
