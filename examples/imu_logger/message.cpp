#include "message.h"

#include "microparquet/port/decimal.h"

Message& Message::add(std::string_view text) {
  for (std::size_t i = 0; i < text.size() && size_ + 1 < sizeof text_; ++i) {
    text_[size_++] = text[i];
  }
  text_[size_] = '\0';
  return *this;
}

Message& Message::add(std::uint32_t number) { return add(microparquet::semihosting::Decimal(number).text()); }
