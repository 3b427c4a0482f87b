#include "boot_clocks.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "microparquet/facts.h"

namespace mpq_tool {

namespace {

// Takes a number off the text's begin.
template <typename Number>
std::optional<Number> take_number(std::string_view& text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take_character(std::string_view& text, char character) {
  const bool is_there = !text.empty() && text.front() == character;
  text.remove_prefix(is_there ? 1 : 0);
  return is_there;
}

// " 3600000=1767225600000".
std::optional<ClockAnchor> take_anchor(std::string_view& text) {
  const bool begins = take_character(text, ' ');
  const auto tick = take_number<std::int64_t>(text);
  const bool equals = take_character(text, '=');
  const auto utc_ms = take_number<std::int64_t>(text);
  return begins && tick && equals && utc_ms ? std::optional(ClockAnchor{*tick, *utc_ms}) : std::nullopt;
}

bool rise(const std::vector<ClockAnchor>& anchors) {
  for (std::size_t i = 1; i < anchors.size(); ++i) {
    if (anchors[i].tick <= anchors[i - 1].tick || anchors[i].utc_ms < anchors[i - 1].utc_ms) {
      return false;
    }
  }
  return true;
}

// "812 3600000=1767225600000 7200000=1767229200012", for a boot from `first_row` on.
std::optional<BootClock> clock_in(std::string_view text, std::uint64_t first_row) {
  BootClock boot;
  boot.first_row = first_row;
  const auto end_row = take_number<std::uint64_t>(text);
  if (!end_row || *end_row < first_row) {
    return std::nullopt;
  }
  boot.end_row = *end_row;
  while (!text.empty()) {
    const auto anchor = take_anchor(text);
    if (!anchor) {
      return std::nullopt;
    }
    boot.anchors.push_back(*anchor);
  }
  return boot.anchors.empty() || !rise(boot.anchors) ? std::nullopt : std::optional(std::move(boot));
}

constexpr std::string_view kPrefix = microparquet::facts::kClock;

std::optional<BootClock> clock_of(std::string_view key, std::string_view value) {
  if (key.substr(0, kPrefix.size()) != kPrefix) {
    return std::nullopt;
  }
  key.remove_prefix(kPrefix.size());
  const auto row = take_number<std::uint64_t>(key);
  return row && key.empty() ? clock_in(value, *row) : std::nullopt;
}

constexpr std::int64_t kMillisOfSecond = 1'000;

std::optional<std::int64_t> in_units(std::int64_t millis, std::int64_t units_per_second) {
  std::int64_t units = 0;
  if (units_per_second < kMillisOfSecond) {
    return millis / (kMillisOfSecond / units_per_second);
  }
  return __builtin_mul_overflow(millis, units_per_second / kMillisOfSecond, &units) ? std::nullopt
                                                                                    : std::optional(units);
}

std::optional<std::int64_t> sum_of(std::optional<std::int64_t> base, std::int64_t more) {
  std::int64_t sum = 0;
  return base && !__builtin_add_overflow(*base, more, &sum) ? std::optional(sum) : std::nullopt;
}

}  // namespace

std::optional<std::pair<std::string, std::string>> moved_clock(std::string_view key, std::string_view value,
                                                               std::uint64_t rows) {
  const auto boot = clock_of(key, value);
  if (!boot) {
    return std::nullopt;
  }
  constexpr std::size_t kRowDigits = 10;
  std::string first = std::to_string(boot->first_row + rows);
  first.insert(0, kRowDigits - std::min(kRowDigits, first.size()), '0');
  return std::pair(std::string(kPrefix) + first,
                   std::to_string(boot->end_row + rows) + std::string(value.substr(value.find(' '))));
}

void BootClocks::add(std::string_view key, std::string_view value) {
  auto boot = clock_of(key, value);
  if (!boot) {
    return;
  }
  const auto before =
      std::upper_bound(boots_.begin(), boots_.end(), boot->first_row,
                       [](std::uint64_t first, const BootClock& other) { return first < other.first_row; });
  boots_.insert(before, std::move(*boot));
}

std::optional<std::int64_t> BootClocks::instant(std::uint64_t row, std::int64_t tick,
                                                std::int64_t units_per_second) const {
  const auto next =
      std::upper_bound(boots_.begin(), boots_.end(), row,
                       [](std::uint64_t wanted, const BootClock& boot) { return wanted < boot.first_row; });
  if (next == boots_.begin() || row >= std::prev(next)->end_row) {
    return std::nullopt;
  }
  const std::vector<ClockAnchor>& anchors = std::prev(next)->anchors;
  const auto after =
      std::upper_bound(anchors.begin(), anchors.end(), tick,
                       [](std::int64_t wanted, const ClockAnchor& anchor) { return wanted < anchor.tick; });
  const ClockAnchor& from = after == anchors.begin() ? anchors.front() : *std::prev(after);
  std::int64_t ticks = 0;
  if (__builtin_sub_overflow(tick, from.tick, &ticks)) {
    return std::nullopt;
  }
  const auto base = in_units(from.utc_ms, units_per_second);
  if (after == anchors.begin() || after == anchors.end()) {
    return sum_of(base, ticks);
  }
  const auto end = in_units(after->utc_ms, units_per_second);
  if (!base || !end) {
    return std::nullopt;
  }
  const auto whole = static_cast<long double>(after->tick) - static_cast<long double>(from.tick);
  const long double part = static_cast<long double>(ticks) / whole * static_cast<long double>(*end - *base);
  return sum_of(base, std::llround(part));
}

}  // namespace mpq_tool
