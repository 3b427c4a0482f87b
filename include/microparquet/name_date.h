// Dates in the names of a log's files: the part _20270131T1012Z of 00000012_20270131T1012Z.parquet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/calendar.h"

namespace microparquet {

namespace detail {

// Form of a date in a name; '#' stands for a digit.
inline constexpr std::string_view kNameDate = "_########T####Z";

// A field of a date.
struct NameDateField {
  std::uint8_t at;      // of the text
  std::uint8_t digits;  // of the text
  std::uint8_t bits;    // of a number
};
// Fields of a date, from the last one on: minutes, hours, days, months, and years, which begin in 1970.
inline constexpr NameDateField kNameDateFields[] = {{12, 2, 6}, {10, 2, 5}, {7, 2, 5}, {5, 2, 4}, {1, 4, 9}};
inline constexpr std::uint32_t kFirstNameYear = 1970;

// What a name has beside its number, as LogFile::name: a date, and these bits below it.
inline constexpr std::uint32_t kNameIsPqt = 1;  // the short ending
inline constexpr std::uint32_t kNameIsDated = 2;
inline constexpr unsigned kNameDateAt = 2;  // first bit of the date

template <typename Char>
constexpr Char capital(Char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<Char>(letter - 'a' + 'A') : letter;
}

// Reads the date at `text` as a number. Returns false if a field does not fit: no clock shows such a date.
template <typename Char>
constexpr bool read_name_date(const Char* text, std::uint32_t& date) {
  unsigned bit = 0;
  date = 0;
  for (const NameDateField& field : kNameDateFields) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < field.digits; ++i)
      value = value * 10 + static_cast<std::uint32_t>(text[field.at + i] - '0');
    if (field.digits > 2) value -= kFirstNameYear;
    if (value >> field.bits != 0) return false;
    date |= value << bit;
    bit += field.bits;
  }
  return true;
}

// Writes what read_name_date() has read. Returns where it ends.
template <typename Char>
constexpr Char* put_name_date_number(Char* to, std::uint32_t date) {
  for (std::size_t i = 0; i < kNameDate.size(); ++i) to[i] = static_cast<Char>(kNameDate[i]);
  for (const NameDateField& field : kNameDateFields) {
    std::uint32_t value = date & ((1U << field.bits) - 1);
    date >>= field.bits;
    if (field.digits > 2) value += kFirstNameYear;
    for (unsigned i = field.digits; i-- > 0; value /= 10)
      to[field.at + i] = static_cast<Char>('0' + value % 10);
  }
  return to + kNameDate.size();
}

}  // namespace detail

// Letters of a date in a name.
inline constexpr std::size_t kNameDateLetters = detail::kNameDate.size();

// Writes a time in seconds since 1970, UTC, as it stands in names: from 1970 to 2481. `Char` is that of the file
// system's names. Returns where it ends; there is no zero after it.
template <typename Char>
constexpr Char* put_name_date(Char* to, std::int64_t unix_s) {
  constexpr std::int64_t kDay = 86'400;
  const detail::CalendarDay day = detail::day_of(unix_s / kDay);
  const auto minute = static_cast<std::uint32_t>(unix_s % kDay) / 60;
  const std::uint32_t values[] = {minute % 60, minute / 60, day.day, day.month,
                                  day.year - detail::kFirstNameYear};
  std::uint32_t date = 0;
  unsigned bit = 0;
  for (std::size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
    date |= values[i] << bit;
    bit += detail::kNameDateFields[i].bits;
  }
  return detail::put_name_date_number(to, date);
}

// Returns what follows a date in a name, or all of `text`, which ends in a zero, if it does not begin with one.
template <typename Char>
constexpr const Char* after_name_date(const Char* text) {
  for (std::size_t i = 0; i < detail::kNameDate.size(); ++i) {
    const char form = detail::kNameDate[i];
    const bool is_right =
        form == '#' ? text[i] >= '0' && text[i] <= '9' : detail::capital(text[i]) == static_cast<Char>(form);
    if (!is_right) return text;
  }
  return text + detail::kNameDate.size();
}

}  // namespace microparquet
