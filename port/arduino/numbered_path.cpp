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
  for (const std::string_view ending : {kLongEnding, kShortEnding}) {
    if (continues(name + kStemBytes, ending) && name[kStemBytes + ending.size()] == 0) return number;
  }
  return 0;
}

}  // namespace microparquet
