// Numbers whose thousands are parted, as 1,234.5 or 1.234,5 or 1 234,5.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace csv_log {

// How a number is written. A space as `thousands` is any of the spaces that programs put there; none of the two: '\0'.
struct NumberForm {
  char thousands = '\0';
  char decimal = '.';
};

// `text` without what parts its thousands, and with a point for fractions. None: it is not of that form: digits in threes,
// or no thousands at all, and at most one `decimal`.
std::optional<std::string> plain_number(std::string_view text, NumberForm form);

// Whether what stands in `text` once, a point or a comma, may part thousands: as in 1.234, and not in 0.234 or 1.23.
bool may_part_thousands(std::string_view text, char separator);

// What parts the thousands of `text`, were they parted; '\0' if it is no number then.
char possible_thousands(std::string_view text);

// The option that says so: "--thousands ,".
std::string thousands_option(char thousands);

// The form of a column's numbers, by what all of them have in common. A comma or point with three digits after it proves
// nothing; what does is a number that has both, or a fraction of other than three digits, two commas, or an apostrophe.
class NumberFormGuess {
 public:
  // What the command line says; '\0': nothing.
  explicit NumberFormGuess(NumberForm told) : told_(told) {}

  // A number that needs no form. Cheap once a fraction has shown that the point is one.
  void see_plain(std::string_view text) {
    if (!point_is_decimal_ && text.find('.') != text.npos) {
      note_point(text);
    }
  }
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
  // What would part thousands, were it proven; '\0': no thousands were seen.
  char possible_thousands() const;

 private:
  struct Reading {
    NumberForm form;
    bool possible = false;
    bool parted = false;    // a number had thousands
    bool proven = false;    // what is the one and what the other
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

}  // namespace csv_log
