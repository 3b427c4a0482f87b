#include "microparquet/port/numbered_path.h"

namespace microparquet {

namespace {

bool is_letter_or_digit(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= 'a' && letter <= 'z');
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
  const std::string_view text = ending == PathEnding::kPqt ? ".PQT" : ".parquet";
  char* to = path_ + 1 + kStemBytes;
  for (const char letter : text) *to++ = letter;
  *to = 0;
  return true;
}

}  // namespace microparquet
