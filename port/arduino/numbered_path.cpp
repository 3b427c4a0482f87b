#include "microparquet/port/numbered_path.h"

namespace microparquet {

namespace {

constexpr std::string_view kLongEnding = ".parquet";
constexpr std::string_view kShortEnding = ".PQT";

bool is_letter_or_digit(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= 'a' && letter <= 'z');
}

char capital(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

// Writes the last `digits` digits of a number. Returns where they end.
char* put_digits(char* to, std::int64_t number, int digits) {
  for (int i = digits; i-- > 0; number /= 10) to[i] = static_cast<char>('0' + number % 10);
  return to + digits;
}

// Writes the day of the calendar, of days since 1970: years begin in March, and after 146,097 days all comes again.
char* put_day(char* to, std::int64_t days) {
  constexpr std::int64_t kDaysBefore1970 = 719'468;  // since 1 March of year 0
  constexpr std::int64_t kDaysOfEra = 146'097;
  const std::int64_t since = days + kDaysBefore1970;
  const std::int64_t of_era = since % kDaysOfEra;
  const std::int64_t year = (of_era - of_era / 1'460 + of_era / 36'524 - of_era / 146'096) / 365;
  const std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const std::int64_t from_march = (5 * of_year + 2) / 153;
  const std::int64_t month = from_march < 10 ? from_march + 3 : from_march - 9;
  to = put_digits(to, since / kDaysOfEra * 400 + year + (month <= 2 ? 1 : 0), 4);
  to = put_digits(to, month, 2);
  return put_digits(to, of_year - (153 * from_march + 2) / 5 + 1, 2);
}

constexpr std::string_view kDate = "_########T####Z";

// Returns what follows a date in a name, or all of it if there is none. '#' stands for a digit.
const char* after_date(const char* text) {
  for (std::size_t i = 0; i < kDate.size(); ++i) {
    const bool is_right = kDate[i] == '#' ? text[i] >= '0' && text[i] <= '9' : capital(text[i]) == kDate[i];
    if (!is_right) return text;
  }
  return text + kDate.size();
}

// Fields of a date, from the last one on: minutes, hours, days, months and years, which begin in 1970.
struct DateField {
  std::uint8_t at;      // of the date's text
  std::uint8_t digits;  // of the text
  std::uint8_t bits;    // of a form
};
constexpr DateField kDateFields[] = {{12, 2, 6}, {10, 2, 5}, {7, 2, 5}, {5, 2, 4}, {1, 4, 9}};
constexpr std::uint32_t kFirstYear = 1970;
// A form is a date, and these bits below it.
constexpr std::uint32_t kIsPqt = 1;
constexpr std::uint32_t kIsDated = 2;
constexpr unsigned kDateAt = 2;  // first bit of the date

// Returns whether a text continues with another one, in small or capital letters.
bool continues(const char* text, std::string_view with) {
  for (const char letter : with) {
    if (capital(*text++) != capital(letter)) return false;
  }
  return true;
}

}  // namespace

bool NumberedPath::begin(std::string_view name) {
  number_ = 0;
  path_[0] = 0;
  if (name.empty() || name.size() > kMaxNameBytes) return false;
  for (const char letter : name) {
    if (!is_letter_or_digit(letter)) return false;
  }
  name_bytes_ = name.size();
  for (std::size_t i = 0; i < name_bytes_; ++i) name_[i] = name[i];
  after_last_ = 1;
  for (std::size_t i = name_bytes_; i < kStemBytes; ++i) after_last_ *= 10;
  return true;
}

bool NumberedPath::set(std::uint32_t number, PathEnding ending) {
  if (number >= after_last_) return false;
  number_ = number;
  path_[0] = '/';
  for (std::size_t i = 0; i < name_bytes_; ++i) path_[1 + i] = name_[i];
  for (std::size_t i = kStemBytes; i > name_bytes_; --i, number /= 10)
    path_[i] = static_cast<char>('0' + number % 10);
  const std::string_view text = ending == PathEnding::kPqt ? kShortEnding : kLongEnding;
  char* to = path_ + 1 + kStemBytes;
  for (const char letter : text) *to++ = letter;
  *to = 0;
  return true;
}

void NumberedPath::add_date(std::int64_t unix_s) {
  constexpr std::int64_t kSecondsOfDay = 86'400;
  if (path_[1 + kStemBytes + 1] != kLongEnding[1]) return;
  const std::int64_t minutes = unix_s % kSecondsOfDay / 60;
  char* to = path_ + 1 + kStemBytes;
  *to++ = '_';
  to = put_day(to, unix_s / kSecondsOfDay);
  *to++ = 'T';
  to = put_digits(put_digits(to, minutes / 60, 2), minutes % 60, 2);
  *to++ = 'Z';
  for (const char letter : kLongEnding) *to++ = letter;
  *to = 0;
}

void NumberedPath::take_newer(const char* name) {
  const std::uint32_t number = number_of(name);
  if (number <= number_) return;
  for (const char* at = name; *at != 0; ++at) {
    if (*at == '/') name = at + 1;
  }
  number_ = number;
  char* to = path_;
  *to++ = '/';
  while (*name != 0) *to++ = *name++;  // number_of() knows no longer names
  *to = 0;
}

std::uint32_t NumberedPath::form_of(const char* name) const {
  for (const char* at = name; *at != 0; ++at) {
    if (*at == '/') name = at + 1;
  }
  const char* const date = name + kStemBytes;
  const char* const end = after_date(date);
  std::uint32_t form = capital(end[2]) == kShortEnding[2] ? kIsPqt : 0;
  if (end == date) return form;
  form |= kIsDated;
  unsigned bit = kDateAt;
  for (const DateField& field : kDateFields) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < field.digits; ++i)
      value = value * 10 + static_cast<std::uint32_t>(date[field.at + i] - '0');
    if (field.digits > 2) value -= kFirstYear;
    if (value >> field.bits != 0) return kNoForm;
    form |= value << bit;
    bit += field.bits;
  }
  return form;
}

bool NumberedPath::set_form(std::uint32_t number, std::uint32_t form) {
  const PathEnding ending = (form & kIsPqt) != 0 ? PathEnding::kPqt : PathEnding::kParquet;
  if (!set(number, ending)) return false;
  if ((form & kIsDated) == 0) return true;
  char* to = path_ + 1 + kStemBytes;
  for (const char letter : kDate) *to++ = letter;
  for (const char letter : ending == PathEnding::kPqt ? kShortEnding : kLongEnding) *to++ = letter;
  *to = 0;
  unsigned bit = kDateAt;
  for (const DateField& field : kDateFields) {
    const std::uint32_t value = form >> bit & ((1U << field.bits) - 1);
    put_digits(path_ + 1 + kStemBytes + field.at, field.digits > 2 ? value + kFirstYear : value,
               field.digits);
    bit += field.bits;
  }
  return true;
}

std::uint32_t NumberedPath::number_of(const char* name) const {
  for (const char* at = name; *at != 0; ++at) {
    if (*at == '/') name = at + 1;
  }
  if (!continues(name, {name_, name_bytes_})) return 0;
  std::uint32_t number = 0;
  for (std::size_t i = name_bytes_; i < kStemBytes; ++i) {
    if (name[i] < '0' || name[i] > '9') return 0;
    number = number * 10 + static_cast<std::uint32_t>(name[i] - '0');
  }
  const char* const end = after_date(name + kStemBytes);
  for (const std::string_view ending : {kLongEnding, kShortEnding}) {
    if (continues(end, ending) && end[ending.size()] == 0) return number;
  }
  return 0;
}

}  // namespace microparquet
