#include "microparquet/port/numbered_path.h"

#include "microparquet/name_date.h"

namespace microparquet {

namespace {

constexpr std::string_view kLongEnding = ".parquet";
constexpr std::string_view kShortEnding = ".PQT";

bool is_letter_or_digit(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= 'a' && letter <= 'z');
}

// Returns whether a text continues with another one, in small or capital letters.
bool continues(const char* text, std::string_view with) {
  for (const char letter : with) {
    if (detail::capital(*text++) != detail::capital(letter)) return false;
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
  if (path_[1 + kStemBytes + 1] != kLongEnding[1]) return;
  char* to = put_name_date(path_ + 1 + kStemBytes, unix_s);
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
  const char* const end = after_name_date(date);
  const std::uint32_t form = detail::capital(end[2]) == kShortEnding[2] ? detail::kNameIsPqt : 0;
  if (end == date) return form;
  std::uint32_t number = 0;
  if (!detail::read_name_date(date, number)) return kNoForm;
  return number << detail::kNameDateAt | detail::kNameIsDated | form;
}

bool NumberedPath::set_form(std::uint32_t number, std::uint32_t form) {
  const PathEnding ending = (form & detail::kNameIsPqt) != 0 ? PathEnding::kPqt : PathEnding::kParquet;
  if (!set(number, ending)) return false;
  if ((form & detail::kNameIsDated) == 0) return true;
  char* to = detail::put_name_date_number(path_ + 1 + kStemBytes, form >> detail::kNameDateAt);
  for (const char letter : ending == PathEnding::kPqt ? kShortEnding : kLongEnding) *to++ = letter;
  *to = 0;
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
  const char* const end = after_name_date(name + kStemBytes);
  for (const std::string_view ending : {kLongEnding, kShortEnding}) {
    if (continues(end, ending) && end[ending.size()] == 0) return number;
  }
  return 0;
}

}  // namespace microparquet
