#include "date_words.h"

#include <array>
#include <string>

namespace csv_log {

namespace {

// Each name between spaces, in small letters and without a point.
constexpr std::array<std::string_view, 12> kMonths = {
    " jan january januar jän jänner janv janvier ene enero gen gennaio janeiro januari sty stycznia янв "
    "января ",
    " feb february februar fév févr février fevr fevrier fev febrero febbraio fevereiro februari lut lutego "
    "фев февр февраля ",
    " mar march mär märz mrz mars marzo março mrt maart marts marca мар марта ",
    " apr april avr avril abr abril aprile kwi kwietnia апр апреля ",
    " may mai mayo mag maggio maio mei maj maja май мая ",
    " jun june juni juin junio giu giugno junho cze czerwca июн июня ",
    " jul july juli juil juillet julio lug luglio julho lip lipca июл июля ",
    " aug august aoû août aout ago agosto augustus augusti sie sierpnia авг августа ",
    " sep sept september septembre septiembre set settembre setembro wrz września сен сент сентября ",
    " oct october okt oktober octobre octubre ott ottobre out outubro paź października окт октября ",
    " nov november novembre noviembre novembro lis listopada ноя нояб ноября ",
    " dec december dez dezember déc décembre decembre dic diciembre dicembre dezembro gru grudnia дек "
    "декабря "};

constexpr std::string_view kWeekdays =
    " mon tue wed thu fri sat sun tues weds thur thurs monday tuesday wednesday thursday friday saturday "
    "sunday"
    " mo di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag"
    " lun mar mer jeu ven sam dim lundi mardi mercredi jeudi vendredi samedi dimanche"
    " mié mie jue vie sáb sab dom lunes martes miércoles jueves viernes sábado domingo"
    " gio lunedì martedì mercoledì giovedì venerdì sabato domenica seg ter qua qui sex"
    " ma wo vr za zo maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ";

struct NamedHalf {
  std::string_view word;
  HalfDay half;
};
// Longer ones first where one begins as another does.
constexpr std::array<NamedHalf, 44> kHalves = {{
    {"a.m.", HalfDay::kBeforeNoon},  {"p.m.", HalfDay::kAfterNoon},   {"a. m.", HalfDay::kBeforeNoon},
    {"p. m.", HalfDay::kAfterNoon},  {"am", HalfDay::kBeforeNoon},    {"pm", HalfDay::kAfterNoon},
    {"vorm.", HalfDay::kBeforeNoon}, {"nachm.", HalfDay::kAfterNoon}, {"vm.", HalfDay::kBeforeNoon},
    {"nm.", HalfDay::kAfterNoon},    {"vm", HalfDay::kBeforeNoon},    {"nm", HalfDay::kAfterNoon},
    {"fm", HalfDay::kBeforeNoon},    {"em", HalfDay::kAfterNoon},     {"f.m.", HalfDay::kBeforeNoon},
    {"e.m.", HalfDay::kAfterNoon},   {"dop.", HalfDay::kBeforeNoon},  {"odp.", HalfDay::kAfterNoon},
    {"de.", HalfDay::kBeforeNoon},   {"du.", HalfDay::kAfterNoon},    {"ap.", HalfDay::kBeforeNoon},
    {"ip.", HalfDay::kAfterNoon},    {"上午", HalfDay::kBeforeNoon},  {"下午", HalfDay::kAfterNoon},
    {"午前", HalfDay::kBeforeNoon},  {"午後", HalfDay::kAfterNoon},   {"오전", HalfDay::kBeforeNoon},
    {"오후", HalfDay::kAfterNoon},   {"π.μ.", HalfDay::kBeforeNoon},  {"μ.μ.", HalfDay::kAfterNoon},
    {"πμ", HalfDay::kBeforeNoon},    {"μμ", HalfDay::kAfterNoon},     {"öö", HalfDay::kBeforeNoon},
    {"ös", HalfDay::kAfterNoon},     {"sa", HalfDay::kBeforeNoon},    {"ch", HalfDay::kAfterNoon},
    {"ص", HalfDay::kBeforeNoon},     {"م", HalfDay::kAfterNoon},      {"дп", HalfDay::kBeforeNoon},
    {"пп", HalfDay::kAfterNoon},     {"a.", HalfDay::kBeforeNoon},    {"p.", HalfDay::kAfterNoon},
    {"a", HalfDay::kBeforeNoon},     {"p", HalfDay::kAfterNoon},
}};

struct NamedZone {
  std::string_view name;
  int hours;
};
constexpr std::array<NamedZone, 26> kZones = {
    {{"Z", 0},    {"z", 0},    {"UTC", 0},   {"GMT", 0},   {"UT", 0},    {"WET", 0},   {"WEST", 1},
     {"CET", 1},  {"CEST", 2}, {"MEZ", 1},   {"MESZ", 2},  {"EET", 2},   {"EEST", 3},  {"MSK", 3},
     {"JST", 9},  {"KST", 9},  {"AEST", 10}, {"AEDT", 11}, {"NZST", 12}, {"NZDT", 13}, {"EST", -5},
     {"EDT", -4}, {"CDT", -5}, {"MST", -7},  {"PST", -8},  {"PDT", -7}}};

// Small letters for those of ASCII and Latin-1.
std::string small(std::string_view word) {
  constexpr unsigned char kLatin = 0xC3;
  std::string text(word);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool latin = i != 0 && static_cast<unsigned char>(text[i - 1]) == kLatin && c >= 0x80 && c <= 0x9E;
    if (latin || (c >= 'A' && c <= 'Z')) {
      text[i] = static_cast<char>(c + 0x20);
    }
  }
  return text;
}

bool is_word_of(std::string_view list, std::string_view word) {
  return !word.empty() && list.find(" " + small(word) + " ") != list.npos;
}

}  // namespace

std::optional<int> month_of(std::string_view word) {
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (is_word_of(kMonths[i], word)) {
      return static_cast<int>(i) + 1;
    }
  }
  return std::nullopt;
}

bool is_weekday(std::string_view word) { return is_word_of(kWeekdays, word); }

HalfDay take_half_day(Scanner& scanner) {
  constexpr std::size_t kLongest = 8;
  Scanner ahead = scanner;
  if (!ahead.take(' ') && !ahead.take_word("\xE2\x80\xAF")) {  // the narrow space of browsers
    ahead.take_word("\xC2\xA0");
  }
  const std::string next = small(ahead.rest().substr(0, kLongest));
  for (const NamedHalf& named : kHalves) {
    if (std::string_view(next).substr(0, named.word.size()) == named.word) {
      Scanner behind(ahead.rest().substr(named.word.size()));
      if (!behind.next_is_letter()) {
        scanner = behind;
        return named.half;
      }
    }
  }
  return HalfDay::kNone;
}

std::optional<std::int32_t> zone_of(std::string_view word) {
  constexpr std::int32_t kSecondsPerHour = 3600;
  for (const NamedZone& zone : kZones) {
    if (word == zone.name) {
      return zone.hours * kSecondsPerHour;
    }
  }
  return std::nullopt;
}

}  // namespace csv_log
