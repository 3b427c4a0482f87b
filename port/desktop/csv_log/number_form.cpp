#include "number_form.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "cell.h"

namespace csv_log {

namespace {

constexpr std::size_t kGroupDigits = 3;  // digits

constexpr std::array<NumberForm, 6> kForms = {
    {{',', '.'}, {'.', ','}, {' ', '.'}, {' ', ','}, {'\'', '.'}, {'\'', ','}}};

constexpr bool is_digit_of_number(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_at(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit_of_number);
  return static_cast<std::size_t>(end - text.begin());
}

// Bytes of what parts thousands at the beginning of `text`; 0: nothing does.
std::size_t separator_at(std::string_view text, char thousands) {
  constexpr std::array<std::string_view, 3> kSpaces = {"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"};
  if (thousands == '\0' || text.empty() || text.front() == thousands) {
    return thousands == '\0' || text.empty() ? 0 : 1;
  }
  for (const std::string_view space : kSpaces) {
    if (thousands == ' ' && text.substr(0, space.size()) == space) {
      return space.size();
    }
  }
  return 0;
}

// Takes the digits before the fraction to `number`. False: their thousands are parted in another way.
bool take_whole(std::string_view& text, char thousands, std::string& number, bool& parted) {
  const std::size_t first = digits_at(text);
  const bool zero_leads = first != 0 && text.front() == '0';
  number.append(text.substr(0, first));
  text.remove_prefix(first);
  for (std::size_t bytes = 0; (bytes = separator_at(text, thousands)) != 0;) {
    text.remove_prefix(bytes);
    if (first == 0 || first > kGroupDigits || zero_leads || digits_at(text) != kGroupDigits) {
      return false;
    }
    number.append(text.substr(0, kGroupDigits));
    text.remove_prefix(kGroupDigits);
    parted = true;
  }
  return true;
}

std::optional<std::string> plain_number(std::string_view text, NumberForm form, bool& parted) {
  std::string number;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    number.assign(1, text.front());
    text.remove_prefix(1);
  }
  if (!take_whole(text, form.thousands, number, parted)) {
    return std::nullopt;
  }
  if (!text.empty() && text.front() == form.decimal) {
    number.push_back('.');
    text.remove_prefix(1);
  }
  const bool ends = parted ? digits_at(text) == text.size() : text.find_first_of(".,") == text.npos;
  return ends ? std::optional(number.append(text)) : std::nullopt;
}

}  // namespace

std::optional<std::string> plain_number(std::string_view text, NumberForm form) {
  bool parted = false;
  return plain_number(text, form, parted);
}

bool may_part_thousands(std::string_view text, char separator) {
  bool parted = false;
  return plain_number(text, {separator, '\0'}, parted) && parted;
}

char possible_thousands(std::string_view text) {
  for (const NumberForm form : kForms) {
    bool parted = false;
    if (plain_number(text, form, parted) && parted) {
      return form.thousands;
    }
  }
  return '\0';
}

std::string thousands_option(char thousands) {
  return thousands == ',' || thousands == '.' ? std::string("--thousands ") + thousands
                                              : std::string("--thousands '") + thousands + "'";
}

void NumberFormGuess::note_point(std::string_view text) {
  const bool may_part = may_part_thousands(text, '.');
  point_may_part_ = point_may_part_ || may_part;
  point_is_decimal_ = !may_part;
}

bool NumberFormGuess::may_be(NumberForm form) const {
  return (told_.thousands == '\0' || told_.thousands == form.thousands) &&
         (told_.decimal == '\0' || told_.decimal == form.decimal);
}

void NumberFormGuess::begin(bool integers) {
  for (Reading& reading : readings_) {
    const bool point = reading.form.decimal == '.';
    const bool comma_and_parts = reading.form.thousands == '.' && !point_is_decimal_;
    const bool no_points = !point_is_decimal_ && !point_may_part_;
    reading.possible = may_be(reading.form) && (point || comma_and_parts || no_points);
    reading.proven = point && point_is_decimal_;
    reading.doubtful = point && point_may_part_;
    reading.parted = comma_and_parts && point_may_part_;
    reading.integers = integers;
  }
}

void NumberFormGuess::see(std::string_view text) {
  for (Reading& reading : readings_) {
    if (reading.possible) {
      see(reading, text);
    }
  }
}

void NumberFormGuess::see(Reading& reading, std::string_view text) {
  const auto [thousands, decimal] = reading.form;
  bool parted = false;
  const auto number = plain_number(text, reading.form, parted);
  reading.possible = number && parse_number<double>(*number).has_value();
  if (!reading.possible) {
    return;
  }
  reading.integers = reading.integers && parse_number<std::int64_t>(*number).has_value();
  const bool has_fraction = text.find(decimal) != text.npos;
  const bool doubtful = has_fraction && !parted && may_part_thousands(text, decimal);
  const bool two_commas = thousands == ',' && std::count(text.begin(), text.end(), ',') > 1;
  reading.parted = reading.parted || parted;
  reading.doubtful = reading.doubtful || doubtful;
  reading.proven = reading.proven || (has_fraction && !doubtful) || two_commas;
}

bool NumberFormGuess::any() const {
  return std::any_of(readings_.begin(), readings_.end(),
                     [](const Reading& reading) { return reading.possible; });
}

char NumberFormGuess::possible_thousands() const {
  const auto parted = std::find_if(readings_.begin(), readings_.end(),
                                   [](const Reading& reading) { return reading.possible && reading.parted; });
  return parted != readings_.end() ? parted->form.thousands : '\0';
}

bool NumberFormGuess::is_settled(const Reading& reading) const {
  const bool apostrophe = reading.form.thousands == '\'' && !reading.doubtful;
  const bool found = reading.parted && (reading.proven || apostrophe);
  return reading.possible && (found || told_.thousands != '\0');
}

const NumberFormGuess::Reading* NumberFormGuess::settled() const {
  const auto found = std::find_if(readings_.begin(), readings_.end(),
                                  [&](const Reading& reading) { return is_settled(reading); });
  return found != readings_.end() ? &*found : nullptr;
}

std::optional<NumberForm> NumberFormGuess::form() const {
  const Reading* const reading = settled();
  return reading != nullptr ? std::optional(reading->form) : std::nullopt;
}

bool NumberFormGuess::are_integers() const {
  const Reading* const reading = settled();
  return reading != nullptr && reading->integers;
}

}  // namespace csv_log
