#include "microparquet/log_health.h"

#include <cstring>

namespace microparquet {

namespace {

// Writes a number over the digits from `begin` to `end`: nines, where it has more.
void put_digits(char* begin, char* end, std::uint32_t number) {
  for (char* at = end; at != begin; number /= 10) *--at = static_cast<char>('0' + number % 10);
  if (number == 0) return;
  for (; begin != end; ++begin) *begin = '9';
}

}  // namespace

void LogHealth::set_reset_reason(std::string_view reason) {
  for (std::size_t i = 0; i < kReasonBytes; ++i) text_[kReasonAt + i] = i < reason.size() ? reason[i] : ' ';
}

// Characters of the reason are there already; nothing else of the text ever changes but digits.
void LogHealth::put() {
  static_assert(template_bytes() == kReasonAt);
  static_assert(sizeof(HealthCounts) == 10 * sizeof(std::uint32_t), "numbers and nothing else");
  const auto* number = reinterpret_cast<const std::byte*>(&counts);
  char* at = text_;
  for (const char* from = kTemplate; *from != '\0'; ++from) {
    if (!is_number(*from)) {
      *at++ = *from;
      continue;
    }
    std::uint32_t count = 0;
    std::memcpy(&count, number, sizeof count);
    number += sizeof count;
    put_digits(at, at + *from, count);
    at += *from;
  }
  if (*at == '\0') set_reset_reason({});
}

}  // namespace microparquet
