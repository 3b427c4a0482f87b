// The types a column can be given, and the numbers among them whose thousands are parted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "affixes.h"
#include "microparquet/reader.h"
#include "microparquet/schema.h"
#include "timestamp.h"

namespace csv_log {

// The form of a number. A space as `thousands` is any of the spaces that programs put there; '\0': neither is
// used.
struct NumberForm {
  char thousands = '\0';
  char decimal = '.';
};

// `text` without what parts its thousands, and with a point for fractions. None: it is not of that form: digits in threes,
// or no thousands at all, and at most one `decimal`.
std::optional<std::string> plain_number(std::string_view text, NumberForm form);

// Whether what stands in `text` once, a point or a comma, may part thousands: as in 1.234, and not in 0.234 or 1.23.
bool may_part_thousands(std::string_view text, char separator);

// The separator that would part the thousands of `text`; '\0' if it is then no number.
char possible_thousands(std::string_view text);

// The option that says so: "--thousands ,".
std::string thousands_option(char thousands);

// The form of a column's numbers, by what all of them have in common. A comma or point with three digits after it proves
// nothing; what does is a number that has both, or a fraction of other than three digits, two commas, or an apostrophe.
class NumberFormGuess {
 public:
  // `told` is the form on the command line; '\0': none.
  explicit NumberFormGuess(NumberForm told) : told_(told) {}

  // A number that needs no form. Cheap once a fraction has shown that the point is one.
  void see_plain(std::string_view text) {
    if (!point_is_decimal_ && text.find('.') != text.npos) {
      note_point(text);
    }
  }
  // Whether a fraction has shown that the point is one.
  bool point_is_known() const { return point_is_decimal_; }
  // The first that needs one, and all after it. `integers`: those before it were all integers.
  void begin(bool integers);
  void see(std::string_view text);

  // Whether a column of plain numbers may have thousands parted by points, where commas are decimal ones.
  bool point_may_part() const { return point_may_part_ && !point_is_decimal_; }
  // Whether all numbers may be of a form with thousands, proven or not.
  bool any() const;
  // The form that is proven, or told. None: there is no such.
  std::optional<NumberForm> form() const;
  // Whether in that form they are integers.
  bool are_integers() const;
  // The separator that would part thousands, were it proven; '\0': no thousands were seen.
  char possible_thousands() const;

 private:
  struct Reading {
    NumberForm form;
    bool possible = false;
    bool parted = false;    // a number had thousands
    bool proven = false;    // the numbers show which separator is which
    bool doubtful = false;  // a fraction could be thousands
    bool integers = true;
  };

  void note_point(std::string_view text);
  bool may_be(NumberForm form) const;
  static void see(Reading& reading, std::string_view text);
  bool is_settled(const Reading& reading) const;
  const Reading* settled() const;

  NumberForm told_;
  bool point_is_decimal_ = false;
  bool point_may_part_ = false;
  std::array<Reading, 6> readings_ = {
      {{{',', '.'}}, {{'.', ','}}, {{' ', '.'}}, {{' ', ','}}, {{'\'', '.'}}, {{'\'', ','}}}};
};

// The types a column of a CSV file can be given.
enum class Kind : std::uint8_t {
  kBool,
  kInteger,
  kFloat,
  kDouble,
  kDecimal,
  kString,
  kEnum,
  kJson,
  kBinary,
  kUuid,
  kDate,
  kTime,
  kTimestamp,
  kInt96,
};

// Whether timestamps are instants or what a clock on the wall showed.
enum class Zone : std::uint8_t {
  kOfValues,  // not told: UTC when the values name a zone, else local
  kUtc,
  kLocal,
};

struct ColumnType {
  Kind kind = Kind::kString;
  std::uint8_t bits = 64;      // kInteger
  bool is_signed = true;       // kInteger
  std::uint8_t precision = 0;  // kDecimal: digits in all, up to 18
  std::uint8_t scale = 0;      // kDecimal: digits after the point
  microparquet::TimeUnit unit = microparquet::TimeUnit::kMicros;
  Zone zone = Zone::kOfValues;  // kTimestamp
  // kTimestamp: cells are numbers counted from 1970, this many to a second; 0: they are dates and times.
  std::int64_t epoch_units = 0;
  DateOrder date_order = DateOrder::kUnknown;  // order in cells whose year comes last
  bool is_elapsed = false;                     // kDouble: cells are hours, minutes and seconds
  NumberForm number_form;                      // form of cells whose thousands are parted
  Affixes affixes;                             // what stands beside the number in cells
};

// The type as the file's schema has it, without the form of its cells.
ColumnType stored(ColumnType type);

bool is_number(const ColumnType& type);
// Whether its cells have a date.
bool has_date(const ColumnType& type);

// The type that --type calls `name`, as "int16", "decimal(9,2)" or "timestamp_ms_utc".
std::optional<ColumnType> parse_column_type(std::string_view name);

// The names that parse_column_type knows, for messages and help.
std::string column_type_names();

// The name of a type as parse_column_type takes it.
std::string to_string(const ColumnType& type);

// The column of that type in the file's schema. `name` must outlive it.
microparquet::Field field_of(std::string_view name, const ColumnType& type);

// The type whose column in a file's schema that is; none if it is of no such type.
std::optional<ColumnType> column_type_of(const microparquet::SchemaElement& element);

// Number of the type's units in a second.
std::int64_t units_per_second(microparquet::TimeUnit unit);

}  // namespace csv_log
