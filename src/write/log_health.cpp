#include "microparquet/log_health.h"

namespace microparquet {

namespace {

constexpr std::uint32_t HealthCounts::* kFields[] = {
    &HealthCounts::append_ms,  &HealthCounts::append_at, &HealthCounts::tick_ms,    &HealthCounts::tick_at,
    &HealthCounts::queue_rows, &HealthCounts::errors,    &HealthCounts::reconnects, &HealthCounts::dropped,
    &HealthCounts::corrupted,  &HealthCounts::free_mb};

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
  char* at = text_;
  const char* from = kTemplate;
  for (const auto field : kFields) {
    while (*from != '0') *at++ = *from++;
    char* const begin = at;
    while (*from == '0') ++at, ++from;
    put_digits(begin, at, counts.*field);
  }
  while (at != text_ + kReasonAt) *at++ = *from++;
  if (*at == '\0') set_reset_reason({});
}

}  // namespace microparquet
