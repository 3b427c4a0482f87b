#include "microparquet/text/time_name.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace microparquet::text {

namespace {

using Text = std::string_view;

struct UnitWord {
  Text word;
  ClockUnit unit;
};
constexpr std::array<UnitWord, 53> kUnits = {{{"ns", ClockUnit::kNanos},
                                              {"nsec", ClockUnit::kNanos},
                                              {"nsecs", ClockUnit::kNanos},
                                              {"nano", ClockUnit::kNanos},
                                              {"nanos", ClockUnit::kNanos},
                                              {"nanosec", ClockUnit::kNanos},
                                              {"nanosecs", ClockUnit::kNanos},
                                              {"nanosecond", ClockUnit::kNanos},
                                              {"nanoseconds", ClockUnit::kNanos},
                                              {"us", ClockUnit::kMicros},
                                              {"usec", ClockUnit::kMicros},
                                              {"usecs", ClockUnit::kMicros},
                                              {"micro", ClockUnit::kMicros},
                                              {"micros", ClockUnit::kMicros},
                                              {"microsec", ClockUnit::kMicros},
                                              {"microsecs", ClockUnit::kMicros},
                                              {"microsecond", ClockUnit::kMicros},
                                              {"microseconds", ClockUnit::kMicros},
                                              {"ms", ClockUnit::kMillis},
                                              {"msec", ClockUnit::kMillis},
                                              {"msecs", ClockUnit::kMillis},
                                              {"milli", ClockUnit::kMillis},
                                              {"millis", ClockUnit::kMillis},
                                              {"millisec", ClockUnit::kMillis},
                                              {"millisecs", ClockUnit::kMillis},
                                              {"millisecond", ClockUnit::kMillis},
                                              {"milliseconds", ClockUnit::kMillis},
                                              {"millisekunden", ClockUnit::kMillis},
                                              {"s", ClockUnit::kSeconds},
                                              {"sec", ClockUnit::kSeconds},
                                              {"secs", ClockUnit::kSeconds},
                                              {"sek", ClockUnit::kSeconds},
                                              {"second", ClockUnit::kSeconds},
                                              {"seconds", ClockUnit::kSeconds},
                                              {"sekunden", ClockUnit::kSeconds},
                                              {"segundos", ClockUnit::kSeconds},
                                              {"secondes", ClockUnit::kSeconds},
                                              {"min", ClockUnit::kMinutes},
                                              {"mins", ClockUnit::kMinutes},
                                              {"minute", ClockUnit::kMinutes},
                                              {"minutes", ClockUnit::kMinutes},
                                              {"minuten", ClockUnit::kMinutes},
                                              {"h", ClockUnit::kHours},
                                              {"hr", ClockUnit::kHours},
                                              {"hrs", ClockUnit::kHours},
                                              {"hour", ClockUnit::kHours},
                                              {"hours", ClockUnit::kHours},
                                              {"stunden", ClockUnit::kHours},
                                              {"d", ClockUnit::kDays},
                                              {"day", ClockUnit::kDays},
                                              {"days", ClockUnit::kDays},
                                              {"excel", ClockUnit::kExcel},
                                              {"excel1904", ClockUnit::kExcel1904}}};

// The words of which one makes a name one of times.
constexpr std::array<Text, 34> kTimes = {
    "time",      "times", "timestamp",   "timestamps", "tmstamp", "stamp",    "datetime",
    "t",         "ts",    "clock",       "epoch",      "unix",    "unixtime", "posix",
    "posixtime", "utc",   "gmt",         "uptime",     "runtime", "elapsed",  "walltime",
    "systime",   "zeit",  "zeitstempel", "uhrzeit",    "tiempo",  "temps",    "tempo",
    "hora",      "heure", "tid",         "zeitpunkt",  "hhmm",    "hhmmss"};

// Words that may stand beside these.
constexpr std::array<Text, 43> kBeside = {
    "date",     "day",      "datum",   "fecha",    "rtc", "gps",      "gnss",   "log",    "logger",
    "logged",   "local",    "loc",     "system",   "sys", "device",   "dev",    "host",   "boot",
    "since",    "from",     "start",   "of",       "in",  "the",      "and",    "at",     "recorded",
    "received", "relative", "rel",     "absolute", "abs", "run",      "total",  "record", "header",
    "tv",       "msg",      "message", "field",    "ymd", "yyyymmdd", "yyyyddd"};

constexpr std::array<Text, 9> kFromStart = {"elapsed", "uptime",   "runtime", "boot", "since",
                                            "start",   "relative", "rel",     "run"};

// Words of which one makes a name one of dates.
constexpr std::array<Text, 7> kDays = {"date", "datum", "fecha", "datetime", "ymd", "yyyymmdd", "yyyyddd"};

// Words for dates and times of day, of which two columns of one time have one each.
constexpr std::array<Text, 14> kDates = {"date", "datum", "fecha", "day", "time",  "zeit",   "uhrzeit",
                                         "hora", "heure", "clock", "tid", "stamp", "tiempo", "temps"};

struct PartWord {
  Text word;
  TimePart part;
};
constexpr std::array<PartWord, 28> kParts = {{{"year", TimePart::kYear},
                                              {"yr", TimePart::kYear},
                                              {"yyyy", TimePart::kYear},
                                              {"yy", TimePart::kYear},
                                              {"jahr", TimePart::kYear},
                                              {"month", TimePart::kMonth},
                                              {"mon", TimePart::kMonth},
                                              {"mo", TimePart::kMonth},
                                              {"monat", TimePart::kMonth},
                                              {"day", TimePart::kDay},
                                              {"dd", TimePart::kDay},
                                              {"dy", TimePart::kDay},
                                              {"tag", TimePart::kDay},
                                              {"hour", TimePart::kHour},
                                              {"hours", TimePart::kHour},
                                              {"hr", TimePart::kHour},
                                              {"hh", TimePart::kHour},
                                              {"stunde", TimePart::kHour},
                                              {"minute", TimePart::kMinute},
                                              {"minutes", TimePart::kMinute},
                                              {"min", TimePart::kMinute},
                                              {"mins", TimePart::kMinute},
                                              {"mn", TimePart::kMinute},
                                              {"ss", TimePart::kSecond},
                                              {"sekunde", TimePart::kSecond},
                                              {"doy", TimePart::kDayOfYear},
                                              {"hhmm", TimePart::kClockMinutes},
                                              {"hhmmss", TimePart::kClockSeconds}}};

template <std::size_t kCount>
bool has(const std::array<Text, kCount>& words, Text word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Word {
  std::string text;  // in small letters
  bool in_brackets = false;
};

// The words of a name, which capitals, too, part: "rtcTime", "TimeUS", "UTCDateTime". The micro sign is a u.
std::vector<Word> words_of(Text name) {
  std::vector<Word> words;
  bool begins = true;
  bool in_brackets = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    const Text pair = name.substr(i, 2);
    if (pair == "\xC2\xB5" || pair == "\xCE\xBC") {
      c = 'u';
      ++i;
    }
    in_brackets = (in_brackets || c == '(' || c == '[') && c != ')' && c != ']';
    if (!is_letter(c) && !is_digit(c)) {
      begins = true;
      continue;
    }
    const char before = i == 0 ? ' ' : name[i - 1];
    const char after = i + 1 < name.size() ? name[i + 1] : ' ';
    const bool after_small = is_capital(c) && is_letter(before) && !is_capital(before);
    const bool before_small = is_capital(c) && is_capital(before) && is_letter(after) && !is_capital(after);
    if (begins || after_small || before_small || is_digit(c) != is_digit(before)) {
      words.push_back({"", in_brackets});
    }
    begins = false;
    words.back().text += is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return words;
}

bool is_number(const Word& word) { return is_digit(word.text.front()); }

// In a name these may as well be a smallest value, a letter or a date's part.
bool is_unit_in_brackets_only(Text word) {
  return word == "min" || word == "h" || word == "d" || word == "day" || word == "hour" || word == "minute";
}

TimePart part_of(Text word, const std::optional<ClockUnit>& unit) {
  for (const PartWord& part : kParts) {
    if (part.word == word) {
      return part.part;
    }
  }
  switch (unit.value_or(ClockUnit::kDays)) {
    case ClockUnit::kNanos: return TimePart::kNanos;
    case ClockUnit::kMicros: return TimePart::kMicros;
    case ClockUnit::kMillis: return TimePart::kMillis;
    case ClockUnit::kSeconds: return TimePart::kSecond;
    default: return TimePart::kNone;
  }
}

std::optional<ClockUnit> unit_of_word(Text word) {
  for (const UnitWord& known : kUnits) {
    if (known.word == word) {
      return known.unit;
    }
  }
  return std::nullopt;
}

// "MM" is a month beside days, "mm" a minute beside hours; numbered where it comes again, as in files of buoys.
TimePart part_by_case(Text name) {
  return name == "MM"                     ? TimePart::kMonth
         : name == "mm" || name == "MM_2" ? TimePart::kMinute
                                          : TimePart::kNone;
}

// Names of several words that have one part.
TimePart part_of_words(const std::vector<Word>& words) {
  std::string all;
  for (const Word& word : words) {
    all += word.text;
  }
  constexpr std::array<Text, 5> kDaysOfYear = {"dayofyear", "julianday", "jday", "yday", "yearday"};
  return has(kDaysOfYear, all) ? TimePart::kDayOfYear
         : all == "hourminute" ? TimePart::kClockMinutes
                               : TimePart::kNone;
}

// "T" is a temperature; "t", "t_ms" and "T (s)" are times.
bool is_a_letter_alone(Text name) { return name == "T"; }

}  // namespace

std::optional<ClockUnit> clock_unit(std::string_view word) {
  const std::vector<Word> words = words_of(word);
  if (words.size() == 1) {
    return unit_of_word(words.front().text);
  }
  // "Ms" parts nothing, "mS" and "uS" do.
  return words.size() == 2 ? unit_of_word(words[0].text + words[1].text) : std::nullopt;
}

const char* unit_name(ClockUnit unit) {
  switch (unit) {
    case ClockUnit::kNanos: return "ns";
    case ClockUnit::kMicros: return "us";
    case ClockUnit::kMillis: return "ms";
    case ClockUnit::kSeconds: return "s";
    case ClockUnit::kMinutes: return "min";
    case ClockUnit::kHours: return "h";
    case ClockUnit::kDays: return "d";
    case ClockUnit::kExcel: return "excel";
    case ClockUnit::kExcel1904: return "excel1904";
  }
  return "";
}

TimeName time_name(std::string_view name) {
  TimeName result;
  bool only_times = true;
  bool has_time = false;
  bool has_day = false;
  std::size_t parts = 0;
  const std::vector<Word> words = words_of(name);
  for (const Word& word : words) {
    std::optional<ClockUnit> unit = unit_of_word(word.text);
    unit = unit == ClockUnit::kExcel && words.back().text == "1904" ? ClockUnit::kExcel1904 : unit;
    const bool says_unit = unit && (word.in_brackets || !is_unit_in_brackets_only(word.text));
    const bool is_time = has(kTimes, word.text);
    if (says_unit) {
      result.unit = unit;
    }
    const TimePart part = part_of(word.text, unit);
    if (part != TimePart::kNone) {
      result.part = part;
      ++parts;
    }
    has_time = has_time || is_time;
    has_day = has_day || has(kDays, word.text);
    result.from_start = result.from_start || has(kFromStart, word.text);
    only_times = only_times && (says_unit || is_time || part != TimePart::kNone || has(kBeside, word.text) ||
                                is_number(word));
    if (!unit && !has(kDates, word.text) && part == TimePart::kNone) {
      result.about += (result.about.empty() ? "" : " ") + word.text;
    }
  }
  // A unit by itself is a name that Arduino's millis() gives.
  const bool is_unit = result.unit && *result.unit <= ClockUnit::kSeconds && words.size() == 1 &&
                       words.front().text.size() > 1;
  result.is_plain = only_times;
  result.is_date = only_times && has_day;
  result.mentions = has_time || is_unit;
  result.is_time =
      only_times && (has_time || is_unit || (result.unit && result.from_start)) && !is_a_letter_alone(name);
  result.part = parts == 1 ? result.part : TimePart::kNone;
  const TimePart by_case = part_by_case(name);
  if (const TimePart part = by_case == TimePart::kNone ? part_of_words(words) : by_case;
      part != TimePart::kNone) {
    result.part = part;
    result.is_plain = true;
  }
  return result;
}

}  // namespace microparquet::text
