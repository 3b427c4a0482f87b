#include "cell_class.h"

#include <algorithm>
#include <string>

#include "cell.h"
#include "date_text.h"

namespace csv_log {

namespace {

bool may_begin_number(char c) {
  return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == ',' || c == 'n' || c == 'N' ||
         c == 'i' || c == 'I';
}

// Between spaces, in small letters.
constexpr std::string_view kUnits =
    " v mv uv µv kv volt volts a ma ua µa amp amps ampere w mw kw mwh kwh wh watt watts va var ohm ohms kohm "
    "f "
    "c k degc deg_c degf deg_f deg degree degrees celsius degreecelsius fahrenheit kelvin rad "
    "m mm cm km um µm nm in inch inches ft feet mi mile miles yd nmi ha m2 m3 mm2 l ml litre liter gal "
    "s sec secs second seconds ms msec us usec µs ns min mins minute minutes h hr hrs hour hours d day days "
    "hz khz mhz ghz rpm pa hpa kpa mpa bar mbar psi psia psig atm mmhg inhg torr n kn nm lbf kg g mg ug µg "
    "lb lbs t "
    "ppm ppb ppt percent pct ph ntu fnu psu lux lx lm cd db dba dbm mph kph kmh kn kts knots g's counts "
    "count cnt adc "
    "bit bits raw byte bytes kb mb gb dmm utc mps bpm unitless none j kj cal lpm cfm sccm microsiemens "
    "usiemens us_cm "
    "deg_lat deg_lon dimensionless sek sekunden minuten stunden std grad prozent seconde secondes heures "
    "segundos horas grados ";
constexpr std::string_view kKinds =
    " avg min max smp tot std wvc med mean average minimum maximum sample total sum median stdev stddev inst "
    "ts rn "
    "string text str varchar char long int integer int16 int32 int64 uint8 uint16 uint32 uint64 float "
    "float32 float64 "
    "double number numeric bool boolean date time datetime timestamp object real unsignedlong "
    "datetime:rfc3339 datetime:rfc3339nano #datatype #group #default ";

std::string lower(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 0x20 : c); });
  return small;
}

bool is_in(std::string_view list, std::string_view text) {
  return text.find(' ') == text.npos && list.find(" " + lower(text) + " ") != list.npos;
}

// "5s", "15s", "20d": the widths and kinds under the names of an RDB file.
bool is_format(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return digits != 0 && digits + 1 == text.size() && std::string_view("sdnf").find(text.back()) != text.npos;
}

bool has_marks_of_unit(std::string_view text) {
  constexpr std::size_t kLongest = 14;
  if (text.size() > kLongest) {
    return false;
  }
  return text == "%" || text.find("°") != text.npos || text.find("²") != text.npos ||
         text.find("³") != text.npos || text.find("µ") != text.npos || text.find("Ω") != text.npos ||
         text.find('^') != text.npos ||
         (text.size() >= 3 && text.find('/') != text.npos && text.find(' ') == text.npos) ||
         lower(text).rfind("deg ", 0) == 0 || text == "% RH" || text == "%RH";
}

}  // namespace

bool is_form_of_date(std::string_view text) {
  const std::string small = lower(text);
  return small.size() >= 4 && small.find_first_not_of("ymdhs:-/. tzf") == small.npos &&
         small.find_first_of(":-/.") != small.npos;
}

CellClass class_of(std::string_view text) {
  text = trimmed(text);
  if (is_null(text, CellRules())) {
    return CellClass::kNothing;
  }
  if (may_begin_number(text.front()) && may_be_number(text)) {
    return CellClass::kNumber;
  }
  if (parse_bool_word(text)) {
    return CellClass::kBool;
  }
  return read_date_text(text) || read_time_text(text) || read_elapsed_text(text) ? CellClass::kTime
                                                                                 : CellClass::kText;
}

std::string_view without_brackets(std::string_view text) {
  const bool in = text.size() > 2 && ((text.front() == '[' && text.back() == ']') ||
                                      (text.front() == '(' && text.back() == ')'));
  return in ? trimmed(text.substr(1, text.size() - 2)) : text;
}

bool is_unit(std::string_view text) {
  text = without_brackets(trimmed(text));
  const bool digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
  return !digit && (is_in(kUnits, text) || has_marks_of_unit(text));
}

bool is_unit_like(std::string_view text) {
  text = trimmed(text);
  const bool dashes = !text.empty() && text.find_first_not_of("-=_") == text.npos;
  return is_unit(text) || is_in(kKinds, without_brackets(text)) || is_format(text) || is_form_of_date(text) ||
         dashes || (text.size() > 2 && text.front() == '[' && text.back() == ']');
}

}  // namespace csv_log
