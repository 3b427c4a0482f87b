#include "time_text.h"

#include <algorithm>
#include <string>

#include "calendar.h"

namespace mpq_tool {

namespace {

using microparquet::TimeUnit;

constexpr std::size_t kDateLength = 10;    // 2024-03-31
constexpr std::size_t kDigitsLength = 15;  // 20240331T123000
constexpr std::size_t kLongest = 48;

bool is_digit_char(char c) { return c >= '0' && c <= '9'; }

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && text.back() == ' ') {
    text.remove_suffix(1);
  }
  return text;
}

// "20240331T123000" with its separators.
void separate(std::string& text) {
  const auto digits = [&](std::size_t begin, std::size_t end) {
    return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(begin),
                       text.begin() + static_cast<std::ptrdiff_t>(end), is_digit_char);
  };
  if (text.size() < kDigitsLength || text[8] != 'T' || !digits(0, 8) || !digits(9, kDigitsLength)) {
    return;
  }
  for (const std::size_t place : {13U, 11U}) {
    text.insert(place, ":");
  }
  for (const std::size_t place : {6U, 4U}) {
    text.insert(place, "-");
  }
}

// As ISO 8601 has it, extended.
std::string in_iso(std::string_view given) {
  std::string text(given);
  separate(text);
  constexpr std::string_view kUtc = "UTC";
  if (text.size() > kUtc.size() && text.compare(text.size() - kUtc.size(), kUtc.size(), kUtc) == 0) {
    text.replace(text.size() - kUtc.size(), kUtc.size(), "Z");
  }
  if (text.size() >= kDateLength && text[4] == '/' && text[7] == '/') {
    text[4] = text[7] = '-';
  }
  std::replace(text.begin(), text.end(), ',', '.');
  const std::size_t space = text.rfind(' ');
  if (space != text.npos && space > kDateLength) {
    text.erase(space, 1);  // before the zone
  }
  return text;
}

}  // namespace

std::optional<TimeText> time_text_in(std::string_view text) {
  const std::string_view given = without_spaces(text);
  if (given.empty() || given.size() > kLongest || !is_digit_char(given.front())) {
    return std::nullopt;
  }
  const std::string iso = in_iso(given);
  if (const auto time = timestamp_value(iso, TimeUnit::kNanos)) {
    const TimeForm form = time->has_zone              ? TimeForm::kZoned
                          : iso.size() <= kDateLength ? TimeForm::kDate
                                                      : TimeForm::kLocal;
    return TimeText{form, time->units};
  }
  const auto clock = time_value(iso, TimeUnit::kNanos);
  return clock ? std::optional(TimeText{TimeForm::kTimeOfDay, clock->units}) : std::nullopt;
}

std::optional<TimeForm> form_of_both(TimeForm a, TimeForm b) {
  if (a == b || b == TimeForm::kNone) {
    return a;
  }
  if (a == TimeForm::kNone) {
    return b;
  }
  const auto is_local = [](TimeForm form) { return form == TimeForm::kDate || form == TimeForm::kLocal; };
  return is_local(a) && is_local(b) ? std::optional(TimeForm::kLocal) : std::nullopt;
}

}  // namespace mpq_tool
