#include "message.h"

Message& Message::add(std::string_view text) {
  for (std::size_t i = 0; i < text.size() && size_ + 1 < sizeof text_; ++i) {
    text_[size_++] = text[i];
  }
  text_[size_] = '\0';
  return *this;
}

Message& Message::add(std::uint32_t number) {
  char digits[10];
  char* const end = digits + sizeof digits;
  char* first = end;
  do {
    *--first = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return add(std::string_view(first, static_cast<std::size_t>(end - first)));
}
